/**
 * Writers of a file that are known to be wrong, as data: the reference with one policy changed, and the rules that it breaks by that.
 * `crash-systems.test.ts` searches each one and compares.
 */
import { type CommitPolicies, REFERENCE_POLICIES } from "../policies.ts";

export const COMMIT_RULES = {
  "file-commit/old-or-new": "After a crash, a power loss or a refusal the file holds a version that was written, whole.",
  "file-commit/acknowledged-stays": "A version that was acknowledged, or a later one, is there after a power loss.",
  "file-commit/failure-is-visible": "What did not take its name is not acknowledged.",
  "file-commit/refusals-pass": "A refusal that may pass in a moment does not cost the write at once.",
  "file-commit/retries-end": "A refused rename is asked for again a stated number of times, and then the writer answers.",
  "file-commit/leaves-nothing": "No temporary file outlives its commit by more than the limit and the next start.",
} as const;

export type CommitRule = keyof typeof COMMIT_RULES;

export interface KnownBadCommit {
  readonly name: string;
  readonly policies: CommitPolicies;
  readonly breaks: readonly CommitRule[];
}

function changed(name: string, policy: Partial<CommitPolicies>, breaks: readonly CommitRule[]): KnownBadCommit {
  return { name, policies: { ...REFERENCE_POLICIES, ...policy }, breaks };
}

export const knownBad: readonly KnownBadCommit[] = [
  changed("writes in place", { writes: "in-place" }, ["file-commit/old-or-new"]),
  changed("uses one temporary name for all", { temporaryName: "fixed" }, ["file-commit/old-or-new"]),
  changed("takes a short write for a whole one", { shortWrite: "ignore" }, ["file-commit/old-or-new"]),
  changed("does not sync the file", { fileSync: "never" }, ["file-commit/old-or-new"]),
  changed("renames a file whose sync failed", { failedFileSync: "rename-anyway" }, ["file-commit/old-or-new"]),
  changed("does not sync the directory", { directorySync: "never" }, ["file-commit/acknowledged-stays"]),
  // CodeFlowMu-open, dispatch state: public source, read as a mechanism. Case 018.
  changed("deletes the target when the rename is refused", { refusedRename: "delete-target-then-rename" }, ["file-commit/old-or-new"]),
  changed("gives up at the first refusal", { refusedRename: "give-up" }, ["file-commit/refusals-pass"]),
  changed("asks for the rename without end", { refusedRename: "retry-without-end" }, ["file-commit/retries-end"]),
  changed("swallows the final failure", { finalFailure: "swallow" }, ["file-commit/failure-is-visible"]),
  changed("leaves its temporary file when it fails", { ownTemporary: "leave" }, ["file-commit/leaves-nothing"]),
  changed("leaves the temporary files of the dead", { staleTemporaries: "leave" }, ["file-commit/leaves-nothing"]),
];
