/** Trees without a disk. */
export { FIXTURE_TIME_MS, memoryTree, type FixtureContent, type FixtureEntry } from "./memory-tree.ts";
export { TreeError, treeErrorCode } from "./tree-error.ts";
export { baseName, joinPath, parentOf, plainPath, segmentsOf } from "./tree-path.ts";
