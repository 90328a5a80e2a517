/** Our own supervisor behind the adapter, with any of its policies; and a wrapper around any adapter. */
import { type LedgerChange, withinDeadline } from "@casebook/ports";
import { type AgentSpec, cancelRun, DEFAULT_SETTINGS, REFERENCE_POLICIES, runAgent, type RunSpec, succeedRun, superviseRun, type SupervisorPolicies, type SupervisorPorts, type SupervisorSettings } from "@casebook/supervisor";
import type { ItemRow, LockRow, ObligationRow, RunRow, SlotRow, TerminalRecord } from "@casebook/supervisor/judge";
import { locksOf } from "@casebook/supervisor/rules";
import { type LedgerPicture, type RunAccount, type RunToSupervise, SUPERVISOR_CAPABILITIES, type SupervisorAdapter, type SupervisorAdapterPorts, type SupervisorCapability } from "../index.ts";

export function reference(policies: SupervisorPolicies = REFERENCE_POLICIES, name = "reference"): SupervisorAdapter {
  return {
    name,
    version: "0.1.0",
    capabilities: Object.keys(SUPERVISOR_CAPABILITIES) as SupervisorCapability[],
    create(given) {
      const ports: SupervisorPorts = { ...given, self: { process: given.name, life: 1 } };
      const settingsOf = (run: RunToSupervise): SupervisorSettings => ({ ...DEFAULT_SETTINGS, policies, toolMs: run.toolLimitMs, spawnTokens: run.spawnTokens });
      return {
        async supervise(run) {
          await makeRows(given, run);
          await superviseRun(ports, settingsOf(run), specOf(run, given.clock.now()));
        },
        work: (run) => runAgent(ports, settingsOf(run), agentsByName(run.agents)),
        async cancel(run) {
          const row = (await given.ledger.read("runs", run.id)) as RunRow | undefined;
          if (row !== undefined) await cancelRun(ports, settingsOf(run), row, { kind: "operator" }, []);
        },
        succeed: (run) => succeedRun(ports, settingsOf(run), run),
      };
    },
    read,
  };
}

/** The pool of slots and the locks: in production they are there before any run. Tried again where an answer is lost. */
async function makeRows({ ledger, clock }: SupervisorAdapterPorts, run: RunToSupervise): Promise<void> {
  const slots = run.places.map((id): LedgerChange => ({ table: "slots", id, when: "absent", set: { run: null, agent: null, owner: null, isLost: false } }));
  const locks = locksOf(run).map((id): LedgerChange => ({ table: "locks", id, when: "absent", set: { run: null, holder: null } }));
  for (let tries = 0; tries < 3; tries += 1) {
    const made = await withinDeadline(clock, 5_000, ledger.transition("world.made", [...slots, ...locks]));
    if (made.outcome === "done") return;
  }
}

/** How long a tool works is not known to whoever supervises it. */
function specOf({ id, items, agents, budget, deadlineAtMs }: RunToSupervise, nowMs: number): RunSpec {
  return { id, agents, items: items.map((item) => ({ ...item, toolMs: 0 })), budget: { ...budget, wallClockMs: deadlineAtMs - nowMs } };
}

function agentsByName(agents: readonly AgentSpec[]): ReadonlyMap<string, AgentSpec> {
  return new Map(agents.flatMap((agent) => [[agent.name, agent] as const, ...agentsByName(agent.children ?? [])]));
}

function read(ledger: LedgerPicture, { id }: RunToSupervise): RunAccount {
  const rows = <T>(table: string): readonly T[] => (ledger.get(table) ?? []) as unknown as readonly T[];
  const of = <T extends { readonly run: string | null }>(table: string): readonly T[] => rows<T>(table).filter(({ run }) => run === id);
  const items = of<ItemRow>("items");
  const names = (list: readonly { readonly item: string }[]): string[] => list.map(({ item }) => item);
  return {
    state: rows<RunRow>("runs").find((row) => row.id === id)?.state ?? "none",
    records: of<TerminalRecord>("records").map(({ state, cause, cycle, done, failed, notFinished }) => ({ state, cause, participants: cycle, done: names(done), failed: names(failed), notFinished: names(notFinished) })),
    held: [
      ...items.filter(({ status }) => status === "claimed").map(({ name }) => ({ kind: "lease" as const, name })),
      ...of<LockRow>("locks").map((row) => ({ kind: "lock" as const, name: row.id })),
      ...of<SlotRow>("slots").map((row) => ({ kind: "slot" as const, name: row.id })),
    ],
    owed: of<ObligationRow>("obligations").filter(({ status }) => status === "open").map(({ debtor, creditor }) => ({ debtor, creditor })),
    items: items.map(({ name, status, uri }) => ({ name, status, ...(uri === null ? {} : { artefact: uri }) })),
  };
}

/** The same behind a wrapper that only passes on. */
export function wrapped(adapter: SupervisorAdapter): SupervisorAdapter {
  return {
    ...adapter,
    async create(ports) {
      const { supervise, work, cancel, succeed } = await adapter.create({ ...ports });
      return { supervise: async (run) => supervise(run), work: async (run) => work(run), cancel: async (run) => cancel?.(run), succeed: async (run) => succeed?.(run) };
    },
    read: (ledger, run) => ({ ...adapter.read(ledger, run) }),
  };
}
