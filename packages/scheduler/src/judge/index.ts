/** The judging half: when a task is due, and what to do about slots that passed. Pure; no clock, no disk. */
export {
  type Calendar,
  type CalendarAnswer,
  type CalendarOptions,
  EARLIEST_INSTANT_MS,
  type GapPolicy,
  LATEST_INSTANT_MS,
  type OverlapPolicy,
  readCalendar,
} from "./calendar.ts";
export { MAX_EXPRESSION_LENGTH, type ScheduleProblem } from "./cron-expression.ts";
export * from "./slots.ts";
