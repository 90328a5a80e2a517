/**
 * The rename that gives a new version its name, and what happens when the disk refuses. A scanner or a backup that has the target
 * open answers EPERM, EACCES or EBUSY for a moment (on Windows, mostly), so these are asked again, a stated number of times.
 * Leaves out a lock held for minutes: that is the caller's to repeat.
 */
import { errorCode, type Ports } from "@casebook/ports";
import { renameRefused } from "./commit-error.ts";
import type { CommitPolicies } from "./policies.ts";

/** Before the second attempt and each further one: eight attempts in 1.27 s. */
export const RENAME_PAUSES_MS: readonly number[] = [10, 20, 40, 80, 160, 320, 640];

const PASSING: ReadonlySet<string> = new Set(["EPERM", "EACCES", "EBUSY"]);
/** EXDEV is the same for ever; ENOENT passes only while the temporary file is there. */
const FINAL: ReadonlySet<string> = new Set(["EXDEV", "ENOENT"]);

/**
 * Answers the number of attempts. Rejects with COMMIT_RENAME_REFUSED where the disk held the name back, and with the disk's own error
 * where it says what is wrong (ENOSPC, EISDIR, EROFS, EIO). Touches `path` in no other way.
 */
export async function renameOver(
  ports: Pick<Ports, "disk" | "clock">,
  temporary: string,
  path: string,
  policy: CommitPolicies["refusedRename"],
): Promise<number> {
  const { disk, clock } = ports;
  for (let attempts = 1; ; attempts += 1) {
    try {
      await disk.rename(temporary, path);
      return attempts;
    } catch (refusal) {
      const code = errorCode(refusal);
      if (!PASSING.has(code) && !FINAL.has(code)) throw refusal;
      // A rename that says ENOENT has done nothing, so asking again is safe; with the temporary gone it is also in vain.
      const isTemporaryGone = code === "ENOENT" && (await isMissing(disk, temporary));
      if (policy === "delete-target-then-rename" && PASSING.has(code)) return deleteThenRename(ports, temporary, path, attempts);
      const pauseMs = RENAME_PAUSES_MS[attempts - 1] ?? (policy === "retry-without-end" ? RENAME_PAUSES_MS.at(-1) : undefined);
      const mayPass = PASSING.has(code) || (code === "ENOENT" && !isTemporaryGone);
      if (!mayPass || policy === "give-up" || pauseMs === undefined) throw renameRefused(path, attempts, refusal, isTemporaryGone);
      await clock.sleep(pauseMs);
    }
  }
}

/** The mechanism of case 018: between the two calls there is no file, and a second refusal leaves it so. */
async function deleteThenRename({ disk }: Pick<Ports, "disk">, temporary: string, path: string, attempts: number): Promise<number> {
  await disk.unlink(path);
  await disk.rename(temporary, path);
  return attempts + 1;
}

/** Only an ENOENT says so; a disk that refuses to look has not said that the file is gone. */
async function isMissing(disk: Ports["disk"], path: string): Promise<boolean> {
  return disk.stat(path).then(
    () => false,
    (refusal: unknown) => errorCode(refusal) === "ENOENT",
  );
}
