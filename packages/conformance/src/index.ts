/** Bring your own dispatcher: numbered rules as data, an adapter of three or four functions, and a report that says what it did not check. */
export { type AdapterPorts, type Answer, ANSWERS, CAPABILITIES, type Capability, type DispatcherAdapter, type DispatcherUnderTest, type PeerNetwork, type Probe, type SessionsPort, type StartRequest, STATES, type Task, type TaskView, TICK_MS } from "./dispatch/adapter.ts";
export { AdapterError } from "./adapter-error.ts";
export { checkAdapter } from "./dispatch/check-adapter.ts";
export { behindFaultProxy } from "./dispatch/behind-fault-proxy.ts";
export { checkDispatcher, replayDispatcher } from "./dispatch/check-dispatcher.ts";
export { SEEN_GUARDS, type SeenGuard } from "./dispatch/guards.ts";
export { type CheckedRule, type DispatchRule, isChecked } from "./dispatch/rule.ts";
export { DISPATCH_RULES } from "./dispatch/rules.ts";
export { failureText, reportMarkdown, reportText } from "./report/markdown.ts";
export { type ConformanceReport, type Distance, exitCodeOf, REPORT_SCHEMA, type RuleResult } from "./report/report.ts";
export { readReport, type ReadReport } from "./report/read-report.ts";
export type { CheckOptions } from "./play/check-rules.ts";
export type { FailureStory } from "./play/explain-failure.ts";
export type { Level, PlayedRule, UncheckedRule } from "./play/playable.ts";
export type { ReplayedFailure } from "./play/replay-failure.ts";
