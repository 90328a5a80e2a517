/** Readers over a tree: bounded, stable, never rejecting for what is on the disk. */
export type { Budget } from "./budget.ts";
export { advance, compileGlob, matchGlob, startOf } from "./glob.ts";
export { readJsonFile, type JsonFile } from "./json-file.ts";
export { placesIn, positionOfPointer } from "./json-places.ts";
export type { Places } from "./places.ts";
export { valueAt } from "./pointer.ts";
export { documentPlaces, readDocumentFile, syntaxOf, type DocumentFile, type Syntax, type TextDocument } from "./document-file.ts";
export { MAX_YAML_BYTES, type DocumentProblem } from "./yaml-document.ts";
export { isRefusal, notRead, refusedRead } from "./not-read.ts";
export { MAX_FILE_BYTES, MAX_READ_ATTEMPTS, readStable, type ReadOptions, type StableBytes } from "./read-stable.ts";
export { READS_AT_ONCE, readMany, type ManyRead } from "./read-many.ts";
export {
  MAX_WALK_DEPTH,
  MAX_WALK_ENTRIES,
  walk,
  type Walk,
  type WalkedEntry,
  type WalkedPlace,
  type WalkOptions,
} from "./walk.ts";
export { collectJsonLines, type CollectedLines } from "./collect-json-lines.ts";
export type { LineDamage } from "./json-line.ts";
export type { DamagedLine, JsonLine, LineCounts, OnJsonLine } from "./line-tally.ts";
export { MAX_LINE_BYTES, scanJsonLines, type JsonLinesScan, type ScannedLines, type ScanOptions } from "./scan-json-lines.ts";
export { MAX_PROMPT_BYTES, promptFactsOf, readPrompt, type PromptFacts } from "./prompt.ts";
export type { FrontMatterProblem, KeyState } from "./front-matter.ts";
export { promptStateOf } from "./prompt-state.ts";
export { timedTree, type TimedTree } from "./timed-tree.ts";
