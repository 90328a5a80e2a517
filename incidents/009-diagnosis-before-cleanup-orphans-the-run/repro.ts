/**
 * Case 009: diagnosis before cleanup orphans the run.
 *
 * Runs that come to their deadlines together are cancelled, each by its own supervisor. The cancellation asks the ledger first why
 * the run stands still, and tells the agents behind it. Two hundred that ask at once make the ledger so slow that hardly one gets to
 * its second half: a watchdog ends the supervisor while it waits, and its agents were never told.
 *
 * Models supervisors, their agents, a watchdog in each supervisor, the ledger's client with its time limit, and one ledger that serves
 * one call at a time; how slow it is comes from how many ask. Begins a minute before the deadlines. Leaves out what the agents do, and
 * that anybody restarts a supervisor or succeeds it.
 *
 * This models a mechanism. It is nobody's product code; README.md says what backs it.
 */
import { playAlone, staying, type System } from "@casebook/explore";
import { type Clock, type Ledger, type LedgerFields, type LedgerRow, type Log, withinDeadline } from "@casebook/ports";
import { defineRepro, type Facts, type Scene } from "@casebook/repro";
import { runAsScript } from "@casebook/repro/node";
import type { World } from "@casebook/sim";
import { asynchronousRunner, type Build, createSimulation, type FaultKind, type LedgerState, type ProcessPorts, type Space } from "@casebook/sim/kernel";
import { cancelRun, REFERENCE_POLICIES, type SupervisorPolicies, type SupervisorPorts } from "@casebook/supervisor";
import type { RunRow } from "@casebook/supervisor/judge";
import { judgeRun, recordsOf, type RunSnapshot, settingsOf } from "@casebook/supervisor/scenarios";

/** A Thursday. The hour is the article's, the day is not known. */
const EPOCH = "2026-09-03T16:40:00Z";
const SECOND_MS = 1_000;
/** From the epoch: 16:41:02.000, and 16:47:00.000. */
const LAST_DEADLINE_MS = 62 * SECOND_MS;
const OPERATOR_LOOKS_MS = 420 * SECOND_MS;
/** All come to their deadlines within so long. */
const WITHIN_MS = 30 * SECOND_MS;
/** What the ledger's client does for everybody: waits so long for a query, pauses, and asks the same again. */
const QUERY_MS = 30 * SECOND_MS;
const QUERY_TRIES = 3;
/** Read off the article's clock: from the deadline to the first query, and between two tries. */
const CANCEL_BEGINS_MS = 4;
const RETRY_PAUSE_MS = 6;
/** A supervisor that did nothing itself for so long is killed. It is looked at once a second, so much behind the full one. */
const WATCHDOG_MS = 65 * SECOND_MS;
const WATCHDOG_PHASE_MS = 550;
/** One call at the ledger, and one query of the diagnosis, which joins the rows of all runs. The only two that are ours alone. */
const CALL_MS = 5;
const DIAGNOSIS_QUERY_MS = 200;
/** For one try at writing the end; less than the watchdog's patience. */
const RECORD_MS = 60 * SECOND_MS;
const LAST_RUN = 9701;
const WATCHED = `run-${LAST_RUN}`;
const HOLDERS = 3;
/** What a diagnosis reads, each by a view that is dear. */
const DIAGNOSED: readonly string[] = ["runs", "items", "agents", "locks", "waits"];
const viewOf = (table: string): string => `diagnosis of ${table}`;

export interface Thursday {
  /** All come to their deadlines within half a minute; the last one is the one that is told of. */
  readonly runs: number;
  /** Of the last run; of the others one stands for all. */
  readonly agents: number;
  /** `queues`: it serves one call after the other. `at-once`: as the ledger of a unit test. */
  readonly ledger: "queues" | "at-once";
  readonly order: SupervisorPolicies["cancelOrder"];
  readonly classification: "bounded" | "unbounded";
  readonly watchdog: "kills" | "none";
  readonly watcher: "nobody" | "guards";
}

