/** The judging half: when a task is due, and what to do about slots that passed. Pure; no clock, no disk. */
export * from "./calendar.ts";
export * from "./choose-slots.ts";
export { MAX_EXPRESSION_LENGTH } from "./cron-expression.ts";
export { EARLIEST_INSTANT_MS, LATEST_INSTANT_MS } from "./instant.ts";
export * from "./jitter.ts";
export type { ScheduleProblem } from "./problem.ts";
export * from "./slot-key.ts";
export * from "./slots-between.ts";
