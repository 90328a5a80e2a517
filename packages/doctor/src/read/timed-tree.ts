/** A tree that refuses with ETIME once the time is up, so that every reader stops there and says what it did not read. */
import type { Tree } from "../tree.ts";
import { TreeError } from "../trees/tree-error.ts";
import { isSpent, type Budget } from "./budget.ts";

export interface TimedTree {
  readonly tree: Tree;
  /** Paths that were asked for when the time was up. */
  readonly refused: ReadonlySet<string>;
}

export function timedTree(tree: Tree, budget: Budget): TimedTree {
  const refused = new Set<string>();
  const check = (operation: string, path: string): void => {
    if (!isSpent(budget)) return;
    refused.add(path);
    throw new TreeError("ETIME", operation, path);
  };
  const { readPieces } = tree;
  const timed: Tree = {
    list: async (path) => (check("list", path), await tree.list(path)),
    stat: async (path) => (check("stat", path), await tree.stat(path)),
    readRange: async (path, offset, length) => (check("read", path), await tree.readRange(path, offset, length)),
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
  return { tree: timed, refused };
}
