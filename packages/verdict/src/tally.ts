/** Counts of results, and the lines that print them. The counts always add up: they come from one list. */

import { NOT_RUN_REASONS } from "./verdict.ts";
import type { Verdict } from "./verdict.ts";

/** `planned` is `passed + failed + notRun`. What was skipped or is unsupported by a layout is not planned. */
export interface Tally {
  readonly planned: number;
  readonly passed: number;
  readonly failed: number;
  readonly notRun: number;
}

export function tallyOf(verdicts: readonly Verdict[]): Tally {
  const count = (word: Verdict["verdict"]) => verdicts.filter((one) => one.verdict === word).length;
  return {
    planned: verdicts.length,
    passed: count("PASS"),
    failed: count("FAIL"),
    notRun: count("NOT RUN"),
  };
}

/** `planned 7, passed 1, failed 3, not run 3` */
export function tallyLine(tally: Tally): string {
  return `planned ${tally.planned}, passed ${tally.passed}, failed ${tally.failed}, not run ${tally.notRun}`;
}

/** `not run: 2 (missing-dependency 1, setup-failed 1)`, or `not run: 0 of 37 planned`. */
export function notRunLine(verdicts: readonly Verdict[]): string {
  const reasons = verdicts.flatMap((one) => (one.verdict === "NOT RUN" ? [one.reason] : []));
  const counts = NOT_RUN_REASONS.map((reason) => ({
    reason,
    times: reasons.filter((one) => one === reason).length,
  })).filter(({ times }) => times > 0);
  const total = `not run: ${reasons.length}`;
  if (counts.length === 0) return `${total} of ${verdicts.length} planned`;
  return `${total} (${counts.map(({ reason, times }) => `${reason} ${times}`).join(", ")})`;
}

/** `3 passed, 1 failed`, and `, 2 skipped` only when something was. Plain, for whoever reads the last line. */
export function plainLine(tally: Tally, skipped = 0): string {
  const line = `${tally.passed} passed, ${tally.failed} failed`;
  return skipped > 0 ? `${line}, ${skipped} skipped` : line;
}
