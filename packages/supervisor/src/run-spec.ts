/** The transition that begins a run, and the run that goes on where another one stopped. */
import type { LedgerChange } from "@casebook/ports";
import type { TerminalRecord } from "./judge/index.ts";
import type { RunSpec } from "./rules/index.ts";

export { type AgentSpec, type BudgetSpec, DEFAULT_BUDGET, type ItemSpec, type RunSpec } from "./rules/index.ts";

/** Idempotent: applied once, and refused with `present` when it is tried again. */
export function beginChanges({ id, items, budget, done = [] }: RunSpec, by: { readonly supervision: string; readonly process: string }, nowMs: number): readonly LedgerChange[] {
  const uriOf = (name: string): string | undefined => done.find(({ item }) => item === name)?.uri;
  const open = items.filter(({ name }) => uriOf(name) === undefined);
  return [
    {
      table: "runs",
      id,
      when: "absent",
      set: {
        state: "running",
        cause: null,
        begunBy: by.supervision,
        supervisor: by.process,
        startedAtMs: nowMs,
        deadlineAtMs: nowMs + budget.wallClockMs,
        itemsTotal: items.length,
        itemsDone: items.length - open.length,
        itemsFailed: 0,
        obligationsOpen: open.length,
        agents: 0,
        tokens: 0,
        toolCalls: 0,
        maxAgents: budget.agents,
        maxTokens: budget.tokens,
        maxToolCalls: budget.toolCalls,
        isSettled: false,
      },
    },
    ...items.map(({ name, needs = [], locks = [], toolMs, tokens = 10 }, position): LedgerChange => {
      const uri = uriOf(name) ?? null;
      const set = { run: id, name, position, status: uri === null ? "open" : "done", needs: needs.map((need) => itemId(id, need)), locks, toolMs, tokens, owner: null, epoch: 0, chargedEpoch: 0, claimedAtMs: 0, expiresAtMs: 0, uri };
      return { table: "items", id: itemId(id, name), when: "absent", set };
    }),
    ...open.map(({ name }): LedgerChange => ({ table: "obligations", id: obligationId(id, name), when: "absent", set: { run: id, debtor: name, creditor: "supervisor", kind: "item", status: "open", why: null } })),
  ];
}

/** The run that goes on where a record says that another one stopped. Failed for good stays failed: it is left out. */
export function resumedSpec(earlier: RunSpec, record: TerminalRecord, id: string): RunSpec {
  const failed = new Set(record.failed.map(({ item }) => item));
  return { ...earlier, id, items: earlier.items.filter(({ name }) => !failed.has(name)), done: record.done };
}

export function itemId(run: string, name: string): string {
  return `${run}/${name}`;
}

export function obligationId(run: string, debtor: string): string {
  return `${run}/${debtor}`;
}