const runsOf = ({ runs }: Thursday): string[] => Array.from({ length: runs }, (_, at) => `run-${LAST_RUN - runs + 1 + at}`);

/** What can be said about a Thursday afterwards, from the log, and from what the operator finds at 16:47. */
export interface Told {
  readonly snapshot: RunSnapshot | undefined;
  readonly log: Space["log"];
  /** By run, in milliseconds since 1970. */
  readonly deadlines: ReadonlyMap<string, number>;
}

export function build(thursday: Thursday): Build<Told> {
  return (space) => {
    const isQueueing = thursday.ledger === "queues";
    const longerMs = isQueueing ? Object.fromEntries(DIAGNOSED.map((table) => [viewOf(table), DIAGNOSIS_QUERY_MS - CALL_MS])) : {};
    const ledger = space.ledger("ledger", { capacity: 1, serviceMs: isQueueing ? CALL_MS : 0, longerMs });
    for (const table of DIAGNOSED) {
      const rows = new Map<string, LedgerRow>();
      ledger.tables.set(table, rows).set(viewOf(table), rows);
    }
    const deadlines = new Map<string, number>();
    let snapshot: RunSnapshot | undefined;
    for (const [at, run] of runsOf(thursday).entries()) {
      const agents = Array.from({ length: run === WATCHED ? thursday.agents : 1 }, (_, index) => `${run}-agent-${index + 1}`);
      const inMs = LAST_DEADLINE_MS - Math.floor(((thursday.runs - 1 - at) * WITHIN_MS) / thursday.runs);
      space.process(`${run}-supervisor`, (ports) => {
        const row = putRun(ledger, run, agents, ports.clock.now(), inMs);
        deadlines.set(run, row.deadlineAtMs);
        return supervise(ports, ledger, thursday, row, agents);
      });
      for (const agent of agents) space.process(agent, (ports) => waitForCancel(ports, run), { isDaemon: true });
    }
    space.process("operator", async ({ clock }) => {
      await clock.sleep(OPERATOR_LOOKS_MS);
      snapshot = {
        atMs: clock.now(),
        tables: new Map([...ledger.tables].map(([table, rows]) => [table, [...rows.values()]])),
        artefacts: new Set(),
        processes: space.states().map(({ name, status }) => ({ name, status })),
        journal: ledger.journal,
      };
    });
    return { facts: () => ({ snapshot, log: space.log, deadlines }) };
  };
}

/** A run as it stands a minute before its deadline: an item for each agent, three of them claimed, and two agents of the last run wait for each other. */
function putRun(ledger: LedgerState, run: string, agents: readonly string[], nowMs: number, inMs: number): RunRow {
  const put = (table: string, row: LedgerRow): void => {
    const rows = ledger.tables.get(table) ?? new Map<string, LedgerRow>();
    ledger.tables.set(table, rows.set(row.id, row));
  };
  for (const [at, agent] of agents.entries()) {
    const name = `part-${at + 1}`;
    const lease = at < HOLDERS ? { status: "claimed", owner: agent, epoch: 1, claimedAtMs: nowMs, expiresAtMs: nowMs + 900 * SECOND_MS } : { status: "open", owner: null, epoch: 0, claimedAtMs: 0, expiresAtMs: 0 };
    put("items", { id: `${run}/${name}`, run, name, position: at, needs: [], locks: [], toolMs: 0, tokens: 0, uri: null, ...lease });
    put("obligations", { id: `${run}/${name}`, run, debtor: name, creditor: "supervisor", kind: "item", status: "open", why: null });
    put("agents", { id: `${run}/${agent}`, run, name: agent, parent: "supervisor", process: agent, owner: agent, status: "running" });
    put("slots", { id: agent, run, agent, owner: agent, isLost: false });
  }
  const cycle = run === WATCHED && agents.length > 1 ? [0, 1] : [];
  for (const at of cycle) put("waits", { id: `${run}/${agents[at]}`, run, owner: agents[at] as string, kind: "item", target: `${run}/part-${2 - at}`, sinceMs: nowMs });
  const row: RunRow = {
    id: run, state: "running", cause: null, begunBy: run, supervisor: `${run}-supervisor`, startedAtMs: nowMs, deadlineAtMs: nowMs + inMs,
    itemsTotal: agents.length, itemsDone: 0, itemsFailed: 0, obligationsOpen: agents.length, agents: agents.length, tokens: 0, toolCalls: 0,
    maxAgents: agents.length, maxTokens: 0, maxToolCalls: 0, isSettled: false,
  };
  put("runs", row as unknown as LedgerRow);
  return row;
}

