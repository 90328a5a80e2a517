/** Small steps on the disk port: read a whole file, make a directory if it is missing, rename with bounded patience. */
import { type Disk, errorCode } from "@casebook/ports";
import { type DispatcherConfig, type DispatcherPorts, MAX_RENAME_TRIES, RENAME_WAIT_MS } from "./config.ts";

/** Undefined when it is not there. `maxBytes + 1` bytes at most, so that a reader sees that it is too large. */
export async function readWhole(disk: Disk, path: string, maxBytes: number): Promise<{ bytes: Uint8Array; modifiedAtMs: number } | undefined> {
  let file;
  try {
    file = await disk.open(path, "r");
  } catch (failure) {
    if (errorCode(failure) === "ENOENT") return undefined;
    throw failure;
  }
  try {
    const { size, modifiedAtMs } = await file.stat();
    const bytes = await file.read(Math.min(size, maxBytes + 1), 0);
    return { bytes, modifiedAtMs };
  } finally {
    await file.close();
  }
}

export async function makeDirectories(disk: Disk, root: string, path: string): Promise<void> {
  let at = root;
  for (const name of path.split("/")) {
    const parent = at;
    at = `${at}/${name}`;
    try {
      await disk.mkdir(at);
      await disk.syncDirectory(parent);
    } catch (failure) {
      if (errorCode(failure) !== "EEXIST") throw failure;
    }
  }
}

/** What a sharing reader, a scanner or a path that comes and goes answers for a moment. Another mount stays another mount. */
const PASSING: readonly string[] = ["EPERM", "EACCES", "EBUSY", "ENOENT"];

/** Rejects as the disk did at the last try. `point` is reached before each: a fault there stands for the disk's own refusal. */
export async function renamePatiently(ports: DispatcherPorts, { policies }: DispatcherConfig, point: string, from: string, to: string, isHopeless: (code: string) => Promise<boolean> = async () => false): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await ports.faults.reach(point);
      return await ports.disk.rename(from, to);
    } catch (failure) {
      const code = errorCode(failure);
      if (!PASSING.includes(code) || (await isHopeless(code))) throw failure;
      if (policies.retries !== "endless" && tries >= MAX_RENAME_TRIES) {
        if (policies.retries === "silent") return;
        throw failure;
      }
      ports.log.write("warning", "dispatcher.rename-refused", { point, code, tries });
      await ports.clock.sleep(RENAME_WAIT_MS * Math.min(tries, MAX_RENAME_TRIES));
    }
  }
}
