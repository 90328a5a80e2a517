/** The doctor: bytes and values in, findings out. Nothing here touches a disk; see `/node`. */
export type * from "./doctor-report.ts";
export { ADVICE, type Advice } from "./examine/advice.ts";
export { graceOf, MAX_SLOTS_A_TASK } from "./examine/due-slots.ts";
export { examine, type ExamineOptions } from "./examine/examine.ts";
export { GUARD_IDS } from "./examine/guard-ids.ts";
export type * from "./observation.ts";
export * from "./observe/index.ts";
export type * from "./preset.ts";
export * from "./presets/index.ts";
export { MAX_LINE_BYTES, MAX_PROMPT_BYTES, MAX_READ_ATTEMPTS, MAX_YAML_BYTES } from "./read/index.ts";
export { writeHuman } from "./report/human.ts";
export { writeReportJson } from "./report/json.ts";
export { writeOpenMetrics } from "./report/openmetrics.ts";
export { shellWord } from "./report/shell-word.ts";
export { redact, type Redaction, visible } from "./report/redact.ts";
export * from "./self-test/index.ts";
export type * from "./tree.ts";
export * from "./trees/index.ts";