/** What a supervisor and its watchdog, and its client, know of each other. */
interface Life {
  lastMs: number;
  isOver: boolean;
  isDiagnosing: boolean;
}

/** Waits for the deadline and cancels, under the eyes of its own watchdog. */
async function supervise(ports: ProcessPorts, state: LedgerState, { order, classification, watchdog }: Thursday, run: RunRow, agents: readonly string[]): Promise<void> {
  const { clock, ids, network } = ports;
  await clock.sleep(run.deadlineAtMs - clock.now());
  note(ports.log, "deadline", run.id);
  await clock.sleep(CANCEL_BEGINS_MS);
  const life: Life = { lastMs: clock.now(), isOver: false, isDiagnosing: order === "classify-first" };
  if (watchdog === "kills") void watch(ports, life, run.id);
  const own: SupervisorPorts = {
    clock: sparing(life, clock),
    ids,
    log: following(life, order, ports.log),
    // Nothing strikes between two calls here; what can go wrong is the ledger.
    faults: { reach: () => Promise.resolve() },
    ledger: noting(life, clock, client(ports, life, run.id, ports.ledger(state))),
    artefacts: { put: () => Promise.resolve(), head: () => Promise.resolve(undefined) },
    messages: network,
    spawner: { spawn: (name) => ports.spawn(name) },
    self: { process: ports.process.name, life: ports.process.life },
  };
  const policies = { ...REFERENCE_POLICIES, cancelOrder: order, classification };
  await cancelRun(own, settingsOf({ recordMs: RECORD_MS, policies }), run, { kind: "deadline" }, agents);
  life.isOver = true;
}

async function watch({ clock, faults, log }: ProcessPorts, life: Readonly<Life>, run: string): Promise<void> {
  while (!life.isOver) {
    const dueMs = life.lastMs + WATCHDOG_MS - WATCHDOG_PHASE_MS;
    await clock.sleep(Math.ceil(dueMs / SECOND_MS) * SECOND_MS + WATCHDOG_PHASE_MS - clock.now());
    if (life.isOver || clock.now() - life.lastMs < WATCHDOG_MS) continue;
    note(log, "watchdog-kills", run);
    return faults.reach("supervisor.watchdog");
  }
}

/** A wait that the supervisor limits itself is a sign of life. */
function sparing(life: Life, clock: Clock): Clock {
  return {
    now: () => clock.now(),
    sleep(ms, signal) {
      life.lastMs = clock.now();
      return clock.sleep(ms, signal);
    },
  };
}

/** A call that the supervisor makes, and an answer that it gets, are signs of life. What the client repeats below it is none. */
function noting(life: Life, clock: Clock, ledger: Ledger): Ledger {
  const noted = async <T>(call: () => Promise<T>): Promise<T> => {
    life.lastMs = clock.now();
    const value = await call();
    life.lastMs = clock.now();
    return value;
  };
  return {
    read: (table, id) => noted(() => ledger.read(table, id)),
    list: (table, where?: LedgerFields) => noted(() => ledger.list(table, where)),
    transition: (reason, changes) => noted(() => ledger.transition(reason, changes)),
  };
}

/** Which half of the cancellation is under way, by what the supervisor itself says. */
function following(life: Life, order: Thursday["order"], log: Log): Log {
  return {
    write(level, event, facts) {
      if (event === "supervisor.cancel-told" || event === "supervisor.run-cancelled") life.isDiagnosing = false;
      if (event === "supervisor.cancel-propagated") life.isDiagnosing = order === "propagate-first";
      log.write(level, event, facts);
    },
  };
}

