/** Words, reasons, tallies, exit codes, the result document and its writers. Importing this loads no library. */

export { EXIT, exitCodeFor } from "./exit.ts";
export type { ExitCode } from "./exit.ts";
export { RESULT_DOCUMENT_MAX_CHARACTERS, readResultDocument } from "./read-result-document.ts";
export type { ReadProblem, ReadResult } from "./read-result-document.ts";
export { RESULT_SCHEMA_VERSION, createResultDocument } from "./result-document.ts";
export type { FindingData, Location, Outside, Result, ResultDocument } from "./result-document.ts";
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
export { detailLines, evidenceLines } from "./writers/evidence-lines.ts";
export { writeHuman } from "./writers/human.ts";
export { writeJson } from "./writers/json.ts";
export { writeJunit } from "./writers/junit.ts";
export { visibleText } from "./writers/visible-text.ts";
