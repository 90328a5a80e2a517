/** The rules of the ledger port as a pure function over tables in memory: what every implementation has to answer. */
import type { LedgerChange, LedgerFields, LedgerRow, LedgerValue, TransitionAnswer } from "../ledger.ts";

/** Rows by table and id. Rows are never changed, only replaced, so a copy of the maps is a snapshot. */
export type LedgerTables = Map<string, Map<string, LedgerRow>>;

export function copyTables(tables: LedgerTables): LedgerTables {
  return new Map([...tables].map(([name, rows]) => [name, new Map(rows)]));
}

export function readRow(tables: LedgerTables, table: string, id: string): LedgerRow | undefined {
  return tables.get(table)?.get(id);
}

/** Sorted by id, by code units. */
export function listRows(tables: LedgerTables, table: string, where: LedgerFields = {}): readonly LedgerRow[] {
  return [...(tables.get(table)?.values() ?? [])].filter((row) => differing(row, where) === undefined).sort((one, two) => (one.id < two.id ? -1 : 1));
}

/** Changes `tables` by all of the changes or by none. */
export function applyTransition(tables: LedgerTables, changes: readonly LedgerChange[]): TransitionAnswer {
  const fresh: LedgerRow[] = [];
  for (const [at, change] of changes.entries()) {
    // A row that stands twice in one transition is judged by what the transition made of it so far.
    const earlier = fresh.findLast((row, position) => row.id === change.id && changes[position]?.table === change.table);
    const row = earlier ?? readRow(tables, change.table, change.id);
    const refused = refusalOf(row, change);
    if (refused !== undefined) return { outcome: "refused", at, ...refused, row };
    const next = nextRow(row, change);
    const over = Object.entries(change.atMost ?? {}).find(([field, limit]) => numberOf(next[field]) > limit);
    if (over !== undefined) return { outcome: "refused", at, why: "over", field: over[0], row };
    fresh.push(next);
  }
  for (const [at, { table, id }] of changes.entries()) {
    const rows = tables.get(table) ?? new Map<string, LedgerRow>();
    tables.set(table, rows.set(id, fresh[at] as LedgerRow));
  }
  return { outcome: "applied", rows: fresh };
}

function refusalOf(row: LedgerRow | undefined, { when }: LedgerChange): { why: "present" | "absent" | "differs"; field: string | undefined } | undefined {
  if (when === "any") return undefined;
  if (when === "absent") return row === undefined ? undefined : { why: "present", field: undefined };
  if (row === undefined) return { why: "absent", field: undefined };
  const field = differing(row, when);
  return field === undefined ? undefined : { why: "differs", field };
}

function nextRow(row: LedgerRow | undefined, { id, set = {}, add = {} }: LedgerChange): LedgerRow {
  const added = Object.fromEntries(Object.entries(add).map(([field, by]) => [field, numberOf(row?.[field]) + by]));
  return { ...row, ...set, ...added, id };
}

function numberOf(value: LedgerValue | undefined): number {
  return typeof value === "number" ? value : 0;
}

function differing(row: LedgerRow, fields: LedgerFields): string | undefined {
  // A field that the row does not have is null, as a column without a value is.
  return Object.keys(fields).find((field) => !isEqual(row[field] ?? null, fields[field] ?? null));
}

function isEqual(one: LedgerValue, two: LedgerValue): boolean {
  return one === two || (typeof one === "object" && typeof two === "object" && JSON.stringify(one) === JSON.stringify(two));
}
