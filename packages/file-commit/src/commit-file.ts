/**
 * Replaces a file so that a reader, also one after a crash or a power loss, sees the old bytes or the new ones, never a part and
 * never nothing. Models one writer of a file at a time: of two at once one version stands, whole, and which one is a lock's business.
 * Leaves out modes, owners and links: the new file is a new one in all but its name, so 0600 becomes what the process gives a new
 * file (0644, mostly), and a link becomes a plain file. A power loss is survived as far as the disk keeps what it says is synced.
 * The temporary name is 48 bytes longer with the ids of `ports/node`: on a disk with names of 255 bytes a target of more than 207 is
 * refused with ENAMETOOLONG before anything is written.
 */
import { type Disk, type DiskFile, errorCode, type Ports } from "@casebook/ports";
import { isErrno, notDurable } from "./commit-error.ts";
import { type CommitPolicies, REFERENCE_POLICIES } from "./policies.ts";
import { renameOver } from "./rename-over.ts";
import { directoryOf, fixedTemporaryOf, uniqueTemporaryOf } from "./temporary-name.ts";

export type CommitPorts = Pick<Ports, "disk" | "ids" | "clock" | "faults">;

/** Named moments of a commit. */
export const FILE_COMMIT_FAULT_POINTS = [
  "file-commit.after-write",
  "file-commit.after-sync",
  "file-commit.before-rename",
  "file-commit.after-rename",
] as const;

export interface Committed {
  /** Renames that were asked for; more than 1: the disk refused for a while. */
  readonly attempts: number;
  /** `unsupported`: this disk syncs no directories, so a power loss may bring back the old version for as long as the disk likes. */
  readonly directorySync: "done" | "unsupported";
}

/** What a disk answers that cannot sync a directory at all; EPERM and EISDIR are how Windows says it. EACCES is a permission to mend. */
const NO_DIRECTORY_SYNC: ReadonlySet<string> = new Set(["EINVAL", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EPERM", "EISDIR"]);

/**
 * Writes `bytes` beside `path` under a name of its own, syncs, renames over `path` (again for a bounded time where that is refused),
 * syncs the directory. When it answers, the new version is there and durable, but for `unsupported`.
 * Rejects with the disk's error, or SHORT_WRITE, and the target is as it was; or with a `CommitError`, which says what it holds: the
 * disk refused the name, or the name is not durable. The temporary file is removed either way, unless the disk refuses that too.
 * A file whose sync failed is never renamed, and not synced again: the disk may by now call lost bytes clean.
 */
export async function commitFile(
  ports: CommitPorts,
  path: string,
  bytes: Uint8Array,
  policies: CommitPolicies = REFERENCE_POLICIES,
): Promise<Committed> {
  const { disk, faults } = ports;
  try {
    const attempts = policies.writes === "in-place" ? await overwrite(ports, path, bytes, policies) : await replace(ports, path, bytes, policies);
    return await makeNameDurable();

    async function makeNameDurable(): Promise<Committed> {
      try {
        await faults.reach("file-commit.after-rename");
        if (policies.directorySync === "never") return { attempts, directorySync: "done" };
        return { attempts, directorySync: await syncDirectory(disk, directoryOf(path)) };
      } catch (failure) {
        throw isErrno(errorCode(failure)) ? notDurable(path, attempts, failure) : failure;
      }
    }
  } catch (failure) {
    if (policies.finalFailure === "throw") throw failure;
    return { attempts: 0, directorySync: "done" };
  }
}

/** Up to the rename; answers how often that was asked for. */
async function replace(ports: CommitPorts, path: string, bytes: Uint8Array, policies: CommitPolicies): Promise<number> {
  const { disk, ids, faults } = ports;
  const isUnique = policies.temporaryName === "unique";
  const temporary = isUnique ? uniqueTemporaryOf(path, ids) : fixedTemporaryOf(path);
  const file = await disk.open(temporary, isUnique ? "wx" : "w");
  try {
    await fill(ports, file, bytes, policies);
    await faults.reach("file-commit.before-rename");
    return await renameOver(ports, temporary, path, policies.refusedRename);
  } catch (failure) {
    // The target was not touched; only our own leftovers go. Their failure must not hide the first one.
    await file.close().catch(() => undefined);
    if (policies.ownTemporary === "remove") await disk.unlink(temporary).catch(() => undefined);
    throw failure;
  }
}

/** What everybody writes first: a crash in the middle leaves a part. */
async function overwrite(ports: CommitPorts, path: string, bytes: Uint8Array, policies: CommitPolicies): Promise<number> {
  const file = await ports.disk.open(path, "w");
  try {
    await fill(ports, file, bytes, policies);
    return 0;
  } catch (failure) {
    await file.close().catch(() => undefined);
    throw failure;
  }
}

/** Writes all, syncs, closes. */
async function fill({ faults }: CommitPorts, file: DiskFile, bytes: Uint8Array, policies: CommitPolicies): Promise<void> {
  if (policies.shortWrite === "ignore") await file.write(bytes, 0);
  else await writeAll(file, bytes);
  await faults.reach("file-commit.after-write");
  if (policies.fileSync !== "never") {
    const synced = file.sync();
    await (policies.failedFileSync === "rename-anyway" ? synced.catch(() => undefined) : synced);
  }
  await faults.reach("file-commit.after-sync");
  await file.close();
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

/** Makes the names in a directory durable, where the disk can do that at all. Rejects with the disk's error for anything else. */
export async function syncDirectory(disk: Disk, directory: string): Promise<Committed["directorySync"]> {
  try {
    await disk.syncDirectory(directory);
    return "done";
  } catch (refusal) {
    if (NO_DIRECTORY_SYNC.has(errorCode(refusal))) return "unsupported";
    throw refusal;
  }
}
