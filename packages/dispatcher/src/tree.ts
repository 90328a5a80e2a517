/**
 * Reads the lifecycle folders from the disk: list, read, list again, until both lists are equal, so that a task that is moved meanwhile
 * is not seen twice or not at all. A file that changed a moment ago may still be written and is left for the next look.
 */
import { errorCode } from "@casebook/ports";
import { type DispatcherConfig, type DispatcherPorts, MAX_FILES, MAX_LOOKS } from "./config.ts";
import { readWhole } from "./files.ts";
import { FOLDERS, LIFECYCLE, type LifecycleReading, MAX_OBJECT_BYTES, readLifecycle, type TreeFile } from "./judge/index.ts";

export type Look =
  | { readonly outcome: "read"; readonly reading: LifecycleReading; /** Paths that are too young to be read. */ readonly young: readonly string[] }
  | { readonly outcome: "unstable"; readonly says: string };

export async function lookAtTree(ports: DispatcherPorts, { root, settleMs, policies }: DispatcherConfig): Promise<Look> {
  let before = await list(ports, root);
  for (let look = 1; look <= MAX_LOOKS; look += 1) {
    if (before.length > MAX_FILES) return { outcome: "unstable", says: `${before.length} files, more than ${MAX_FILES}` };
    const files: TreeFile[] = [];
    const young: string[] = [];
    for (const path of before) {
      const read = await readWhole(ports.disk, `${root}/${path}`, MAX_OBJECT_BYTES);
      if (read === undefined) continue;
      const ageMs = ports.clock.now() - read.modifiedAtMs;
      // A stamp from the future is one of a clock that was set back, and says nothing about now.
      if (ageMs >= 0 && ageMs < settleMs) young.push(path);
      else files.push({ path, bytes: read.bytes });
    }
    const after = await list(ports, root);
    if (after.toSorted().join("\n") === before.toSorted().join("\n")) return { outcome: "read", reading: readLifecycle(files, policies.reader), young };
    before = after;
  }
  return { outcome: "unstable", says: `the folders changed in each of ${MAX_LOOKS} looks` };
}

/** In the order of the listing, which is nobody's. */
async function list({ disk }: DispatcherPorts, root: string): Promise<string[]> {
  const paths: string[] = [];
  for (const folder of FOLDERS) {
    const entries = await disk.readdir(`${root}/${LIFECYCLE}/${folder}`).catch((failure: unknown) => {
      if (errorCode(failure) === "ENOENT") return [];
      throw failure;
    });
    for (const { name, kind } of entries) if (kind === "file") paths.push(`${LIFECYCLE}/${folder}/${name}`);
  }
  return paths;
}
