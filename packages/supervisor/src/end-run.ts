/**
 * Writes the end of a run, exactly once: the state and its record in one transition that holds only while the run runs. Who loses learns
 * so and writes nothing. Then what the run held is given back, by whoever comes by first.
 */
import type { LedgerChange, LedgerFields } from "@casebook/ports";
import { persist } from "./bounded.ts";
import { type AgentRow, type Cause, type Classification, type Counter, type ItemRow, type LockRow, type ObligationRow, RECORD_VERSION, type RunRow, type SlotRow, stateOf, type TerminalRecord, TERMINAL_ITEM_STATUSES, type WaitRow } from "./judge/index.ts";
import { POINTS } from "./points.ts";
import type { SupervisorPorts } from "./supervisor-ports.ts";
import type { SupervisorSettings } from "./settings.ts";

export interface RunEnd extends Omit<Classification, "cause"> {
  readonly cause: Cause;
  readonly counter: Counter | null;
  /** Address of the rows as they stood. */
  readonly trace: string | null;
}

/** `written`: by this call. `lost`: the run had ended already. `not-written`: the ledger did not answer as long as there was patience. */
export type EndOutcome = "written" | "lost" | "not-written";

export async function endRun(ports: SupervisorPorts, settings: SupervisorSettings, run: RunRow, end: RunEnd): Promise<EndOutcome> {
  const recordId = ports.ids.next("record");
  const written = await persist(ports, { callMs: settings.recordMs, longestCallMs: settings.longestRecordMs, untilMs: ports.clock.now() + settings.patienceMs }, () => writeOnce(ports, settings, run.id, recordId, end));
  if (written === undefined) return "not-written";
  if (written === "written") {
    ports.log.write("info", "supervisor.record-written", { run: run.id, cause: end.cause });
    await ports.faults.reach(POINTS.afterRecord);
  }
  await settleRun(ports, settings, run);
  return written;
}

/** Throws when somebody finished an item between the reading and the writing: what is tried again reads again. */
async function writeOnce(ports: SupervisorPorts, { policies }: SupervisorSettings, run: string, recordId: string, end: RunEnd): Promise<"written" | "lost"> {
  const { ledger } = ports;
  const row = (await ledger.read("runs", run)) as RunRow | undefined;
  if (row === undefined) throw notSeen();
  const isBlind = policies.recordWrite === "completion-without-predicate" && end.cause === "completed";
  if (row.state !== "running" && !isBlind) {
    // An earlier try may have been carried out although its answer was lost.
    const records = await ledger.list("records", { run });
    return records.some(({ id }) => id === recordId) ? "written" : "lost";
  }
  const items = (await ledger.list("items", { run })) as unknown as readonly ItemRow[];
  const record = recordOf(ports, recordId, row, items, end);
  const { state, cause } = record;
  // What the record counts has to be what the run counts when it is written: the row may have been read from before.
  const { itemsDone, itemsFailed } = row;
  const when = isBlind ? {} : { state: "running", itemsDone, itemsFailed, ...record.used };
  const answer = await ledger.transition("run.ended", [
    { table: "runs", id: run, when, set: { state, cause } },
    { table: "records", id: recordId, when: "absent", set: record as unknown as LedgerFields },
  ]);
  if (answer.outcome === "applied") return "written";
  if (answer.at === 0 && answer.field === "state") return "lost";
  if (answer.at === 1) return "written";
  throw Object.assign(new Error("RUN_MOVED"), { code: "RUN_MOVED" });
}

/** Who ends a run knows that it was begun: the answer is from before. */
function notSeen(): Error {
  return Object.assign(new Error("RUN_NOT_SEEN"), { code: "RUN_NOT_SEEN" });
}

