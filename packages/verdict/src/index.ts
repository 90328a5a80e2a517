/** Words, reasons, tallies, exit codes (all of `./words`), the result document and its writers. Importing this loads no library. */

export { RESULT_DOCUMENT_MAX_CHARACTERS, readResultDocument } from "./read-result-document.ts";
export type { ReadProblem, ReadResult } from "./read-result-document.ts";
export { RESULT_SCHEMA_VERSION, createResultDocument } from "./result-document.ts";
export type { FindingData, Location, Outside, Result, ResultDocument } from "./result-document.ts";
export { detailLines, evidenceLines } from "./writers/evidence-lines.ts";
export { writeHuman } from "./writers/human.ts";
export { writeJson } from "./writers/json.ts";
export { writeJunit } from "./writers/junit.ts";
export { visibleText } from "./writers/visible-text.ts";
export * from "./words/index.ts";
