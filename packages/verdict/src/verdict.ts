/**
 * The three words and what belongs to each. Plain data: it survives JSON and needs no class.
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
