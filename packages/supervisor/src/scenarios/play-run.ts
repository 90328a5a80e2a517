/**
 * One run in a simulated world: a supervisor, its agents in a pool of slots, a successor, perhaps an operator, and somebody who looks
 * when everything must be over. Each process lives on a host of its own.
 */
import { type ArmedFault, asynchronousRunner, type Build, type Chooser, createSimulation, createStream, macrotasks, type ProcessPorts, type Runner, type ServiceOptions, type Space } from "@casebook/sim/kernel";
import type { LedgerRow } from "@casebook/ports";
import { cancelRun, DEFAULT_SETTINGS, REFERENCE_POLICIES, runAgent, type AgentSpec, type RunSpec, succeedRun, type SupervisorPorts, type SupervisorSettings, superviseRun } from "../index.ts";
import { persist } from "../bounded.ts";
import type { RunRow } from "../judge/index.ts";
import { locksOf } from "../rules/index.ts";
import type { RunSnapshot } from "./read-facts.ts";

export type Schedule = "in-order" | "in-turn" | number;

export interface RunWorld {
  readonly spec: RunSpec;
  readonly settings?: Partial<SupervisorSettings>;
  readonly faults?: readonly ArmedFault[];
  readonly slots?: number;
  readonly ledger?: ServiceOptions;
  /** An operator cancels so long after the beginning. */
  readonly operatorCancelsAtMs?: number;
  /** Whose call is taken next. `in-order`, the default: of the process that was put in first. `in-turn`: of the one that waited longest. A number: drawn from this seed. */
  readonly schedule?: Schedule;
  /** The reader looks so much later than the two graces allow. Default 0. */
  readonly lookLateMs?: number;
  /** Addresses of what an earlier run has left in the store. */
  readonly artefacts?: readonly string[];
  /** More processes beside those of the run. */
  readonly others?: (space: Space, portsOf: (ports: ProcessPorts) => SupervisorPorts, settings: SupervisorSettings) => void;
  /** Without one, nobody finishes what the supervisor left. */
  readonly hasSuccessor?: boolean;
}

export interface PlayedRun {
  /** What stood there when everything had to be over; undefined: the world did not get that far. */
  readonly snapshot: RunSnapshot | undefined;
  readonly log: Space["log"];
  /** How often each armed fault fired. */
  readonly fired: readonly number[];
  /** How often each point was reached. */
  readonly reached: ReadonlyMap<string, number>;
  readonly ending: string;
  /** Calls that were still waited for when nothing could happen any more. Somebody has no deadline. */
  readonly waiting: readonly string[];
  /** Processes that threw, with what. */
  readonly threw: readonly string[];
  readonly steps: number;
  /** With the faults, all that it takes to play it again. */
  readonly choices: readonly number[];
  readonly hash: string;
  readonly beganAtMs: number;
}

const SLOTS = 8;

/** The grace for the supervisor, and as much again for its successor. */
export function overAtMs(spec: RunSpec, graceMs: number): number {
  return spec.budget.wallClockMs + 2 * graceMs;
}

export function settingsOf(given: Partial<SupervisorSettings> = {}): SupervisorSettings {
  return { ...DEFAULT_SETTINGS, policies: REFERENCE_POLICIES, ...given };
}

export interface RunFacts {
  readonly snapshot: RunSnapshot | undefined;
  readonly log: Space["log"];
  readonly threw: readonly string[];
}

