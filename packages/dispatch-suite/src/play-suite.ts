/**
 * Plays scenarios against a dispatcher: some schedules each, and every half and every rule judged after every one. A check fails when
 * it fails in one of them; the line that replays that one comes with it.
 */
import { type DispatcherPolicies } from "@casebook/dispatcher";
import { byPriority, createTouches, judge, type Judged, KERNEL_VERSION, playAlone, randomly, recorded, simulationOf, type System, tokenText, type Touches } from "@casebook/explore";
import { type Chooser, createStream, type Execution, KERNEL_EPOCH_MS, type Runner, type Simulation } from "@casebook/sim/kernel";
import { setDesk, volumeOf } from "./desk.ts";
import { RULES } from "./rules.ts";
import type { Layer } from "./faults/index.ts";
import type { Scenario } from "./scenario.ts";
import { type Layers, tell, type Told } from "./told.ts";

/** A dispatcher under test: the reference, or it with something changed. */
export interface Subject {
  readonly name: string;
  readonly policies: Partial<DispatcherPolicies>;
}

export interface CheckResult {
  /** `F09/recognised`, or `F09/rule-6`. */
  readonly id: string;
  readonly says: string;
  readonly verdict: "pass" | "fail" | "not-run";
  /** The first alarm. */
  readonly alarm: string | undefined;
  /** Of that execution. */
  readonly token: string | undefined;
}

export interface ScenarioResult {
  readonly id: string;
  readonly rule: number;
  readonly fault: string;
  readonly layer: Layer;
  readonly verdict: "pass" | "fail" | "not-run";
  /** `(<reason>) <what happened>`, with a reason that the verdicts know. */
  readonly notRunBecause: string | undefined;
  readonly checks: readonly CheckResult[];
  /** Of the first execution. */
  readonly layers: Layers | undefined;
  readonly executions: number;
  /** Executions in which every armed fault fired. */
  readonly fired: number;
}

export interface SuiteOptions {
  /** Schedules of each scenario. Default `DEFAULT_SCHEDULES`. */
  readonly schedules?: number;
  readonly seed?: number;
}

/** After one in the order of the processes: random schedules and random priorities in turn. */
export const DEFAULT_SCHEDULES = 4;
const PRIORITY_DEPTH = 3;
/** Five times what the longest of them needs. */
const MAX_STEPS = 20_000;

interface Judge {
  readonly id: string;
  readonly says: string;
  alarm(told: Told): string | undefined;
}

/** What is judged after each execution of a scenario: its halves, then the six rules. */
export function judgesOf(scenario: Scenario): readonly Judge[] {
  const rules = RULES.map(({ number, text, alarm }): Judge => {
    const isExpected = scenario.noticedBy?.includes(number) === true;
    const id = `${scenario.id}/rule-${number}`;
    if (isExpected) return { id, says: `The guard notices: ${text}`, alarm: (told) => (alarm(told) === undefined ? "the guard is silent, and the fault is what it is there for" : undefined) };
    return { id, says: text, alarm };
  });
  return [...scenario.halves, ...rules];
}

export function systemOf(scenario: Scenario, subject: Subject): System<Told> {
  const volume = volumeOf(scenario.files);
  return {
    name: `dispatch/${scenario.id}/${subject.name}`,
    claim: scenario.halves.map(({ says }) => says).join(" "),
    build(space) {
      const cast = setDesk(space, subject.policies, volume, scenario.runtime);
      scenario.cast(cast);
      return { facts: () => tell(cast, scenario.files, scenario.runtime?.runsForMs ?? Number.POSITIVE_INFINITY, KERNEL_EPOCH_MS) };
    },
    checks: judgesOf(scenario).map(({ id, alarm }) => ({ id, when: "end", alarm })),
    durability: scenario.faults.some(({ kind }) => kind === "power-loss") ? "posix-min" : "kill",
    onThrow: "fails",
    maxSteps: MAX_STEPS,
  };
}

