/** Why a commit failed at or behind its rename, and what the target holds. What fails earlier is the disk's own error. */
import { errorCode } from "@casebook/ports";

/** `COMMIT_RENAME_REFUSED`: the new version did not take its name. `COMMIT_NOT_DURABLE`: it did, and a power loss may undo it. */
export type CommitErrorCode = "COMMIT_RENAME_REFUSED" | "COMMIT_NOT_DURABLE";

export class CommitError extends Error {
  override readonly name = "CommitError";
  readonly code: CommitErrorCode;
  /** The disk's last answer, a POSIX code. */
  readonly errno: string;
  /** Renames that were asked for. */
  readonly attempts: number;
  /** `unknown`: the old or the new version; reading tells. */
  readonly target: "old" | "new" | "unknown";

  constructor(code: CommitErrorCode, what: string, facts: Pick<CommitError, "errno" | "attempts" | "target">, cause: unknown) {
    super(`${code}: ${what}`, { cause });
    this.code = code;
    this.errno = facts.errno;
    this.attempts = facts.attempts;
    this.target = facts.target;
  }
}

export function renameRefused(path: string, attempts: number, cause: unknown, isTemporaryGone: boolean): CommitError {
  const errno = errorCode(cause);
  const times = attempts === 1 ? "once" : `${attempts} times`;
  const what = isTemporaryGone
    ? `the new version of ${path} was asked to take its name ${times}, and its temporary file is gone (${errno}). Somebody removed it, ` +
      "or the rename took effect and its answer was lost. Read the file: it holds the old or the new version, whole"
    : `the disk refused ${times} to give the new version of ${path} its name, last with ${errno}. The file is as it was. ` +
      "See who holds it and who may change its directory, and write it again";
  return new CommitError("COMMIT_RENAME_REFUSED", what, { errno, attempts, target: isTemporaryGone ? "unknown" : "old" }, cause);
}

export function notDurable(path: string, attempts: number, cause: unknown): CommitError {
  const errno = errorCode(cause);
  const what =
    `${path} holds the new version, and the disk failed to make its name durable (${errno}): a power loss may bring back the old ` +
    "one. Look at the disk and its permissions, and write it again";
  return new CommitError("COMMIT_NOT_DURABLE", what, { errno, attempts, target: "new" }, cause);
}

/** A POSIX code, as opposed to that of another error that only passes through. */
export function isErrno(code: string): boolean {
  return /^E[A-Z0-9]+$/.test(code);
}
