/** Trees without a disk. */
export { checkedTree } from "./checked-tree.ts";
export { FIXTURE_TIME_MS, memoryTree, type FixtureContent, type FixtureEntry } from "./memory-tree.ts";
export { TreeError, treeErrorCode } from "./tree-error.ts";
export { baseName, joinPath, parentOf, plainPath, segmentsOf } from "./tree-path.ts";
export { droppedTree, type DroppedFile } from "./dropped-tree.ts";
export { volumeTree, type VolumeLike, type VolumeTreeOptions } from "./volume-tree.ts";
