/** The doctor on a machine's disk: read calls only. */
export { diskTree, MAX_FOLDER_ENTRIES } from "./disk-tree.ts";
export { resolvePlace } from "./resolve-place.ts";
export { nativePathOf, treePathOf } from "./tree-path.ts";
export { usualPlaces, type PlacesEnvironment } from "./usual-places.ts";
