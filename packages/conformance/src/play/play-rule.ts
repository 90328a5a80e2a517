/**
 * Plays one rule against one adapter: undisturbed first and twice, because what differs by itself has no verdict; then each set of
 * faults under some schedules. A check fails when it fails in one of them.
 */
import { byPriority, createTouches, judge, KERNEL_VERSION, playAlone, randomly, recorded, simulationOf, tokenText } from "@casebook/explore";
import { type ArmedFault, type Chooser, createStream, faultText, type Runner, type Simulation } from "@casebook/sim/kernel";
import { type NotRunReason } from "@casebook/verdict/words";
import { armsOf } from "./arms.ts";
import { explainFailure, type FailureStory } from "./explain-failure.ts";
import { hasFaults, type Playable } from "./playable.ts";

export type Played =
  | { readonly verdict: "PASS"; readonly played: Extent }
  | { readonly verdict: "FAIL"; readonly played: Extent; readonly failures: readonly FailureStory[] }
  | { readonly verdict: "NOT RUN"; readonly played: Extent; readonly reason: NotRunReason; readonly says: string }
  /** It answers no probe of this kind. */
  | { readonly verdict: "unsupported"; readonly says: string };

export interface Extent {
  readonly executions: number;
  readonly faultSets: number;
  readonly faultSetsOf: number;
}

export interface PlayOptions {
  readonly runner: Runner;
  readonly seed: number;
  /** Of the budget of each rule. */
  readonly share: number;
}

interface Found {
  readonly check: string;
  readonly says: string;
  readonly faults: readonly ArmedFault[];
  readonly token: string;
}

const PRIORITY_DEPTH = 3;

export async function playRule<Seen>(playable: Playable<Seen>, options: PlayOptions): Promise<Played> {
  const { rule, system, checks, subject } = playable;
  const { runner, seed } = options;
  const share = (count: number): number => Math.max(1, Math.ceil(count * options.share));
  const touches = createTouches();
  const found = new Map<string, Found>();
  let executions = 0;
  let faultSets = 0;
  let faultSetsOf = 0;
  let isShown = playable.shows === undefined;
  const extent = (): Extent => ({ executions, faultSets, faultSetsOf });
  const notRun = (reason: NotRunReason, says: string): Played => ({ verdict: "NOT RUN", played: extent(), reason, says });

  async function play(faults: readonly ArmedFault[], chooser: Chooser, isWatched: boolean): Promise<Simulation<Seen>> {
    const simulation = simulationOf(system, chooser, faults, undefined, isWatched);
    await playAlone(simulation.execution, runner);
    touches.learn(simulation.execution);
    executions += 1;
    return simulation;
  }

  /** Answers why there is no verdict, if there is none. */
  function note(simulation: Simulation<Seen>, faults: readonly ArmedFault[]): { readonly reason: NotRunReason; readonly says: string } | undefined {
    const judged = judge(system, simulation);
    if (judged.verdict === "not-run") return judged;
    const { execution } = simulation;
    const isUndisturbed = faults.length === 0 && hasFaults(rule.faults);
    const add = (check: string, says: string): void => {
      if (found.has(check)) return;
      const token = tokenText({ system: system.name, kernel: KERNEL_VERSION, source: "", faults, choices: execution.choices, trace: execution.hash() });
      found.set(check, { check, says, faults, token });
    };
    if (judged.verdict === "fails" && judged.check.startsWith("kernel/")) return void add(judged.check, judged.says);
    const seen = simulation.facts();
    isShown ||= playable.shows?.isShown(seen) === true;
    for (const { id, alarm } of checks) {
      // How tasks stand at the end is said for the end of the fault.
      if (isUndisturbed && id.endsWith("/states")) continue;
      const says = alarm(seen);
      if (says !== undefined) add(id, says);
    }
    return undefined;
  }

  try {
    const first = await play([], { choose: () => 0 }, true);
    const impossible = note(first, []);
    // Before it is played again, which nobody watches: who ends the process is stopped only where he is.
    if (impossible !== undefined) return notRun(impossible.reason, impossible.says);
    const again = await play([], recorded(first.execution.choices, "lenient"), false);
    if (again.execution.hash() !== first.execution.hash()) {
      return notRun("unstable-input", `ADAPTER_UNSTABLE: the same choices gave the traces ${first.execution.hash()} and ${again.execution.hash()}. Keep nothing outside of what create makes, and take time, random numbers and ids from the ports.`);
    }
    const unsupported = playable.unsupported?.(first.facts());
    if (unsupported !== undefined) return { verdict: "unsupported", says: unsupported };
    // What fails without a fault needs none, and faults would only blur it.
    if (found.size > 0) return { verdict: "FAIL", played: extent(), failures: await tell() };
    const arms = armsOf({ ...rule, budget: { ...rule.budget, arms: share(rule.budget.arms) } }, first.execution);
    faultSetsOf = arms.of;
    const point = "each" in rule.faults ? rule.faults.each.at : "the point";
    if (arms.of === 0) return notRun("unsupported", `FAULT_NEVER_FIRED: ${subject} declares ${rule.needs.join(", ") || "nothing"}, and never came to ${point}. Do it through the ${point.startsWith("disk.") ? "disk port" : "ports"}, or do not declare it.`);
    const never: string[] = [];
    for (const faults of arms.sets) {
      faultSets += 1;
      let fired = 0;
      const schedules = share(rule.budget.schedules);
      for (let schedule = 0; schedule < schedules; schedule += 1) {
        const simulation = await play(faults, chooserOf(`${rule.number} ${faults.map(faultText).join()}`, schedule, seed, touches), schedule === 0);
        const none = note(simulation, faults);
        if (none !== undefined) return found.size > 0 ? { verdict: "FAIL", played: extent(), failures: await tell() } : notRun(none.reason, none.says);
        if (simulation.execution.faults.every((state) => state.fired > 0)) fired += 1;
      }
      if (fired === 0) never.push(faults.map(faultText).join(" and "));
    }
    if (found.size > 0) return { verdict: "FAIL", played: extent(), failures: await tell() };
    if (never.length === arms.sets.length) return notRun("unsupported", `FAULT_NEVER_FIRED: ${never[0]} never fired, so nothing was seen of this rule.`);
    if (!isShown) return notRun("unsupported", `SCENE_NEVER_CAME: in ${executions} ${executions === 1 ? "execution" : "executions"} there was never ${playable.shows?.what ?? ""}, so nothing was seen of this rule.`);
    return { verdict: "PASS", played: extent() };
  } catch (failure) {
    return notRun("setup-failed", `ADAPTER_STOPPED: ${failure instanceof Error ? failure.message : String(failure)}`);
  }

  async function tell(): Promise<FailureStory[]> {
    const stories: FailureStory[] = [];
    for (const one of found.values()) stories.push(await explainFailure(playable, one, runner));
    return stories;
  }
}

function chooserOf(purpose: string, schedule: number, seed: number, touches: ReturnType<typeof createTouches>): Chooser {
  if (schedule === 0) return { choose: () => 0 };
  const stream = createStream(seed, `${purpose} ${schedule}`);
  return schedule % 2 === 1 ? randomly(stream) : byPriority(stream, PRIORITY_DEPTH, touches);
}
