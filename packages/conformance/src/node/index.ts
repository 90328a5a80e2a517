/** The kit on Node: finds the runner, and speaks with programs in other languages. */
export type { Program } from "./json-lines/child.ts";
export { ASKS, RECEIPT_ASKS } from "./json-lines/asks.ts";
export { PROGRAM_SHARE, replayProgramConformance, replayReceiptProgramConformance, runProgramConformance, runReceiptProgramConformance } from "./json-lines/run-program.ts";
export { type ConformanceOptions, replayConformance, runConformance } from "./run-conformance.ts";
export { replayReceiptConformance, runReceiptConformance } from "./run-receipts.ts";
export { replaySupervisorConformance, runSupervisorConformance } from "./run-supervision.ts";
