/**
 * The same choices twice: the only net for what the traps cannot see, such as a counter that outlives an execution or a clock that
 * was taken by another name. With two runners it compares their barriers.
 */
import type { ArmedFault, Execution, Operation, Runner, Simulation } from "@casebook/sim/kernel";
import { playAlone } from "./replay.ts";
import { simulationOf } from "./search.ts";
import { recorded } from "./strategies.ts";
import type { System } from "./system.ts";

export interface Recording {
  readonly faults: readonly ArmedFault[];
  readonly choices: readonly number[];
}

/** Of an execution that was played to its end. */
export interface Outcome {
  readonly steps: readonly string[];
  readonly hash: string;
  readonly facts: string;
}

export function recordingOf(execution: Execution): Recording {
  return { faults: execution.options.faults, choices: [...execution.choices] };
}

export function outcomeOf<Facts>({ execution, facts }: Simulation<Facts>): Outcome {
  return { steps: execution.steps.map(stepText), hash: execution.hash(), facts: JSON.stringify(facts()) ?? "" };
}

/** `worker: cell.write "row" ok 3` */
export function stepText({ process, plan, outcome, detail }: Operation): string {
  return `${process.name}: ${plan.name}${plan.object === "" ? "" : ` ${JSON.stringify(plan.object)}`} ${outcome}${detail === "" ? "" : ` ${detail}`}`;
}

/** To be played once more, watched; a choice that cannot be made is bent, so that it shows as a difference. */
export function againOf<Facts>(system: System<Facts>, { faults, choices }: Recording): Simulation<Facts> {
  return simulationOf(system, recorded(choices, "lenient"), faults, undefined, true);
}

export async function playAgain<Facts>(system: System<Facts>, recording: Recording, runner: Runner): Promise<Simulation<Facts>> {
  const simulation = againOf(system, recording);
  await playAlone(simulation.execution, runner);
  return simulation;
}

/** What differs first, with both sides; undefined: nothing does. */
export function firstDifference(one: Outcome, other: Outcome): string | undefined {
  const steps = Math.max(one.steps.length, other.steps.length);
  for (let at = 0; at < steps; at += 1) {
    if (one.steps[at] === other.steps[at]) continue;
    const [was, is] = [one, other].map((side) => (side.steps[at] === undefined ? "the end" : `\`${side.steps[at]}\``));
    return `step ${at + 1} was ${was}, and then ${is}`;
  }
  if (one.facts !== other.facts) return `the steps are equal; the facts were ${shortened(one.facts)}, and then ${shortened(other.facts)}`;
  return one.hash === other.hash ? undefined : "the steps are equal; the times, or the number of calls to choose from, are not";
}

const LONGEST_FACTS = 200;

export function shortened(facts: string): string {
  return facts.length <= LONGEST_FACTS ? facts : `${facts.slice(0, LONGEST_FACTS)}…`;
}

export function notRepeatableText(difference: string): string {
  return (
    `SYSTEM_NOT_REPEATABLE: the same choices were played twice and did not come out the same: ${difference}. ` +
    "Something that the world does not decide decides here: state that outlives an execution, a real clock, a random source."
  );
}

/** Plays a recording under two barriers, the second being the stricter. A difference means that code escaped through a real timer. */
export async function compareBarriers<Facts>(system: System<Facts>, recording: Recording, fast: Runner, strict: Runner): Promise<string | undefined> {
  const one = outcomeOf(await playAgain(system, recording, fast));
  const difference = firstDifference(one, outcomeOf(await playAgain(system, recording, strict)));
  return difference === undefined ? undefined : `under ${fast.name} and ${strict.name}: ${difference}`;
}