/** The ledger's client. A query that it gives up is served all the same, in its turn; one that nobody waits for is not repeated. */
function client({ clock, log }: ProcessPorts, life: Readonly<Life>, run: string, ledger: Ledger): Ledger {
  let newest = 0;
  const asked = async <T>(call: () => Promise<T>): Promise<T> => {
    const own = (newest += 1);
    for (let tries = 1; tries <= QUERY_TRIES && own === newest; tries += 1) {
      if (tries > 1) await clock.sleep(RETRY_PAUSE_MS);
      if (life.isDiagnosing) note(log, "query", run);
      const answer = await withinDeadline(clock, QUERY_MS, call());
      if (answer.outcome === "done") return answer.value;
      note(log, "query-timeout", run);
    }
    throw Object.assign(new Error("LEDGER_TIMEOUT: no answer in time. The call may be carried out later; ask what became of it."), { code: "LEDGER_TIMEOUT" });
  };
  return {
    read: (table, id) => asked(async () => (life.isDiagnosing ? (await ledger.list(viewOf(table), { id }))[0] : ledger.read(table, id))),
    list: (table, where?: LedgerFields) => asked(() => ledger.list(life.isDiagnosing ? viewOf(table) : table, where)),
    transition: (reason, changes) => asked(() => ledger.transition(reason, changes)),
  };
}

/** All that is left of an agent here: it goes on until it is told. */
async function waitForCancel({ network, log }: ProcessPorts, run: string): Promise<void> {
  for (;;) {
    const delivery = await network.receive();
    if (delivery.kind === "message" && (delivery.body as { readonly kind?: unknown }).kind === "cancel") return note(log, "agent-told", run);
  }
}

type Event = "deadline" | "query" | "query-timeout" | "watchdog-kills" | "agent-told";

function note(log: Log, event: Event, run: string): void {
  log.write("info", event, { run });
}

export interface Seen extends Facts {
  readonly runs: number;
  /** Runs whose agents were all told, and how long behind the deadline the last one of them was. */
  readonly told: number;
  readonly toldWithin: string;
  /** Supervisors that their watchdog killed. */
  readonly killed: number;
  /** What the operator finds at 16:47: runs with exactly one terminal record, */
  readonly records: number;
  /** and runs of which an agent still executes. */
  readonly executing: number;
  /** The last run: its clock, leases held of all items, and the cause on its record. */
  readonly clock: readonly string[];
  readonly leases: string;
  readonly cause: string;
  /** Guards that alarm on some run, and on how many each. */
  readonly alarms: readonly string[];
}

const EXECUTING = "supervision/no-descendant-executing";

function seen(thursday: Thursday, { snapshot, log, deadlines }: Told): Seen {
  if (snapshot === undefined) throw new Error("OPERATOR_MISSED: the world ended before 16:47.");
  const runs = runsOf(thursday);
  const findings = runs.flatMap((run) => judgeRun(run, snapshot));
  const counts = new Map<string, number>();
  for (const { guard } of findings) counts.set(guard, (counts.get(guard) ?? 0) + 1);
  const items = (snapshot.tables.get("items") ?? []).filter(({ run }) => run === WATCHED);
  return {
    runs: thursday.runs,
    ...toldOf(thursday, log, deadlines),
    killed: log.filter(({ event }) => event === "watchdog-kills").length,
    records: runs.filter((run) => recordsOf(run, snapshot).length === 1).length,
    executing: counts.get(EXECUTING) ?? 0,
    clock: clockOf(log, deadlines.get(WATCHED) ?? 0),
    leases: `${items.filter(({ status }) => status === "claimed").length}/${items.length}`,
    cause: recordsOf(WATCHED, snapshot)[0]?.cause ?? "none",
    alarms: thursday.watcher === "nobody" ? [] : [...counts].map(([guard, count]) => `${guard}:${count}`).toSorted(),
  };
}

