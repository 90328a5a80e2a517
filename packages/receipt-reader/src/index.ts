/** A model of command receipts: a log that is read with its health, appended to and repaired, and the commands that hang on it. */
export { type Approval, APPROVAL_STALE, approve, type ApprovedRun, type Operation, runApproved } from "./commands/approval.ts";
export { AUTHORITY_ROWS, type AuthorityRowId, playAuthorityRow } from "./commands/authority-rows.ts";
export {
  type Actor,
  actorFingerprint,
  type Command,
  type CommandKernel,
  createCommandKernel,
  type Executor,
  type KernelAnswer,
  type KernelOptions,
} from "./commands/command-kernel.ts";
export { type Cell, type CommandKind, COMMANDS, type Decision, DECISION_TABLE } from "./commands/decision-table.ts";
export { type Reason, REASONS } from "./commands/reason-codes.ts";
export { playReceiptRow, RECEIPT_ROWS, type ReceiptRowFacts, type ReceiptRowId, type RowDamage, type RowOptions } from "./commands/receipt-rows.ts";
export { MAX_RECORD_BYTES, readSingleRecord, type RecordDamage, SINGLE_RECORD_STORES, type SingleRecord, storeAnswer, type StoreAnswer, type StoreKind } from "./commands/single-record.ts";
export { playStoreRow, STORE_ROWS, type StoreRowFacts, type StoreRowId } from "./commands/store-rows.ts";
export { currentGeneration, type Generation } from "./generation.ts";
export { holdLock, type HeldLock, LOCK_LEASE_MS, LOCK_WAIT_MS, type LockPorts } from "./log-lock.ts";
export type { LogProblem, LogProblemCode } from "./log-problem.ts";
export { type ReceiptPolicies, REFERENCE_POLICIES } from "./policies.ts";
export { type LogRead, MAX_READ_ATTEMPTS, readReceipts, surveyReceipts } from "./read-log.ts";
export { type AppendResult, createReceiptWriter, lockOf, RECEIPT_FAULT_POINTS, type ReceiptDraft, type ReceiptWriter, type WriterPorts } from "./receipt-writer.ts";
export { MAX_REPAIR_BYTES, repairLog, type RepairPorts, type RepairResult } from "./repair-log.ts";
