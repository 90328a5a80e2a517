/** The judging half of the receipt reader: bytes in, records and the health of the reading out. */
export type { DamagedLine, DamageReport } from "./damage-tally.ts";
export { MAX_DAMAGED_LISTED } from "./damage-tally.ts";
export { type Diagnosis, diagnose, DIAGNOSES } from "./diagnosis.ts";
export { fingerprint } from "./fingerprint.ts";
export { type DamageOfLine, type JudgedLine, judgeLine, LINE_DAMAGES, type LineDamage } from "./judge-line.ts";
export { MAX_KEYS_FOLLOWED } from "./key-book.ts";
export { type FoundReceipt, type KeyHealth, type KeyReading, mayHide, type Searched, type Unread } from "./key-reading.ts";
export { createBackwardReader, createForwardReader, directionOf, type KeyReader, readKey, type ReadKeyOptions } from "./read-key.ts";
export { type ReaderPolicies, REFERENCE_READER } from "./reader-policies.ts";
export { isKey, type LogRecord, MAX_KEY_LENGTH, parseRecord, type Receipt, RECEIPT_SCHEMA, type ReceiptState, type Tombstone } from "./receipt.ts";
export { type LinePlace, type LineSplitter, MAX_LINE_BYTES, type OnLine, splitBackward, splitForward, type SplitOptions } from "./split-lines.ts";
export { createSurvey, type KeySummary, type LogSurvey, type SequenceSummary, surveyLog, type SurveyReader } from "./survey.ts";
export { decodeUtf8, encodeUtf8 } from "./text.ts";
