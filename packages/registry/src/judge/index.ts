/** The judging half of the registry: pure, over bytes and values. */
export * from "./check-json.ts";
export {
  type JsonDocument,
  type JsonKind,
  type JsonObject,
  type JsonValue,
  kindAt,
  type Member,
  membersOf,
  parseDocument,
  type Range,
  resolvePointer,
  rootRange,
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
export { escapePointerToken, type JsonFailure, unescapePointerToken } from "./json-tokens.ts";
export { failedReading, judgeDocument, judgeTaskFiles, TASK_FILE_SUFFIX, type TaskFile } from "./judge-registry.ts";
export * from "./join-stores.ts";
export * from "./look-up.ts";
export * from "./reading.ts";
export { MAX_ENTRIES, type DocumentShape, type RegistryShape, type ShapeCode } from "./shape.ts";
export type * from "./task.ts";
export {
  createPositions,
  decodeUtf8,
  type EncodingCode,
  type EncodingVerdict,
  firstInvalidUtf8,
  judgeEncoding,
  type Position,
  positionAt,
  shown,
} from "./text.ts";
