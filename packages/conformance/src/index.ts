/** Bring your own dispatcher, receipt log or supervisor: numbered rules as data, an adapter of a few functions, and a report that says what it did not check. */
export { type AdapterPorts, type Answer, ANSWERS, CAPABILITIES, type Capability, type DispatcherAdapter, type DispatcherUnderTest, type Notice, type PeerNetwork, type Probe, type SessionsPort, type StartRequest, STATES, type Task, type TaskView, TICK_MS, TOLD } from "./dispatch/adapter.ts";
export { AdapterError } from "./adapter-error.ts";
export { checkAdapter } from "./dispatch/check-adapter.ts";
export { behindFaultProxy } from "./dispatch/behind-fault-proxy.ts";
export { checkDispatcher, replayDispatcher } from "./dispatch/check-dispatcher.ts";
export { SEEN_GUARDS, type SeenGuard } from "./dispatch/guards.ts";
export { type CheckedRule, type DispatchRule, isChecked, type Stranger, type Telling, type ToldNotice } from "./dispatch/rule.ts";
export { DISPATCH_RULES } from "./dispatch/rules.ts";
export { failureText, reportMarkdown, reportText } from "./report/markdown.ts";
export { type ConformanceReport, type Distance, exitCodeOf, REPORT_SCHEMA, type RuleResult } from "./report/report.ts";
export { readReport, type ReadReport } from "./report/read-report.ts";
export type { CheckOptions } from "./play/check-rules.ts";
export type { FailureStory } from "./play/explain-failure.ts";
export type { Level, PlayedRule, UncheckedRule } from "./play/playable.ts";
export type { ReplayedFailure } from "./play/replay-failure.ts";
export { type Appended, HEALTHS, type KeyAnswer, RECEIPT_CAPABILITIES, type ReceiptCapability, type ReceiptLogAdapter, type ReceiptLogUnderTest, type ReceiptPorts, type ReceiptToKeep } from "./receipts/adapter.ts";
export { checkReceiptLog, replayReceiptLog } from "./receipts/check-receipt-log.ts";
export type { CheckedReceiptRule, Damage, ReceiptRule } from "./receipts/rule.ts";
export { RECEIPT_LOG_RULES } from "./receipts/rules.ts";
export {
  type ItemAccount,
  type ItemOfRun,
  type LedgerPicture,
  type RecordAccount,
  type RunAccount,
  type RunToSupervise,
  SUPERVISOR_CAPABILITIES,
  type SupervisorAdapter,
  type SupervisorAdapterPorts,
  type SupervisorCapability,
  type SupervisorUnderTest,
  type ToolOfAgent,
} from "./supervision/adapter.ts";
export { checkSupervisor, replaySupervisor } from "./supervision/check-supervisor.ts";
export type { CheckedSupervisionRule, SupervisionRule } from "./supervision/rule.ts";
export { SUPERVISION_RULES } from "./supervision/rules.ts";
