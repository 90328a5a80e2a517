/** A place as somebody wrote it, with the links on its way resolved once: below it none is followed any more. */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { treePathOf } from "./tree-path.ts";

/** The tree path. A place that is not there, or cannot be looked up, stays as written, and the walk says so. */
export function resolvePlace(nativePath: string, workingFolder: string, platform: string = process.platform): string {
  const absolute = resolve(workingFolder, nativePath);
  try {
    return treePathOf(realpathSync.native(absolute), platform);
  } catch {
    return treePathOf(absolute, platform);
  }
}
