/** The judging half of the registry: pure, over bytes and values. */
export * from "./check-json.ts";
export * from "./document.ts";
export { judgeEncoding, type EncodingCode, type EncodingVerdict } from "./encoding.ts";
export type { Normalised } from "./entry.ts";
export type { EntryProblem, EntryProblemCode } from "./entry-problem.ts";
export { isTaskId, MAX_ID_LENGTH } from "./entry-schema.ts";
export * from "./file-problem.ts";
export { instantOf, isInstantMs, isInstantText, MAX_INSTANT_MS } from "./instant.ts";
export { failedReading, judgeDocument, judgeTaskFiles, TASK_FILE_SUFFIX, type TaskFile } from "./judge-registry.ts";
export * from "./look-up.ts";
export * from "./reading.ts";
export * from "./join-stores.ts";
export type { JsonFailure } from "./json-tokens.ts";
export { MAX_ENTRIES, type DocumentShape, type RegistryShape, type ShapeCode } from "./shape.ts";
export * from "./task.ts";
export type { Position } from "./text.ts";
