/**
 * Reads a ledger from the files of a tree: numbered folders with one `record.json` each. What cannot be read is named; a gap, or a
 * record of which not even the task can be read, means that nobody knows what was decided, and then nothing may be started.
 */
import { type DispatchState, EMPTY_STATE, withRecord, withUnsupported } from "./fold.ts";
import { LEDGER } from "./lifecycle.ts";
import type { TreeFile } from "./read-lifecycle.ts";
import { type LedgerRecord, readRecord } from "./record.ts";

export interface LedgerProblem {
  readonly code: "LEDGER_GAP" | "RECORD_CORRUPT" | "RECORD_UNSUPPORTED";
  readonly seq: number;
  /** The only one concerned; undefined: all. */
  readonly task: string | undefined;
  readonly says: string;
}

export interface LedgerReading {
  readonly state: DispatchState;
  /** As far as they could be read, with their numbers. */
  readonly records: readonly { readonly seq: number; readonly record: LedgerRecord }[];
  readonly problems: readonly LedgerProblem[];
}

export const RECORD_FILE = "record.json";

export function recordFolder(seq: number): string {
  return String(seq).padStart(8, "0");
}

/** The order of the files does not matter. */
export function readLedger(files: readonly TreeFile[]): LedgerReading {
  const bySeq = new Map<number, Uint8Array>();
  for (const { path, bytes } of files) {
    const [, seq] = new RegExp(`^${LEDGER}/(\\d{8})/${RECORD_FILE}$`).exec(path) ?? [];
    if (seq !== undefined) bySeq.set(Number(seq), bytes);
  }
  const last = Math.max(0, ...bySeq.keys());
  let state = EMPTY_STATE;
  const records: { seq: number; record: LedgerRecord }[] = [];
  const problems: LedgerProblem[] = [];
  for (let seq = 1; seq <= last; seq += 1) {
    const bytes = bySeq.get(seq);
    const step = bytes === undefined ? gapAt(state, seq, last) : withBytes(state, seq, bytes);
    state = step.state;
    if (step.record !== undefined) records.push({ seq, record: step.record });
    if (step.problem !== undefined) problems.push(step.problem);
  }
  return { state, records, problems };
}

export interface LedgerStep {
  readonly state: DispatchState;
  readonly record: LedgerRecord | undefined;
  readonly problem: LedgerProblem | undefined;
}

/** One record more. */
export function withBytes(state: DispatchState, seq: number, bytes: Uint8Array): LedgerStep {
  const read = readRecord(bytes);
  if (read.outcome === "record") return { state: withRecord(state, read.record), record: read.record, problem: undefined };
  const { code, task, says } = read;
  const after = task === undefined ? { ...state, seq } : withUnsupported(state, task, says);
  return { state: after, record: undefined, problem: { code, seq, task, says } };
}

function gapAt(state: DispatchState, seq: number, last: number): LedgerStep {
  const says = `record ${seq} is missing, and ${last} is there`;
  return { state: { ...state, seq }, record: undefined, problem: { code: "LEDGER_GAP", seq, task: undefined, says } };
}
