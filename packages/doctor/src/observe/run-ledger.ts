/**
 * Reads the export of a supervisor's ledger, one transition a line, and adds it up to rows. A line that is no transition, a number that
 * is missing, and a beginning that is not there mean that a row may be older than it looks: then nothing is concluded from what it has not.
 */
import { decodeText } from "@casebook/dispatcher/judge";
import { readJournal, replayJournal } from "@casebook/supervisor/judge";
import type { NotRead, RunLedgerObservation } from "../observation.ts";
import { notRead, readStable, type ReadOptions } from "../read/index.ts";
import type { Tree } from "../tree.ts";

const MAX_LEDGER_BYTES = 64 * 1024 * 1024;

export interface RunLedgerReading {
  readonly observation: RunLedgerObservation | undefined;
  readonly notRead: readonly NotRead[];
}

export async function readRunLedger(tree: Tree, path: string, graceMs: number, nowMs: number, options: ReadOptions): Promise<RunLedgerReading> {
  const read = await readStable(tree, path, { ...options, maxBytes: MAX_LEDGER_BYTES });
  if (read.outcome === "not-read") return { observation: undefined, notRead: [read.notRead] };
  const text = decodeText(read.bytes);
  const nothing = (reason: "missing-input" | "unsupported", message: string): RunLedgerReading => ({ observation: undefined, notRead: [notRead(path, reason, message)] });
  if (text === undefined) return nothing("unsupported", `${path} is not UTF-8, or was cut inside a character`);
  if (text.trim() === "") return nothing("missing-input", `${path} is empty: that is no ledger in which no run is wrong`);
  const { entries, damaged, missing } = readJournal(text);
  if (entries.length === 0) return nothing("unsupported", `none of the ${damaged.length} lines of ${path} is a transition in the shape that is known`);
  const first = entries.reduce((least, { seq }) => Math.min(least, seq), Number.POSITIVE_INFINITY);
  const lines = text.split("\n").length;
  const [torn] = damaged;
  const isTail = damaged.length === 1 && torn?.line === lines && nowMs - read.stat.modifiedAtMs < graceMs;
  const faults: NotRead[] = [
    ...(torn === undefined ? [] : [notRead(path, isTail ? "unstable-input" : "unsupported", `${noTransitions(path, damaged.length, torn.line)}${isTail ? ": its writer may be at work; run again" : ""}`, "LEDGER_DAMAGED")]),
    ...(missing === 0 ? [] : [notRead(path, "missing-input", `${missing} transitions of ${path} are missing between others`, "LEDGER_GAP")]),
    ...(first <= 1 ? [] : [notRead(path, "missing-input", `${path} begins with transition ${first}: what came before is not in it`, "LEDGER_BEGINS_LATE")]),
  ];
  const observation: RunLedgerObservation = { kind: "run-ledger", path, graceMs, transitions: entries.length, tables: replayJournal(entries), isWhole: faults.length === 0 };
  return { observation, notRead: faults };
}

function noTransitions(path: string, count: number, first: number): string {
  return count === 1 ? `line ${first} of ${path} is no transition` : `${count} lines of ${path} are no transitions, the first is ${first}`;
}