/** Puts the run into a space; also what a search explores. */
export function buildRun(world: RunWorld): Build<RunFacts> {
  return (space) => {
    const { spec } = world;
    const settings = settingsOf(world.settings);
    const ledger = space.ledger("ledger", world.ledger);
    const store = space.artefacts("store");
    const workers = Array.from({ length: world.slots ?? SLOTS }, (_, at) => `worker-${at + 1}`);
    const put = (table: string, row: LedgerRow): void => void ledger.tables.set(table, (ledger.tables.get(table) ?? new Map<string, LedgerRow>()).set(row.id, row));
    for (const id of workers) put("slots", { id, run: null, agent: null, owner: null, isLost: false });
    for (const uri of world.artefacts ?? []) store.bodies.set(uri, "of an earlier run");
    for (const id of locksOf(spec)) put("locks", { id, run: null, holder: null });
    const portsOf = (ports: ProcessPorts): SupervisorPorts => ({
      clock: ports.clock,
      ids: ports.ids,
      log: ports.log,
      faults: ports.faults,
      ledger: ports.ledger(ledger),
      artefacts: ports.artefacts(store),
      messages: ports.network,
      spawner: { spawn: (name) => ports.spawn(name) },
      self: { process: ports.process.name, life: ports.process.life },
    });
    const specs = agentsByName(spec.agents);
    let snapshot: RunSnapshot | undefined;
    space.process("supervisor", (ports) => superviseRun(portsOf(ports), settings, spec));
    for (const name of workers) space.process(name, (ports) => runAgent(portsOf(ports), settings, specs), { isSpawned: true });
    if (world.hasSuccessor !== false) {
      // Of the run, and not of the successor: one that is started again is not another 900 s late.
      let deadlineAtMs: number | undefined;
      space.process("successor", (ports) => succeedRun(portsOf(ports), settings, { id: spec.id, deadlineAtMs: (deadlineAtMs ??= ports.clock.now() + spec.budget.wallClockMs) }));
    }
    const { operatorCancelsAtMs } = world;
    if (operatorCancelsAtMs !== undefined) {
      space.process("operator", async (raw) => {
        const ports = portsOf(raw);
        await ports.clock.sleep(operatorCancelsAtMs);
        const options = { callMs: settings.callMs, untilMs: ports.clock.now() + settings.patienceMs };
        const run = (await persist(ports, options, () => ports.ledger.read("runs", spec.id))) as RunRow | undefined;
        if (run !== undefined) await cancelRun(ports, settings, run, { kind: "operator" }, []);
      });
    }
    world.others?.(space, portsOf, settings);
    space.process("reader", async ({ clock }) => {
      await clock.sleep(overAtMs(spec, settings.graceMs) + (world.lookLateMs ?? 0));
      snapshot = {
        atMs: clock.now(),
        tables: new Map([...ledger.tables].map(([table, rows]) => [table, [...rows.values()]])),
        artefacts: new Map(store.bodies),
        processes: space.states().map(({ name, status }) => ({ name, status })),
        journal: [...ledger.journal],
      };
    });
    const threw = (): string[] => space.states().filter(({ status }) => status === "threw").map(({ name, failure }) => `${name}: ${failure}`);
    return { facts: () => ({ snapshot, log: space.log, threw: threw() }) };
  };
}

/** Always the first of the calls that wait: one schedule of many, the same every time. */
const IN_ORDER: Chooser = { choose: () => 0 };

function chooserOf(schedule: Schedule): Chooser {
  if (schedule === "in-order") return IN_ORDER;
  if (schedule === "in-turn") return inTurn();
  const stream = createStream(schedule, "schedule");
  return { choose: ({ length }) => stream.below(length) };
}

/** So that two who do the same do it side by side. */
function inTurn(): Chooser {
  const last = new Map<number, number>();
  let turn = 0;
  return {
    choose(ready) {
      const since = (at: number): number => last.get(ready[at]?.process.index ?? -1) ?? -1;
      let chosen = 0;
      for (let at = 1; at < ready.length; at += 1) if (since(at) < since(chosen)) chosen = at;
      last.set(ready[chosen]?.process.index ?? -1, (turn += 1));
      return chosen;
    },
  };
}

/** No run of a shape takes half as many. */
export const MAX_STEPS = 60_000;

/** `runner`: the one of `@casebook/sim/node` is several times faster. */
export async function playRun(world: RunWorld, runner: Runner = asynchronousRunner(macrotasks)): Promise<PlayedRun> {
  const chooser = chooserOf(world.schedule ?? "in-order");
  const { execution, facts } = createSimulation(buildRun(world), { chooser, faults: world.faults ?? [], maxSteps: MAX_STEPS });
  const beganAtMs = execution.nowMs();
  const rest = [execution];
  await runner.run(() => rest.pop(), () => undefined);
  const { ending } = execution;
  const { snapshot, log, threw } = facts();
  return {
    snapshot,
    log,
    threw,
    fired: execution.faults.map(({ fired }) => fired),
    reached: execution.seen.reached,
    ending: ending?.how === "timed-out" ? `timed-out: ${ending.cap}` : (ending?.how ?? "none"),
    waiting: ending?.how === "deadlock" ? ending.waiting : [],
    steps: execution.steps.length,
    choices: execution.choices,
    hash: execution.hash(),
    beganAtMs,
  };
}

function agentsByName(agents: readonly AgentSpec[]): ReadonlyMap<string, AgentSpec> {
  return new Map(agents.flatMap((agent) => [[agent.name, agent] as const, ...agentsByName(agent.children ?? [])]));
}
