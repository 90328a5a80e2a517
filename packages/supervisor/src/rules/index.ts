/** What a supervisor is asked, apart from any supervisor: sentences, causes, and the runs that it is asked on. */
export * from "./causes.ts";
export { type AgentSpec, type BudgetSpec, DEFAULT_BUDGET, type ItemSpec, type RunSpec } from "./run-spec.ts";
export { SUPERVISOR_RULES, type SupervisorRule } from "./sentences.ts";
export { locksOf, RUN_ID, type Shape, SHAPES, specOf } from "./shapes.ts";
