/**
 * The journal of a ledger as JSONL: one transition a line, in order. Enough to rebuild every row that a run changed; rows that were there
 * before the first transition and were never changed are not in it.
 */
import type { LedgerEntry, LedgerFields, LedgerRow } from "@casebook/ports";
import { z } from "zod";

const fields = z.record(z.string(), z.json());

const line = z.object({
  seq: z.int().min(1),
  atMs: z.int(),
  by: z.string(),
  reason: z.string(),
  outcome: z.enum(["applied", "refused"]),
  changes: z.array(z.object({ table: z.string(), id: z.string(), set: fields })),
  why: z.string().optional(),
});

export function journalText(entries: readonly LedgerEntry[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
}

export interface ReadJournal {
  readonly entries: readonly LedgerEntry[];
  /** Lines that are no transition, from 1, with the reason; the entries around them are kept. */
  readonly damaged: readonly { readonly line: number; readonly says: string }[];
  /** Sequence numbers that are missing between the first and the last. */
  readonly missing: number;
}

export function readJournal(text: string): ReadJournal {
  const bySeq = new Map<number, LedgerEntry>();
  const damaged: { line: number; says: string }[] = [];
  for (const [at, one] of text.split("\n").entries()) {
    if (one.trim() === "") continue;
    const read = parsed(one);
    if (typeof read === "string") damaged.push({ line: at + 1, says: read });
    else if (!bySeq.has(read.seq)) bySeq.set(read.seq, read);
    // The same line twice is one transition: played again it would undo what came behind it.
    else if (JSON.stringify(bySeq.get(read.seq)) !== JSON.stringify(read)) damaged.push({ line: at + 1, says: `seq: ${read.seq} is another transition further up` });
  }
  // Exports are merged and cut with tools that do not keep the order of lines; the numbers do.
  const entries = [...bySeq.values()].sort((one, two) => one.seq - two.seq);
  const [first, last] = [entries[0]?.seq ?? 1, entries.at(-1)?.seq ?? 0];
  return { entries, damaged, missing: last - first + 1 - entries.length };
}

function parsed(text: string): LedgerEntry | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "not JSON";
  }
  const read = line.safeParse(value);
  if (read.success) return read.data as LedgerEntry;
  const issue = read.error.issues[0];
  return `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "no transition"}`;
}

/** The rows as the applied transitions left them, by table and id. */
export function replayJournal(entries: readonly LedgerEntry[]): ReadonlyMap<string, ReadonlyMap<string, LedgerRow>> {
  const tables = new Map<string, Map<string, LedgerRow>>();
  for (const { outcome, changes } of entries) {
    if (outcome === "refused") continue;
    for (const { table, id, set } of changes) {
      const rows = tables.get(table) ?? new Map<string, LedgerRow>();
      const row: LedgerFields = { ...rows.get(id), ...set };
      tables.set(table, rows.set(id, { ...row, id }));
    }
  }
  return tables;
}
