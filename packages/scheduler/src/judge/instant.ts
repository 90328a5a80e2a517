/** Which instants a slot can have. Models the years 0001 to 9999 in UTC, the range in which croner searches. */
import type { ScheduleProblem } from "./problem.ts";

/** 0001-01-02T00:00:00Z; a day inside the range, so that no zone's local date leaves it. */
export const EARLIEST_INSTANT_MS = Date.parse("0001-01-02T00:00:00.000Z");

/** 9999-12-30T00:00:00Z. */
export const LATEST_INSTANT_MS = Date.parse("9999-12-30T00:00:00.000Z");

export function isInstant(ms: number): boolean {
  return Number.isSafeInteger(ms) && ms >= EARLIEST_INSTANT_MS && ms <= LATEST_INSTANT_MS;
}

export function instantProblem(name: string, ms: number): ScheduleProblem {
  return {
    code: "INSTANT_OUT_OF_RANGE",
    message:
      `INSTANT_OUT_OF_RANGE: ${name} is ${ms}; an instant is a whole number of milliseconds since 1970-01-01T00:00:00Z ` +
      "in the years 1 to 9999. Check the unit: seconds, microseconds and text are the usual causes.",
  };
}
