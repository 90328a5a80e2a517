/**
 * Files dropped into a browser as a tree. A browser tells neither links nor empty folders nor when a file was born, and
 * refuses a file that changed since it was dropped, which is then a file that cannot be read.
 */
import type { Tree, TreeEntry } from "../tree.ts";
import { TreeError } from "./tree-error.ts";
import { baseName, parentOf, plainPath } from "./tree-path.ts";

/** What is used of a browser's `File`, with its path within what was dropped. */
export interface DroppedFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly lastModified: number;
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> };
}

/** Of two files with one path the last counts; below a file there is nothing. */
export function droppedTree(files: Iterable<DroppedFile>): Tree {
  const byPath = new Map<string, DroppedFile>();
  const folders = new Map<string, Map<string, TreeEntry["kind"]>>([["/", new Map()]]);
  for (const file of files) {
    const path = plainPath(file.path);
    if (path === "/") continue;
    byPath.set(path, file);
    for (let at = path, kind: TreeEntry["kind"] = "file"; at !== "/"; at = parentOf(at), kind = "directory") {
      const names = folders.get(parentOf(at)) ?? new Map<string, TreeEntry["kind"]>();
      folders.set(parentOf(at), names.set(baseName(at), kind));
    }
  }
  const missing = (operation: string, path: string): TreeError => {
    let above = parentOf(plainPath(path));
    while (!folders.has(above) && !byPath.has(above)) above = parentOf(above);
    return new TreeError(byPath.has(above) ? "ENOTDIR" : "ENOENT", operation, path);
  };
  return {
    list: async (path) => {
      const names = folders.get(plainPath(path));
      if (names !== undefined) return [...names].map(([name, kind]) => ({ name, kind }));
      throw byPath.has(plainPath(path)) ? new TreeError("ENOTDIR", "list", path) : missing("list", path);
    },
    stat: async (path) => {
      const plain = plainPath(path);
      if (folders.has(plain)) return { kind: "directory", size: 0, modifiedAtMs: 0, bornAtMs: undefined };
      const file = byPath.get(plain);
      if (file === undefined) throw missing("stat", path);
      return { kind: "file", size: file.size, modifiedAtMs: file.lastModified, bornAtMs: undefined };
    },
    readRange: async (path, offset, length) => {
      const plain = plainPath(path);
      if (folders.has(plain)) throw new TreeError("EISDIR", "read", path);
      const file = byPath.get(plain);
      if (file === undefined) throw missing("read", path);
      try {
        return new Uint8Array(await file.slice(offset, offset + length).arrayBuffer());
      } catch {
        // A browser's own error says nothing that a reader could use, and its name is not a POSIX code.
        throw new TreeError("EIO", "read", path);
      }
    },
  };
}
