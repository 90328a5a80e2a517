/** A tree that asks before every read whether it may: for a time that is up, or a person who wants to stop. Reads as the one below. */
import type { Tree } from "../tree.ts";

/** `check` throws what the reader is to see as the tree's refusal. Asked at every piece of a long reading. */
export function checkedTree(tree: Tree, check: (operation: string, path: string) => void): Tree {
  const { readPieces, findBytes } = tree;
  return {
    list: async (path) => (check("list", path), await tree.list(path)),
    stat: async (path) => (check("stat", path), await tree.stat(path)),
    readRange: async (path, offset, length) => (check("read", path), await tree.readRange(path, offset, length)),
    ...(findBytes === undefined ? {} : { findBytes }),
    ...(readPieces === undefined
      ? {}
      : {
          readPieces: async function* (path: string, length: number) {
            check("read", path);
            for await (const piece of readPieces.call(tree, path, length)) {
              check("read", path);
              yield piece;
            }
          },
        }),
  };
}
