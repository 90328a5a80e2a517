/** Replaces a file so that a crash leaves the old bytes or the new ones, never a part and never nothing. */
export { CommitError, type CommitErrorCode } from "./commit-error.ts";
export { commitFile, type Committed, type CommitPorts, FILE_COMMIT_FAULT_POINTS, syncDirectory } from "./commit-file.ts";
export { type CommitPolicies, REFERENCE_POLICIES } from "./policies.ts";
export { removeStaleTemporaries, STALE_AFTER_MS, type StaleTemporaries } from "./remove-stale-temporaries.ts";
export { RENAME_PAUSES_MS } from "./rename-over.ts";
export { isTemporaryOf } from "./temporary-name.ts";
