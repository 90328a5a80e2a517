/** A dispatcher of agent work over ports. */
export { DEFAULT_ANSWER_MS, DEFAULT_LEASE_MS, DEFAULT_SETTLE_MS, type DispatcherOptions, type DispatcherPorts, MAX_RENAME_TRIES } from "./config.ts";
export { createDispatcher, type Dispatcher } from "./create-dispatcher.ts";
export type { DispatchAnswer } from "./dispatch-task.ts";
export { LedgerError } from "./ledger.ts";
export { runDispatcher, type RunOptions } from "./run-dispatcher.ts";
export type { ScanReport } from "./scan.ts";
export { type DispatcherPolicies, REFERENCE_POLICIES } from "./judge/index.ts";