function recordOf({ clock, self }: SupervisorPorts, id: string, run: RunRow, items: readonly ItemRow[], end: RunEnd): TerminalRecord {
  const done = items.filter(({ status }) => status === "done");
  const failed = items.filter(({ status }) => status === "failed");
  const rest = items.filter(({ status }) => status !== "done" && status !== "failed");
  return {
    recordVersion: RECORD_VERSION,
    id,
    run: run.id,
    state: stateOf(end.cause),
    cause: end.cause,
    writtenBy: self.process,
    atMs: clock.now(),
    startedAtMs: run.startedAtMs,
    exhaustedCounter: end.counter,
    stuckAgent: end.stuckAgent,
    stuckItem: end.stuckItem,
    cycle: [...end.cycle],
    trace: end.trace,
    done: done.map(({ name, uri }) => ({ item: name, uri: uri ?? "" })),
    failed: failed.map(({ name }) => ({ item: name })),
    notFinished: rest.map(({ name, epoch }) => ({ item: name, attempts: epoch })),
    used: { tokens: run.tokens, toolCalls: run.toolCalls, agents: run.agents },
  };
}

/** In how many rounds what is left is given back: a round is refused when somebody changed a row meanwhile, which only a few can. */
const MAX_ROUNDS = 20;
/** Rounds without a pause; who is refused more often reads what is not true any more. */
const QUICK_ROUNDS = 3;
const ROUND_PAUSE_MS = 5_000;

/** Gives back what a run holds that has ended. Anybody may call it, as often as they like. */
export async function settleRun(ports: SupervisorPorts, settings: SupervisorSettings, { id: run }: Pick<RunRow, "id">): Promise<"settled" | "not-settled"> {
  const untilMs = ports.clock.now() + settings.patienceMs;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const answer = await persist(ports, { callMs: settings.recordMs, longestCallMs: settings.longestRecordMs, untilMs }, () => settleOnce(ports, settings, run));
    if (answer === undefined) return "not-settled";
    if (answer) return "settled";
    if (round + 1 >= QUICK_ROUNDS) await ports.clock.sleep(Math.max(0, Math.min(ROUND_PAUSE_MS, untilMs - ports.clock.now())));
  }
  return "not-settled";
}

/** Throws while the ledger answers from before the end: what is tried again reads again. */
async function settleOnce({ ledger }: SupervisorPorts, { policies }: SupervisorSettings, run: string): Promise<boolean> {
  const row = (await ledger.read("runs", run)) as RunRow | undefined;
  if (row === undefined) throw notSeen();
  if (row.isSettled) return true;
  if (row.state === "running") throw Object.assign(new Error("RUN_READ_AS_RUNNING"), { code: "RUN_READ_AS_RUNNING" });
  const rows = <T>(table: string): Promise<readonly T[]> => ledger.list(table, { run }) as unknown as Promise<readonly T[]>;
  const items = await rows<ItemRow>("items");
  const obligations = await rows<ObligationRow>("obligations");
  const agents = await rows<AgentRow>("agents");
  const locks = await rows<LockRow>("locks");
  const waits = await rows<WaitRow>("waits");
  const slots = await rows<SlotRow>("slots");
  const keepsPlaces = policies.settling === "slots-and-locks-kept";
  const open = policies.settling === "obligations-kept" ? [] : obligations.filter(({ status }) => status === "open");
  const changes: LedgerChange[] = [
    ...items.filter(({ status }) => !TERMINAL_ITEM_STATUSES.includes(status)).map(({ id, status, epoch }): LedgerChange => ({ table: "items", id, when: { status, epoch }, set: { status: "dropped", owner: null, expiresAtMs: 0 } })),
    ...open.map(({ id }): LedgerChange => ({ table: "obligations", id, when: { status: "open" }, set: { status: "closed", why: "run-ended" } })),
    ...agents.filter(({ status }) => status === "running").map(({ id }): LedgerChange => ({ table: "agents", id, when: {}, set: { status: "ended" } })),
    ...(keepsPlaces ? [] : locks.map(({ id, holder }): LedgerChange => ({ table: "locks", id, when: { holder }, set: { run: null, holder: null } }))),
    ...waits.filter(({ kind }) => kind !== "none").map(({ id }): LedgerChange => ({ table: "waits", id, when: {}, set: { kind: "none" } })),
    ...(keepsPlaces ? [] : slots.map(({ id, owner }): LedgerChange => ({ table: "slots", id, when: { run, owner }, set: { run: null, agent: null, owner: null } }))),
    { table: "runs", id: run, when: { isSettled: false }, set: { isSettled: true }, add: { obligationsOpen: -open.length } },
  ];
  return (await ledger.transition("run.settled", changes)).outcome === "applied";
}

