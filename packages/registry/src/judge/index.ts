/** The judging half of the registry: pure, over bytes and values. */
export { checkJson, MAX_DUPLICATE_KEYS, MAX_JSON_DEPTH, type DuplicateKey, type JsonCheck, type JsonFailure } from "./check-json.ts";
export * from "./document.ts";
export { judgeEncoding, type EncodingCode, type EncodingVerdict } from "./encoding.ts";
export type { EntryProblem, EntryProblemCode, Normalised } from "./entry.ts";
export { isTaskId, MAX_ID_LENGTH } from "./entry-schema.ts";
export * from "./file-problem.ts";
export { instantOf, isInstantMs, isInstantText, MAX_INSTANT_MS } from "./instant.ts";
export { failedReading, judgeDocument, judgeTaskFiles, TASK_FILE_SUFFIX, type TaskFile } from "./judge-registry.ts";
export * from "./look-up.ts";
export * from "./reading.ts";
export type { DocumentShape, RegistryShape, ShapeCode } from "./shape.ts";
export * from "./task.ts";
export type { Position } from "./text.ts";
