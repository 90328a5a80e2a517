/**
 * The floor of the search: two dispatchers on one disk, two tasks, an explicit wake beside the scans, and one crash, or a pause longer
 * than a lease, at any port call of either. Sampled: a port call is drawn, then a schedule. Says nothing about two faults in one run.
 */
import { byPriority, createTouches, judge, KERNEL_VERSION, playAlone, randomly, simulationOf, type System, tokenText } from "@casebook/explore";
import type { SessionKeys } from "@casebook/ports";
import { type ArmedFault, createStream, KERNEL_EPOCH_MS, type Runner } from "@casebook/sim/kernel";
import { addDispatcher, type DeskFile, LEASE_MS, objectText, setDesk, volumeOf } from "./desk.ts";
import type { Subject } from "./play-suite.ts";
import { RULES } from "./rules.ts";
import { foldersOf, sessionsOf, tell, type Told } from "./told.ts";

const FILES: readonly DeskFile[] = [
  { folder: "inbox", text: objectText({ id: "TASK-1" }) },
  { folder: "inbox", text: objectText({ id: "TASK-2", to: "QA" }) },
];
const TASKS = ["TASK-1", "TASK-2"];
const RUNS_FOR_MS = 30_000;
/** In these calls each dispatcher does all that it will do about two tasks; behind them it scans and finds nothing new. */
const LAST_CALL = 300;
const KINDS = ["kill-restart", "power-loss", "stop-continue", "kill"] as const;
const PRIORITY_DEPTH = 3;
const MAX_STEPS = 20_000;

/** The moments after the intent and around the start, in which a restart has to know what was begun. */
const WINDOWS = ["dispatcher.after-intent", "dispatcher.before-start", "sessions.started", "dispatcher.after-start"] as const;

/** For a search of minutes, which cannot have an arm for every port call: some of them, evenly spread. `searchFloor` draws from all. */
const SPREAD: readonly ArmedFault[] = ["dispatcher-1", "dispatcher-2"].flatMap((process) =>
  Array.from({ length: 12 }, (_, index): ArmedFault => ({ at: "step", kind: index % 2 === 0 ? "kill-restart" : "power-loss", process, nth: 1 + Math.floor((index * LAST_CALL) / 12), forMs: 5_000 })),
);

/** The floor at each kind of runtime, and the word for it in names and tokens. */
export const FLOORS: readonly { readonly place: string; readonly keys: SessionKeys; readonly claim: string; readonly expect: "holds" | "fails" }[] = [
  { place: "floor", keys: "honoured", expect: "holds", claim: "Whatever call is the last of a dispatcher, each task is started once and comes to review." },
  { place: "floor-keys-recorded", keys: "recorded", expect: "fails", claim: "At a runtime that keeps keys and does not honour them, who stops right before a start for longer than his lease starts a second session." },
  { place: "floor-keys-none", keys: "none", expect: "fails", claim: "At a runtime that keeps no keys, a person decides what became of a start, and the task waits for him." },
];

export function floorSystem({ name, policies }: Subject, keys: SessionKeys = "honoured"): System<Told> {
  const volume = volumeOf(FILES);
  const { place, claim, expect } = FLOORS.find((floor) => floor.keys === keys) as (typeof FLOORS)[number];
  return {
    name: `dispatch/${place}/${name}`,
    claim,
    expect,
    durability: "posix-min",
    faults: { points: WINDOWS, kinds: ["kill-restart", "power-loss", "stop-continue"], armed: SPREAD },
    maxSteps: MAX_STEPS,
    build(space) {
      const cast = setDesk(space, policies, volume, { keys, runsForMs: RUNS_FOR_MS });
      addDispatcher(cast);
      addDispatcher(cast, { process: "dispatcher-2", beside: async (dispatcher) => void (await dispatcher.wake("TASK-1", "asked for")) });
      return { facts: () => tell(cast, FILES, RUNS_FOR_MS, KERNEL_EPOCH_MS) };
    },
    checks: [
      ...RULES.map(({ id, alarm }) => ({ id, when: "end" as const, alarm })),
      { id: "floor/started-once", when: "end", alarm: (told) => TASKS.flatMap((task) => (sessionsOf(told, task).length === 1 ? [] : [`${task} was started ${sessionsOf(told, task).length} times`]))[0] },
      { id: "floor/comes-to-review", when: "end", alarm: (told) => TASKS.flatMap((task) => (foldersOf(told, task).join() === "review" ? [] : [`${task} is in ${foldersOf(told, task).join(", ") || "no folder"}`]))[0] },
    ],
  };
}

export interface FloorReport {
  readonly executions: number;
  /** Executions in which the fault fired. */
  readonly fired: number;
  /** The first failure of each check, with the line that replays it. */
  readonly findings: readonly { readonly check: string; readonly alarm: string; readonly token: string }[];
  /** What was searched, in words. */
  readonly bound: string;
}

export interface FloorOptions {
  readonly executions: number;
  readonly seed?: number;
  readonly keys?: SessionKeys;
  /** In the place of the drawn ones: one at a named moment. */
  readonly at?: string;
}

/** What such a search covers, in words. */
export function floorBound({ executions, seed = 1, keys = "honoured", at }: FloorOptions): string {
  const where = at ?? `any of the first ${LAST_CALL} port calls of either`;
  return `two dispatchers, two tasks, one of ${KINDS.join(", ")} at ${where}; ${executions} sampled, seed ${seed}; runtime keys ${keys}; calls inside one process are sampled, not exhausted`;
}

export async function searchFloor(subject: Subject, runner: Runner, { executions, seed = 1, keys = "honoured", at }: FloorOptions): Promise<FloorReport> {
  const system = floorSystem(subject, keys);
  const draws = createStream(seed, "floor");
  const touches = createTouches();
  const findings = new Map<string, { alarm: string; token: string }>();
  let fired = 0;
  for (let number = 1; number <= executions; number += 1) {
    const kind = KINDS[number % KINDS.length] as (typeof KINDS)[number];
    const process = draws.below(2) === 0 ? "dispatcher-1" : "dispatcher-2";
    const forMs = kind === "stop-continue" ? 2 * LEASE_MS : 5_000;
    const fault: ArmedFault = at === undefined ? { at: "step", kind, process, nth: 1 + draws.below(LAST_CALL), forMs } : { at, kind, forMs };
    const stream = createStream(seed, `floor ${number}`);
    const { execution, facts } = simulationOf(system, number % 2 === 0 ? randomly(stream) : byPriority(stream, PRIORITY_DEPTH, touches), [fault]);
    await playAlone(execution, runner);
    touches.learn(execution);
    if (execution.faults.every((state) => state.fired > 0)) fired += 1;
    const token = (): string => tokenText({ system: system.name, kernel: KERNEL_VERSION, source: "", faults: [fault], choices: execution.choices, trace: execution.hash() });
    const judged = judge(system, { execution, facts });
    if (judged.verdict === "not-run") findings.set(`not-run/${judged.reason}`, { alarm: judged.says, token: token() });
    if (judged.verdict !== "fails") continue;
    const told = facts();
    const all = [{ id: judged.check, alarm: () => judged.says }, ...system.checks];
    for (const { id, alarm } of all) {
      const says = findings.has(id) ? undefined : alarm(told);
      if (says !== undefined) findings.set(id, { alarm: says, token: token() });
    }
  }
  return {
    executions,
    fired,
    findings: [...findings].map(([check, finding]) => ({ check, ...finding })),
    bound: floorBound({ executions, seed, keys, ...(at === undefined ? {} : { at }) }),
  };
}
