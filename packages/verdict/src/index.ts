/** Words, reasons, tallies and exit codes. Importing this loads nothing else. */

export { EXIT, exitCodeFor } from "./exit.ts";
export type { ExitCode } from "./exit.ts";
export { notRunLine, plainLine, tallyLine, tallyOf } from "./tally.ts";
export type { Tally } from "./tally.ts";
export { NOT_RUN_REASONS, fail, isNotRunReason, notRun, pass } from "./verdict.ts";
export type {
  Evidence,
  Failed,
  NotRun,
  NotRunReason,
  Passed,
  Verdict,
  VerdictWord,
} from "./verdict.ts";
