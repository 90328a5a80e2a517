/**
 * The separate reader: looks at a run that is over from outside, in the ledger, the artefact store, the process table and the pool of
 * slots, and asks the guards. It knows no fault, and no code of the supervisor wrote what it counts.
 */
import {
  type Finding,
  supervisionItemsTerminal,
  supervisionNoDescendantExecuting,
  supervisionNoOpenObligation,
  supervisionNothingHeld,
  supervisionOneTerminalRecord,
  supervisionWithinBudget,
} from "@casebook/guards";
import type { LedgerEntry, LedgerRow } from "@casebook/ports";
import { type AgentRow, CAUSES, type ItemRow, type LockRow, type ObligationRow, type RunRow, type SlotRow, TERMINAL_ITEM_STATUSES, type TerminalRecord } from "../judge/index.ts";

/** What stood in the world at one moment. */
export interface RunSnapshot {
  readonly atMs: number;
  /** Rows by table. */
  readonly tables: ReadonlyMap<string, readonly LedgerRow[]>;
  /** Addresses of everything in the store. */
  readonly artefacts: ReadonlySet<string>;
  readonly processes: readonly { readonly name: string; readonly status: string }[];
  readonly journal: readonly LedgerEntry[];
}

/** In the order of the article, and the sixth. */
export const INVARIANTS = [
  "supervision/one-terminal-record",
  "supervision/no-descendant-executing",
  "supervision/nothing-held",
  "supervision/no-open-obligation",
  "supervision/items-terminal",
  "supervision/within-budget",
] as const;

export function judgeRun(run: string, snapshot: RunSnapshot): readonly Finding[] {
  const all = <T>(table: string): readonly T[] => (snapshot.tables.get(table) ?? []) as unknown as readonly T[];
  const of = <T extends { readonly run: string | null }>(table: string): readonly T[] => all<T>(table).filter((row) => row.run === run);
  const items = of<ItemRow>("items");
  const obligations = of<ObligationRow>("obligations");
  const row = all<RunRow>("runs").find(({ id }) => id === run);
  // Its supervisor did not live to begin it: there is nothing that could have ended.
  if (row === undefined) return [];
  const own = new Set(of<AgentRow>("agents").map(({ process }) => process));
  const begun = snapshot.processes.filter(({ name, status }) => own.has(name) && status !== "waiting");
  const findings = [
    supervisionOneTerminalRecord({ run, records: recordsOf(run, snapshot), knownCauses: CAUSES }),
    supervisionNoDescendantExecuting({ run, begun: begun.length, executing: begun.filter(({ status }) => EXECUTING.includes(status)).map(({ name }) => name) }),
    supervisionNothingHeld({
      run,
      leases: items.filter(({ status }) => status === "claimed").map(({ name }) => name),
      locks: of<LockRow>("locks").map(({ id }) => id),
      slots: of<SlotRow>("slots").map(({ id }) => id),
      looked: { items: items.length, locks: all("locks").length, slots: all("slots").length },
    }),
    supervisionNoOpenObligation({ run, obligations: obligations.length, open: obligations.filter(({ status }) => status !== "closed") }),
    supervisionItemsTerminal({
      run,
      items: items.map(({ name, status, uri }) => ({ item: name, status, isTerminal: TERMINAL_ITEM_STATUSES.includes(status), hasArtefact: uri !== null && snapshot.artefacts.has(uri) })),
    }),
    supervisionWithinBudget({
      run,
      counters: [
        { counter: "agents", used: row.agents, limit: row.maxAgents },
        { counter: "tokens", used: row.tokens, limit: row.maxTokens },
        { counter: "toolCalls", used: row.toolCalls, limit: row.maxToolCalls },
      ],
    }),
  ];
  return findings.filter((finding) => finding !== undefined);
}

const EXECUTING: readonly string[] = ["running", "stopped", "restarting"];

export function recordsOf(run: string, { tables }: RunSnapshot): readonly TerminalRecord[] {
  return ((tables.get("records") ?? []) as unknown as readonly TerminalRecord[]).filter((record) => record.run === run);
}
