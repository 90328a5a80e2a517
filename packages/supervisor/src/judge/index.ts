/** The pure half: what rows and records mean. */
export { CAUSE_OF_COUNTER, type Cause, CAUSES, type Counter, COUNTERS, type RunState, stateOf, TERMINAL_STATES, type TerminalState } from "../rules/index.ts";
export { type Classification, classify, type RunPicture, UNCLASSIFIED } from "./classify.ts";
export { journalText, type ReadJournal, readJournal, replayJournal } from "./journal.ts";
export * from "./rows.ts";
export { describeRecord, type RecordInWords } from "./describe-record.ts";
export { type ReadRecord, readTerminalRecord, RECORD_VERSION, type TerminalRecord, terminalRecord, terminalRecordSchema } from "./terminal-record.ts";
export { waitCycle, type WaitEdge, waitEdges } from "./wait-graph.ts";
