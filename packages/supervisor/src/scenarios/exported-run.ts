/**
 * The export of a ledger as the doctor reads it, of a model that keeps less of a run than a supervisor does: one run, and its items as
 * they stand, in one transition. What such a model leaves out, nobody owes and nobody waits for.
 */
import type { LedgerRow } from "@casebook/ports";
import { type ItemRow, journalText, type RunRow } from "../judge/index.ts";

export interface ExportedRun {
  readonly beganAtMs: number;
  /** When it is exported; the run goes on. */
  readonly atMs: number;
  readonly deadlineAtMs: number;
  readonly items: readonly Pick<ItemRow, "name" | "status" | "owner" | "epoch" | "claimedAtMs" | "expiresAtMs" | "uri">[];
}

export function exportedRun({ beganAtMs, atMs, deadlineAtMs, items }: ExportedRun): string {
  const run = "run-1";
  const done = items.filter(({ status }) => status === "done").length;
  const row: RunRow = {
    ...{ id: run, state: "running", cause: null, begunBy: "supervision", supervisor: "supervisor", startedAtMs: beganAtMs, deadlineAtMs, isSettled: false },
    ...{ itemsTotal: items.length, itemsDone: done, itemsFailed: 0, obligationsOpen: 0, agents: 1, tokens: 0, toolCalls: 0, maxAgents: 12, maxTokens: 1, maxToolCalls: 1 },
  };
  const rows = items.map((item, position): ItemRow => ({ ...item, id: `${run}/${item.name}`, run, position, chargedEpoch: 0, needs: [], locks: [], toolMs: 0, tokens: 0 }));
  const change = (table: string) => (one: object) => {
    const { id, ...set } = one as LedgerRow;
    return { table, id, set };
  };
  return journalText([{ seq: 1, atMs, by: "supervisor", reason: "exported", outcome: "applied", changes: [change("runs")(row), ...rows.map(change("items"))] }]);
}