/** By run, how long behind the deadline the last of its agents was told; without those of which one never was. */
export function tellings(thursday: Thursday, log: Space["log"], deadlines: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const told = new Map<string, number[]>();
  for (const { event, facts, atMs } of log) {
    const run = String(facts["run"]);
    if (event === "agent-told") told.set(run, [...(told.get(run) ?? []), atMs - (deadlines.get(run) ?? 0)]);
  }
  return new Map([...told].filter(([run, { length }]) => length === (run === WATCHED ? thursday.agents : 1)).map(([run, delays]) => [run, Math.max(...delays)]));
}

function toldOf(thursday: Thursday, log: Space["log"], deadlines: ReadonlyMap<string, number>): Pick<Seen, "told" | "toldWithin"> {
  const delays = [...tellings(thursday, log, deadlines).values()];
  return { told: delays.length, toldWithin: `${(Math.max(0, ...delays) / SECOND_MS).toFixed(3)}s` };
}

/** What happened to the last run, `+<seconds since its deadline> <what>`: the queries that ran out of time, and what each first led to. */
function clockOf(log: Space["log"], deadlineMs: number): string[] {
  const own = log.filter(({ facts }) => facts["run"] === WATCHED);
  const all = (event: string): number[] => own.filter((entry) => entry.event === event).map(({ atMs }) => atMs);
  const line = (atMs: number, what: string) => ({ atMs, text: `+${((atMs - deadlineMs) / SECOND_MS).toFixed(3)} ${what}` });
  const lines = [
    ...all("query").slice(0, 1).map((atMs) => line(atMs, "first query of the diagnosis")),
    ...all("query-timeout").map((atMs) => line(atMs, "query timeout")),
    ...all("agent-told").slice(0, 1).map((atMs) => line(atMs, "agents told")),
    ...all("watchdog-kills").map((atMs) => line(atMs, "killed by its watchdog")),
    ...all("supervisor.record-written").map((atMs) => line(atMs, "record written")),
  ];
  return lines.toSorted((one, two) => one.atMs - two.atMs).map(({ text }) => text);
}

/** As long as the article gives a diagnosis. */
const BOUND_MS = 2 * SECOND_MS;
const TROUBLES: readonly FaultKind[] = ["service-away", "service-slow", "service-refuses", "service-full", "service-stale", "lost-answer", "slow"];

/** What a search looks at: small, and the same whatever the order of steps that have nothing to do with each other. */
export interface Found {
  /** Behind the deadline; undefined: never, or not all of them. */
  readonly toldAfterMs: number | undefined;
  readonly queryTimeouts: number;
}

const SEARCHED: Thursday = { runs: 1, agents: 2, ledger: "queues", order: "propagate-first", classification: "bounded", watchdog: "none", watcher: "nobody" };

/** Whatever becomes of the ledger and of its answers, nobody may be told late. */
const TOLD_IN_TIME: System<Found>["checks"][number] = {
  id: "cancellation/told-in-time",
  when: "end",
  alarm({ toldAfterMs }) {
    if (toldAfterMs === undefined) return "the agents were never told";
    return toldAfterMs > BOUND_MS ? `the agents were told ${toldAfterMs} ms behind the deadline` : undefined;
  },
};

function system(name: string, expect: "holds" | "fails", claim: string, thursday: Partial<Thursday>): System<Found> {
  return {
    name: `009/${name}`,
    claim,
    expect,
    build: (space) => {
      const { facts } = build({ ...SEARCHED, ...thursday })(space);
      return {
        facts: () => {
          const { log, deadlines } = facts();
          return { toldAfterMs: tellings(SEARCHED, log, deadlines).get(WATCHED), queryTimeouts: log.filter(({ event }) => event === "query-timeout").length };
        },
      };
    },
    checks: [TOLD_IN_TIME],
    sometimes: { "a query ran out of its time": ({ queryTimeouts }) => queryTimeouts > 0 },
    faults: { points: ["ledger.read", "ledger.list", "ledger.transition"], kinds: TROUBLES },
    healMs: 600 * SECOND_MS,
  };
}