export async function playScenario(scenario: Scenario, subject: Subject, runner: Runner, { schedules = DEFAULT_SCHEDULES, seed = 1 }: SuiteOptions = {}): Promise<ScenarioResult> {
  const system = systemOf(scenario, subject);
  const judges = judgesOf(scenario);
  const found = new Map<string, { alarm: string; token: string }>();
  const touches = createTouches();
  const templates: Parameters<typeof simulationOf>[3] = new Map();
  let layers: Layers | undefined;
  let executions = 0;
  let fired = 0;
  let noVerdict: string | undefined;
  let isCapped = false;
  const points = new Set<string>();
  for (let schedule = 0; schedule <= schedules && noVerdict === undefined; schedule += 1) {
    const simulation = simulationOf(system, chooserOf(scenario.id, schedule, seed, touches), scenario.faults, templates, schedule === 0);
    const { execution } = simulation;
    await playAlone(execution, runner);
    touches.learn(execution);
    const judged = judge(system, simulation);
    if (judged.verdict === "not-run") noVerdict = `(${judged.reason}) ${judged.says}`;
    isCapped ||= judged.verdict === "not-run" && judged.reason === "timed-out";
    executions += 1;
    for (const point of execution.seen.reached.keys()) points.add(point);
    if (execution.faults.every((state) => state.fired > 0)) fired += 1;
    if (judged.verdict === "not-run" && judged.reason !== "timed-out") break;
    if (schedule === 0 && !isCapped) noVerdict ??= await unlike(execution);
    note(judged, simulation);
  }

  function note(judged: Judged, { execution, facts }: Simulation<Told>): void {
    const token = (): string => tokenText({ system: system.name, kernel: KERNEL_VERSION, source: "", faults: scenario.faults, choices: execution.choices, trace: execution.hash() });
    if (judged.verdict === "fails" && judged.check.startsWith("kernel/") && !found.has(judged.check)) found.set(judged.check, { alarm: judged.says, token: token() });
    const told = facts();
    layers ??= told.layers;
    for (const { id, alarm } of judges) {
      const says = found.has(id) ? undefined : alarm(told);
      if (says !== undefined) found.set(id, { alarm: says, token: token() });
    }
  }

  /** The first is played twice: what differs by itself has no verdict. */
  async function unlike(first: Execution): Promise<string | undefined> {
    const again = simulationOf(system, recorded(first.choices, "lenient"), scenario.faults, templates).execution;
    await playAlone(again, runner);
    return again.hash() === first.hash() ? undefined : `(unstable-input) the same choices gave the traces ${first.hash()} and ${again.hash()}`;
  }

  // Without its fault a scenario says nothing, whatever its checks say.
  const neverFired = fired === 0 ? `(setup-failed) FAULT_NEVER_FIRED: the fault at ${scenario.faults.map(({ at }) => at).join(", ")} never fired; points reached: ${[...points].sort().join(", ")}` : undefined;
  const notRunBecause = noVerdict ?? neverFired;
  const kernel = [...found.keys()].filter((id) => id.startsWith("kernel/")).map((id) => ({ id, says: "Everybody comes to an end." }));
  const checks = [...judges, ...kernel].map(({ id, says }): CheckResult => {
    const failure = found.get(id);
    // What a run that never ends has done so far is wrong all the same; what it has not done says nothing.
    const isVoid = notRunBecause !== undefined && !(isCapped && failure !== undefined);
    const verdict = isVoid ? "not-run" : failure === undefined ? "pass" : "fail";
    return { id: id.startsWith("kernel/") ? `${scenario.id}/${id}` : id, says, verdict, alarm: failure?.alarm, token: failure?.token };
  });
  return {
    id: scenario.id,
    rule: scenario.rule,
    fault: scenario.fault,
    layer: scenario.layer,
    verdict: checks.some(({ verdict }) => verdict === "fail") ? "fail" : notRunBecause !== undefined ? "not-run" : "pass",
    notRunBecause,
    checks,
    layers,
    executions,
    fired,
  };
}

function chooserOf(purpose: string, schedule: number, seed: number, touches: Touches): Chooser {
  if (schedule === 0) return { choose: () => 0 };
  const stream = createStream(seed, `${purpose} ${schedule}`);
  return schedule % 2 === 1 ? randomly(stream) : byPriority(stream, PRIORITY_DEPTH, touches);
}
