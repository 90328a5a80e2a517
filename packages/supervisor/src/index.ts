/** A model of a supervisor of several agents. */
export { cancelRun, type Cancelled, type CancelReason } from "./cancel-run.ts";
export { type EndOutcome, endRun, type RunEnd, settleRun } from "./end-run.ts";
export { type Point, POINTS } from "./points.ts";
export { REFERENCE_POLICIES, type SupervisorPolicies } from "./policies.ts";
export { runAgent } from "./run-agent.ts";
export { type AgentSpec, beginChanges, type BudgetSpec, DEFAULT_BUDGET, type ItemSpec, resumedSpec, type RunSpec } from "./run-spec.ts";
export { DEFAULT_SETTINGS, type SupervisorSettings } from "./settings.ts";
export { superviseRun, type Supervised } from "./supervise-run.ts";
export { succeedRun, type Succession } from "./succeed-run.ts";
export type { SupervisorPorts } from "./supervisor-ports.ts";
