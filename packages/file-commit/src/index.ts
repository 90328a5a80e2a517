/**
 * Replaces a file so that a reader sees the old bytes or the new ones, never a part.
 * Models one writer on one file system; bounded retry and the clean-up of other writers' leftovers are not here yet.
 * The new file is a new one in all but its name: the disk port knows no modes, owners or links, so a mode of 0600 becomes
 * what the process gives a new file (0644, mostly), and a link becomes a plain file.
 */
import type { DiskFile, Ports } from "@casebook/ports";

/**
 * Writes `bytes` beside `path` under a name of its own, syncs, renames over `path`, syncs the directory.
 * On failure the temporary file is removed and the target is as it was (where only the last sync failed, it is the new one,
 * perhaps not durably). The disk's error is thrown on, or one with the code SHORT_WRITE where the disk takes no more bytes.
 */
export async function commitFile(
  ports: Pick<Ports, "disk" | "ids">,
  path: string,
  bytes: Uint8Array,
): Promise<void> {
  const { disk, ids } = ports;
  const temporary = `${path}.${ids.next("commit")}.tmp`;
  const file = await disk.open(temporary, "wx");
  try {
    await writeAll(file, bytes);
    await file.sync();
    await file.close();
    await disk.rename(temporary, path);
  } catch (failure) {
    // The target was not touched; only our own leftovers go. Their failure must not hide the first one.
    await file.close().catch(() => undefined);
    await disk.unlink(temporary).catch(() => undefined);
    throw failure;
  }
  await disk.syncDirectory(directoryOf(path));
}

/** A write may take fewer bytes than it was given; what it took nothing of will not get better by asking again. */
async function writeAll(file: DiskFile, bytes: Uint8Array): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const taken = await file.write(bytes.subarray(written), written);
    if (taken <= 0) {
      const text = `SHORT_WRITE: ${written} of ${bytes.length} bytes written, then none`;
      throw Object.assign(new Error(text), { code: "SHORT_WRITE" });
    }
    written += taken;
  }
}

function directoryOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash <= 0 ? "/" : path.slice(0, slash);
}
