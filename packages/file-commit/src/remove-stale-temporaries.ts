/**
 * Removes what writers of a file left behind when they died: at the start of a program, before its first commit. Models leftovers
 * that are told by name and age; knows of no process. A writer that stood still for longer than the limit, or whose file a set
 * clock or a server's clock makes look old, loses its temporary file: its rename then fails in the open, and the target is as it was.
 */
import { type Disk, errorCode, type Ports } from "@casebook/ports";
import { isErrno } from "./commit-error.ts";
import { type CommitPolicies, REFERENCE_POLICIES } from "./policies.ts";
import { directoryOf, isTemporaryOf } from "./temporary-name.ts";

/** One hour: a live commit waits 1.27 s at most, so what was not written to for so long has no writer, or a stopped one. */
export const STALE_AFTER_MS = 3_600_000;

export interface StaleTemporaries {
  /** Entries of the directory that were looked at. */
  readonly entries: number;
  /** Paths, sorted, as all three lists are. */
  readonly removed: readonly string[];
  /** Changed less than the limit ago, or in the future: a writer may be at work. */
  readonly kept: readonly string[];
  /** The disk did not let them go. */
  readonly refused: readonly { readonly path: string; readonly errno: string }[];
}

/**
 * `path`: the target; only names that `commitFile` gives to its temporaries are touched, never the target. `olderThanMs` counts from
 * the last change of content, by the clock port. Rejects with STALE_AGE_INVALID for an age that is no number, or negative, and as the disk does when the directory cannot be listed; one that is not there
 * has nothing in it. The removals are not synced: what comes back after a power loss is removed the next time.
 */
export async function removeStaleTemporaries(
  { disk, clock }: Pick<Ports, "disk" | "clock">,
  path: string,
  olderThanMs: number = STALE_AFTER_MS,
  policy: CommitPolicies["staleTemporaries"] = REFERENCE_POLICIES.staleTemporaries,
): Promise<StaleTemporaries> {
  if (!(olderThanMs >= 0)) throw invalidAge(olderThanMs);
  const directory = directoryOf(path);
  const names = policy === "leave" ? [] : await namesIn(disk, directory);
  const removed: string[] = [];
  const kept: string[] = [];
  const refused: { path: string; errno: string }[] = [];
  const temporaries = names.filter((name) => isTemporaryOf(path, name)).sort();
  for (const temporary of temporaries.map((name) => `${directory === "/" ? "" : directory}/${name}`)) {
    try {
      const { modifiedAtMs } = await disk.stat(temporary);
      if (clock.now() - modifiedAtMs < olderThanMs) {
        kept.push(temporary);
        continue;
      }
      await disk.unlink(temporary);
      removed.push(temporary);
    } catch (refusal) {
      const errno = errorCode(refusal);
      if (!isErrno(errno)) throw refusal;
      // Gone meanwhile: its writer finished, or somebody else cleans up.
      if (errno !== "ENOENT") refused.push({ path: temporary, errno });
    }
  }
  return { entries: names.length, removed, kept, refused };
}

function invalidAge(ms: number): Error {
  const text =
    `STALE_AGE_INVALID: an age of ${ms} ms was asked for; with it the temporary file of a writer that is at work would be removed. ` +
    "Give milliseconds, 0 or more";
  return Object.assign(new Error(text), { code: "STALE_AGE_INVALID" });
}

async function namesIn(disk: Disk, directory: string): Promise<string[]> {
  try {
    const entries = await disk.readdir(directory);
    return entries.map(({ name }) => name);
  } catch (refusal) {
    if (errorCode(refusal) === "ENOENT") return [];
    throw refusal;
  }
}
