/** The judging half of the registry: pure, over bytes and values. */
export * from "./check-json.ts";
export {
  type JsonDocument,
  type JsonObject,
  type JsonValue,
  parseDocument,
  type UnreadableDocument,
  valueOfDocument,
} from "./document.ts";
export type { Normalised } from "./entry.ts";
export {
  type EntryProblem,
  type EntryProblemCode,
  instantOf,
  isInstantMs,
  isInstantText,
  isTaskId,
  MAX_ID_LENGTH,
  MAX_INSTANT_MS,
} from "./entry-rules.ts";
export type { JsonFailure } from "./json-tokens.ts";
export { failedReading, judgeDocument, judgeTaskFiles, TASK_FILE_SUFFIX, type TaskFile } from "./judge-registry.ts";
export * from "./look-up.ts";
export * from "./reading.ts";
export { MAX_ENTRIES, type DocumentShape, type RegistryShape, type ShapeCode } from "./shape.ts";
export type * from "./task.ts";
export { type EncodingCode, type EncodingVerdict, judgeEncoding, type Position } from "./text.ts";
