/**
 * Whether processes share state that the world does not see. Two neighbouring steps that touch nothing in common are played in
 * the other order: each process must see what it saw before. Finds what changes an answer or what a process does next; leaves
 * out state that is shared and makes no difference in the executions that were tried.
 */
import { type Chooser, conflict, type Execution, type Operation, type Runner, type Simulation } from "@casebook/sim/kernel";
import { playAlone } from "./replay.ts";
import { stepText } from "./repeat.ts";
import { simulationOf } from "./search.ts";
import type { System } from "./system.ts";

/** Positions of steps whose next one could have been taken before them, and has nothing to do with them. */
export function swappable({ steps, chosenSteps, moments }: Execution): number[] {
  const times = new Set(moments);
  const found: number[] = [];
  for (let at = 0; at + 1 < chosenSteps; at += 1) {
    const [one, two] = [steps[at], steps[at + 1]] as [Operation, Operation];
    // The second was there already, and no time passed between them.
    if (two.cause < at && !times.has(at + 1) && !conflict(one, two)) found.push(at);
  }
  return found;
}

/** Plays it with steps `at` and `at + 1` in the other order; answers what differs for some process, or undefined. */
export async function swapDifference<Facts>(system: System<Facts>, { execution }: Simulation<Facts>, at: number, runner: Runner): Promise<string | undefined> {
  const { steps, chosenSteps } = execution;
  const wanted = steps.slice(0, chosenSteps);
  const [one, two] = [steps[at], steps[at + 1]] as [Operation, Operation];
  wanted.splice(at, 2, two, one);
  const order = followingExactly(wanted, at + 2);
  const other = simulationOf(system, order, execution.options.faults);
  await playAlone(other.execution, runner);
  const { missing } = order;
  // The second could not go first after all.
  if (missing !== undefined && missing <= at + 1) return undefined;
  const swapped = `steps ${at + 1} and ${at + 2}, \`${stepText(one)}\` and \`${stepText(two)}\`,`;
  const change = missing === undefined ? projectedDifference(wanted, other.execution) : `\`${stepText(wanted[missing] as Operation)}\` did not come any more`;
  if (change === undefined) return undefined;
  return (
    `SYSTEM_SHARES_STATE: ${swapped} touch nothing in common, and in the other order ${change}. ` +
    "Processes share something that is no port: a variable outside of `start`, a file of the machine. Put it into a cell, a lock, a message or the disk."
  );
}

/** Up to `from`, the very operations; behind it, calls of the same kind, as counts of calls may have changed places as well. */
function followingExactly(wanted: readonly Operation[], from: number): Chooser & { readonly missing: number | undefined } {
  let missing: number | undefined;
  return {
    get missing() {
      return missing;
    },
    choose(ready, { steps }) {
      const next = wanted[steps.length];
      if (next === undefined) return -1;
      const isSame = steps.length < from ? isOperation : isOfKind;
      const found = ready.findIndex((operation) => isSame(operation, next));
      if (found === -1) missing = steps.length;
      return found;
    },
  };
}

function isOperation(one: Operation, other: Operation): boolean {
  return one.process.index === other.process.index && one.seq === other.seq;
}

function isOfKind({ process, plan }: Operation, other: Operation): boolean {
  return process.index === other.process.index && plan.name === other.plan.name && plan.object === other.plan.object;
}

function projectedDifference(wanted: readonly Operation[], execution: Execution): string | undefined {
  const played = execution.steps.slice(0, execution.chosenSteps);
  if (played.length !== wanted.length) return `${played.length} steps were taken and not ${wanted.length}`;
  for (const process of execution.processes) {
    const ofProcess = (steps: readonly Operation[]): string[] => steps.filter((step) => step.process.index === process.index).map(stepText);
    const [before, after] = [ofProcess(wanted), ofProcess(played)];
    const at = before.findIndex((step, index) => step !== after[index]);
    if (at !== -1) return `\`${before[at]}\` became \`${after[at]}\``;
  }
  return undefined;
}
