/** The kit on Node: finds the runner, and speaks with programs in other languages. */
export type { Program } from "./json-lines/child.ts";
export { ASKS } from "./json-lines/protocol.ts";
export { PROGRAM_SHARE, replayProgramConformance, runProgramConformance } from "./json-lines/run-program.ts";
export { type ConformanceOptions, replayConformance, runConformance } from "./run-conformance.ts";
export { replayReceiptConformance, runReceiptConformance } from "./run-receipts.ts";
export { replaySupervisorConformance, runSupervisorConformance } from "./run-supervision.ts";