/** What can be searched: one run, two agents, and a ledger that is in trouble from some moment of the cancellation on. */
export const systems = [
  system("diagnosis-first", "fails", "A cancellation that asks first tells the agents in time.", { order: "classify-first", classification: "unbounded" }),
  system("told-first", "holds", "A cancellation that tells first tells the agents in time, whatever the ledger does.", {}),
] as const satisfies readonly System<Found>[];

async function oneThursday({ ports }: World, thursday: Thursday): Promise<Seen> {
  const { execution, facts } = createSimulation(build(thursday), {
    chooser: { choose: staying },
    faults: [{ at: "supervisor.watchdog", kind: "kill", times: thursday.runs }],
    epoch: ports.clock.now(),
    maxSteps: 50_000,
  });
  // The world wakes a sleeper when nothing else is left to run, which is when the next step may be taken.
  await playAlone(execution, asynchronousRunner({ name: "world", whenAtRest: (goOn) => void ports.clock.sleep(0).then(goOn) }));
  ports.log.write("info", "executed", { steps: execution.steps.length, trace: execution.hash() });
  return seen(thursday, facts());
}

function scene(name: string, thursday: Thursday, expect: Seen): Scene<Thursday, Seen> {
  return { name, run: oneThursday, with: thursday, expect };
}

const BROKEN: Thursday = { runs: 200, agents: 5, ledger: "queues", order: "classify-first", classification: "unbounded", watchdog: "kills", watcher: "nobody" };

export const twoHundred = scene("two-hundred", BROKEN, {
  runs: 200,
  told: 5,
  toldWithin: "43.024s",
  killed: 195,
  records: 5,
  executing: 195,
  clock: ["+0.004 first query of the diagnosis", "+30.004 query timeout", "+60.010 query timeout", "+65.550 killed by its watchdog"],
  leases: "3/5",
  cause: "none",
  alarms: [],
});

/** The same code, the same ledger, the same half minute. */
export const five = scene("five", { ...BROKEN, runs: 5, watcher: "guards" }, {
  runs: 5,
  told: 5,
  toldWithin: "1.004s",
  killed: 0,
  records: 5,
  executing: 0,
  clock: ["+0.004 first query of the diagnosis", "+1.004 agents told", "+1.024 record written"],
  leases: "0/5",
  cause: "deadlock",
  alarms: [],
});

/** The same code before a ledger that answers at once. */
export const unitTest = scene("unit-test", { ...five.with, runs: 1, ledger: "at-once" }, {
  ...five.expect,
  runs: 1,
  told: 1,
  toldWithin: "0.004s",
  records: 1,
  clock: ["+0.004 first query of the diagnosis", "+0.004 agents told", "+0.004 record written"],
});

export const toldFirst = scene("told-first", { ...BROKEN, order: "propagate-first", classification: "bounded", watcher: "guards" }, {
  ...five.expect,
  runs: 200,
  told: 200,
  toldWithin: "0.004s",
  records: 200,
  clock: ["+0.004 agents told", "+1.004 first query of the diagnosis", "+21.559 record written"],
  cause: "unclassified",
});

export const repro = defineRepro({
  id: "009",
  claim: "A cancellation that finds out why a run stands still before it tells the agents ends five runs well and orphans 195 of two hundred, because it waits for the ledger that it makes slow.",
  seed: 9,
  epoch: EPOCH,
  broken: twoHundred,
  fixed: toldFirst,
  control: five,
  shown: [twoHundred, five, unitTest, toldFirst],
  more: [],
  print: (modes) => modes.flatMap(({ name, facts }) => [`mode=${name.padEnd(11)} ${counters(facts)}`, ...facts.clock.map((line) => `  ${WATCHED} ${line}`)]),
});

function counters({ runs, told, toldWithin, killed, records, executing, leases, cause, alarms }: Seen): string {
  const isSilent = executing > 0 && alarms.length === 0;
  return (
    `runs=${runs} told=${told} within=${toldWithin} killed=${killed} records=${records} executing=${executing} ` +
    `${WATCHED}: leases=${leases} cause=${cause} alarm=${alarms.join("+") || "none"}${isSilent ? " (SILENT)" : ""}`
  );
}

await runAsScript(import.meta, repro);
