/** For the tests of the kernel: plays one execution to its end and keeps what can be said about it. */
import type { ArmedFault } from "./armed-fault.ts";
import { macrotasks, play } from "./drive.ts";
import type { Chooser, Ending, Execution } from "./execution.ts";
import type { Operation } from "./operation.ts";
import { createSimulation, type SimulationOptions, type Space } from "./simulation.ts";

export interface Played {
  readonly execution: Execution;
  readonly ending: Ending | undefined;
  readonly states: ReturnType<Space["states"]>;
  readonly log: Space["log"];
  /** `a: cell.read "x" 3`, in the order in which they were taken. */
  readonly steps: readonly string[];
}

export interface PlayOptions extends Omit<SimulationOptions, "chooser" | "faults"> {
  readonly chooser?: Chooser;
  readonly faults?: readonly ArmedFault[];
}

/** Always the first: the processes run one after the other, in the order of their declaration. */
export const inOrder: Chooser = { choose: () => 0 };

/** Always the last: a process that was declared later goes first. */
export const backwards: Chooser = { choose: (ready) => ready.length - 1 };

export async function playOut(build: (space: Space) => void, { chooser = inOrder, ...options }: PlayOptions = {}): Promise<Played> {
  let space!: Space;
  const { execution } = createSimulation(
    (given) => {
      space = given;
      build(given);
      return { facts: () => undefined };
    },
    { ...options, chooser },
  );
  await play(execution, macrotasks);
  execution.close();
  const { ending } = execution;
  return { execution, ending, states: space.states(), log: space.log, steps: execution.steps.map(stepText) };
}

function stepText({ process, plan, outcome, detail }: Operation): string {
  const object = plan.object === "" ? "" : ` ${JSON.stringify(plan.object)}`;
  return `${process.name}: ${plan.name}${object}${outcome === "ok" ? "" : ` ${outcome}`}${detail === "" ? "" : ` ${detail}`}`;
}

/** Every execution there is, at most `limit`: for small systems whose orders a test wants to see all. */
export async function everyOrder<T>(play: (chooser: Chooser) => Promise<T>, limit = 1_000): Promise<T[]> {
  const all: T[] = [];
  const stack: { chosen: number; of: number }[] = [];
  for (let isMore = true; isMore; ) {
    let depth = 0;
    all.push(
      await play({
        choose(ready) {
          if (ready.length === 1) return 0;
          if (depth === stack.length) stack.push({ chosen: 0, of: ready.length });
          depth += 1;
          return (stack[depth - 1] as { chosen: number }).chosen;
        },
      }),
    );
    if (all.length > limit) throw new Error(`more than ${limit} orders`);
    while (stack.length > 0 && lastOf(stack).chosen + 1 === lastOf(stack).of) stack.pop();
    isMore = stack.length > 0;
    if (isMore) lastOf(stack).chosen += 1;
  }
  return all;
}

function lastOf<T>(items: readonly T[]): T {
  return items[items.length - 1] as T;
}
