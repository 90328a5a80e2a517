/** The pure half: bytes and values in, readings and decisions out. What the doctor uses. */
export { explainReading, explainTree, type TaskAccount, type TreeAccount } from "./explain.ts";
export { type Attempt, attemptsOf, type DispatchState, EMPTY_STATE, type Move, taskOf, type TaskLease, type TaskState, withRecord } from "./fold.ts";
export { historyGap } from "./history.ts";
export { ALLOWED_MOVES, type Folder, FOLDERS, isAllowedMove, isFolder, type Kind, KINDS, LEDGER, LIFECYCLE, PENDING } from "./lifecycle.ts";
export { type ObjectName, objectName } from "./object-name.ts";
export { type LifecycleObject, MAX_OBJECT_BYTES, type ObjectProblem, readObject, type ReadObject } from "./object.ts";
export { type Acceptance, acceptanceOf, type Asked, type Permit, permitFor, type Trust } from "./permit.ts";
export { type DispatcherPolicies, REFERENCE_POLICIES } from "./policies.ts";
export { type LedgerProblem, type LedgerReading, type LedgerStep, readLedger, RECORD_FILE, recordFolder, withBytes } from "./read-ledger.ts";
export { type Conflict, findObject, type Found, type LifecycleReading, readLifecycle, type ReadingProblem, readingText, type Source, type TreeFile } from "./read-lifecycle.ts";
export { ATTEMPT_STATUSES, type AttemptStatus, fittedRecord, type LedgerRecord, type ReadRecord, readRecord, RECOVERY_OUTCOMES, type RecoveryOutcome, recordText, TERMINAL_STATUSES } from "./record.ts";
export { type Decision, decideRecovery, type RuntimeSays } from "./recover.ts";
export { byText, decodeText, encodeText, fingerprint } from "./text.ts";
