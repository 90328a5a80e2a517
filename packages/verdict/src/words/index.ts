/**
 * The words of a verdict: what each of the three means, how they are counted, which exit code they come to. Plain data:
 * it survives JSON and needs no class. An entry of its own, because a repro needs the words and no document.
 * Leaves out what a search says (`exhausted within`, `sampled`): that is for the explorer.
 */

export type VerdictWord = "PASS" | "FAIL" | "NOT RUN";

/** Why something that was planned has no answer. Stable; a new one is a new contract. */
export const NOT_RUN_REASONS = [
  "missing-dependency",
  "missing-input",
  "setup-failed",
  "stale-token",
  "timed-out",
  "unstable-input",
  "unsupported",
] as const;

export type NotRunReason = (typeof NOT_RUN_REASONS)[number];

/** What the environment said. Every field is optional because not every environment says everything. */
export interface Evidence {
  /** The command that was run, as a person would type it. */
  readonly command?: string;
  /** Name to version, such as `{ node: "20.20.2", vitest: "4.1.12" }`. */
  readonly versions?: Readonly<Record<string, string>>;
  readonly exitCode?: number;
  /** The first lines of its output, or of the error. */
  readonly firstLines?: readonly string[];
}

export interface Passed {
  readonly verdict: "PASS";
  readonly evidence?: Evidence;
}

export interface Failed {
  readonly verdict: "FAIL";
  readonly message: string;
  readonly evidence?: Evidence;
  /** What a person decided about it (product defect, stale contract). No tool writes this. */
  readonly annotation?: string;
}

export interface NotRun {
  readonly verdict: "NOT RUN";
  readonly reason: NotRunReason;
  readonly message: string;
  readonly evidence: Evidence;
}

export type Verdict = Passed | Failed | NotRun;

export function pass(evidence?: Evidence): Passed {
  return evidence === undefined ? { verdict: "PASS" } : { verdict: "PASS", evidence };
}

export function fail(message: string, evidence?: Evidence): Failed {
  return evidence === undefined
    ? { verdict: "FAIL", message }
    : { verdict: "FAIL", message, evidence };
}

export function notRun(reason: NotRunReason, message: string, evidence: Evidence): NotRun {
  return { verdict: "NOT RUN", reason, message, evidence };
}

export function isNotRunReason(word: string): word is NotRunReason {
  return (NOT_RUN_REASONS as readonly string[]).includes(word);
}

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

/** Exit codes. Set `process.exitCode`; calling `process.exit()` cuts off what is still being written. */
export const EXIT = {
  /** Everything planned passed. */
  clean: 0,
  /** At least one finding or failure. */
  findings: 1,
  /** Wrong usage or configuration, a selection that selects nothing included. */
  usage: 2,
  /** Nothing failed, but something planned has no verdict. */
  noVerdict: 3,
  /** Interrupted; what was found so far has been printed. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** 1 beats 3 beats 0; nothing planned is 2. Whether a run was interrupted only its runner knows. */
export function exitCodeFor(tally: Tally): ExitCode {
  if (tally.planned === 0) return EXIT.usage;
  if (tally.failed > 0) return EXIT.findings;
  if (tally.notRun > 0) return EXIT.noVerdict;
  return EXIT.clean;
}
