/** The ledger of a world: the rules of the port over tables in memory, behind a service, with the journal of every transition. */
import type { Ledger, LedgerChange, LedgerEntry, LedgerFields, LedgerRow, TransitionAnswer } from "@casebook/ports";
import { applyTransition, copyTables, type LedgerTables, listRows, readRow } from "@casebook/ports/ledger-tables";
import type { Execution } from "./execution.ts";
import { plainCopy } from "./plain.ts";
import type { ProcessState } from "./process-state.ts";
import { callService, type ServiceState } from "./service.ts";

export class LedgerState {
  readonly service: ServiceState;
  readonly tables: LedgerTables = new Map();
  readonly journal: LedgerEntry[] = [];
  /** What reads are answered from while they are stale. */
  #picture: LedgerTables | undefined = undefined;

  constructor(service: ServiceState) {
    this.service = service;
    service.onStale = (isStale) => void (this.#picture = isStale ? copyTables(this.tables) : undefined);
  }

  get readable(): LedgerTables {
    return this.#picture ?? this.tables;
  }
}

export function ledgerPort(execution: Execution, process: ProcessState, life: number, state: LedgerState): Ledger {
  const { service } = state;
  return {
    read(table, id) {
      return callService(execution, process, life, service, {
        call: "read",
        object: `${table}/${id}`,
        access: "read",
        work: () => readRow(state.readable, table, id),
        describe: (row: LedgerRow | undefined) => (row === undefined ? "none" : "1 row"),
      });
    },
    list(table, where) {
      return callService(execution, process, life, service, {
        call: "list",
        object: table,
        access: "read",
        work: () => listRows(state.readable, table, where),
        describe: (rows: readonly LedgerRow[]) => `${rows.length} rows`,
      });
    },
    transition(reason, changes) {
      const copy = plainCopy(changes) as readonly LedgerChange[];
      return callService(execution, process, life, service, {
        call: "transition",
        object: reason,
        access: "write",
        work: () => applyAndKeep(execution, process, state, reason, copy),
        describe: (answer: TransitionAnswer) => (answer.outcome === "applied" ? "applied" : `refused: ${whyText(answer)}`),
      });
    },
  };
}

function applyAndKeep(execution: Execution, process: ProcessState, state: LedgerState, reason: string, changes: readonly LedgerChange[]): TransitionAnswer {
  const answer = applyTransition(state.tables, changes);
  const setOf = ({ set = {}, add = {} }: LedgerChange, at: number): LedgerFields => {
    if (answer.outcome === "refused") return { ...set, ...add };
    return { ...set, ...Object.fromEntries(Object.keys(add).map((field) => [field, answer.rows[at]?.[field] ?? null])) };
  };
  state.journal.push({
    seq: state.journal.length + 1,
    atMs: execution.nowMs(),
    by: process.name,
    reason,
    outcome: answer.outcome,
    changes: changes.map((change, at) => ({ table: change.table, id: change.id, set: setOf(change, at) })),
    ...(answer.outcome === "refused" ? { why: whyText(answer) } : {}),
  });
  return answer;
}

function whyText({ why, field }: TransitionAnswer & { outcome: "refused" }): string {
  return field === undefined ? why : `${why} ${field}`;
}
