/** What the doctor is handed of the machine that it looks at: its disk, its clock, its home. Leaves out the folders that are usual. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import type { Tree } from "@casebook/doctor";
import { diskTree, resolvePlace, treePathOf } from "@casebook/doctor/node";

export interface Machine {
  readonly tree: () => Tree;
  readonly now: () => number;
  /** Home folders, as tree paths. */
  readonly homes: () => readonly string[];
  /** The tree path of a place as it was typed; undefined: there is nothing. */
  readonly placeOf: (path: string) => Promise<string | undefined>;
}

export const THIS_MACHINE: Machine = {
  tree: diskTree,
  now: Date.now,
  // As it is named, and as it is when its links are followed: either may stand in a path.
  homes: () => [...new Set([treePathOf(homedir(), process.platform), resolvePlace(homedir(), process.cwd())])],
  placeOf: async (path) => (existsSync(path) ? resolvePlace(path, process.cwd()) : undefined),
};
