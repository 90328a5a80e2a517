/**
 * Whether processes share state that the world does not see. Steps that touch nothing in common are played in another order, in
 * which every process must see what it saw before, and the facts must be what they were. Finds what changes an answer, what a
 * process does next, or what the checks are given; leaves out state that is shared and makes no difference in the executions and
 * orders that were tried.
 */
import { type Chooser, conflict, createStream, type Execution, type Operation, type Runner, type Simulation } from "@casebook/sim/kernel";
import { playInTurn, type Plays } from "./replay.ts";
import type { Conflicts } from "./races.ts";
import { shortened, stepText } from "./repeat.ts";
import { simulationOf } from "./search.ts";
import type { System } from "./system.ts";

/** Longer ones are not tried: all pairs of steps are compared. */
const MAX_STEPS = 1_000;

/** Picks the next of the steps that may come now, in the order of the execution. */
type Pick = (free: readonly Operation[], last: Operation | undefined) => Operation;

export interface OrderOptions {
  /** Beside two orders that are not random. */
  readonly randomOrders: number;
  /** What the search went by. Default: the kernel's answer. */
  readonly conflicts?: Conflicts;
  /** Whether the search left out orders, so that the checks may not tell them apart either. Default true. */
  readonly isReduced?: boolean;
}

/** Plays an execution in other orders of the same steps; answers how one of them differs for a process or a check, or undefined. */
export function orderDifference<Facts>(system: System<Facts>, simulation: Simulation<Facts>, runner: Runner, options: OrderOptions): Promise<string | undefined> {
  return playInTurn(playsInOtherOrders(system, simulation, options), runner);
}

/** As `orderDifference`, for whoever plays something else in the same run. */
export function* playsInOtherOrders<Facts>(
  system: System<Facts>,
  simulation: Simulation<Facts>,
  { randomOrders, conflicts = conflict, isReduced = true }: OrderOptions,
): Plays<string | undefined> {
  const { execution } = simulation;
  if (execution.chosenSteps > MAX_STEPS) return undefined;
  const befores = whatComesBefore(execution, conflicts);
  const stream = createStream(execution.chosenSteps, "orders that make no difference");
  const picks: Pick[] = [inTurns, lastProcessFirst, ...Array.from({ length: randomOrders }, (): Pick => (free) => free[stream.below(free.length)] as Operation)];
  for (const pick of picks) {
    const order = reordered(execution, befores, pick);
    // Every step waits for the one before it, as those of one process do: there is no other order.
    if (order.every((step, at) => step.step === at)) continue;
    const chooser = following(execution, order);
    const other = simulationOf(system, chooser, execution.options.faults);
    yield other.execution;
    // A check of each step ended it: what came so far is no other order of all the steps.
    if (other.execution.ending?.how === "violated") {
      if (isReduced && execution.ending?.how !== "violated") return seesMoreText(other.execution.ending.says);
      continue;
    }
    const change = changeIn(order, other.execution, chooser.missing);
    if (change !== undefined) return sharedText(change);
    if (!isReduced || execution.ending?.how === "violated") continue;
    const [was, is] = [simulation, other].map(({ facts }) => JSON.stringify(facts()) ?? "");
    if (was !== is) return factsText(was as string, is as string);
  }
  return undefined;
}

const ANOTHER_ORDER = "steps that touch nothing in common were played in another order, and";

function factsText(was: string, is: string): string {
  return (
    `SYSTEM_FACTS_SEE_ORDER: ${ANOTHER_ORDER} the facts ${shortened(was)} became ${shortened(is)}. The search leaves out such orders, so no ` +
    "check may see them. Keep a list for each process, sort what has no order, or play every order with `--plain`."
  );
}

function seesMoreText(says: string): string {
  return (
    `SYSTEM_CHECK_READS_MORE: ${ANOTHER_ORDER} a check of each step failed in it: ${says}. The search leaves out such orders. Name in ` +
    "`reads` every cell, lock and disk that the check looks at, spelled as in `build`, or leave `reads` out."
  );
}

function sharedText(change: string): string {
  return (
    `SYSTEM_SHARES_STATE: ${ANOTHER_ORDER} ${change}. ` +
    "Processes share something that is no port: a variable outside of `start`, a file of the machine. Put it into a cell, a lock, a message or the disk."
  );
}

/** For each step the positions of those that have to come before it. */
function whatComesBefore({ steps, chosenSteps, moments }: Execution, conflicts: Conflicts): number[][] {
  const times = new Set(moments);
  let moment = 0;
  return steps.slice(0, chosenSteps).map((step, at) => {
    if (times.has(at)) moment = at;
    const before: number[] = [];
    for (let earlier = 0; earlier < at; earlier += 1) {
      if (earlier < moment || step.cause === earlier || conflicts(steps[earlier] as Operation, step)) before.push(earlier);
    }
    return before;
  });
}

function reordered({ steps, chosenSteps }: Execution, befores: readonly number[][], pick: Pick): Operation[] {
  const order: Operation[] = [];
  const open = befores.map(({ length }) => length);
  const behind: number[][] = befores.map(() => []);
  befores.forEach((own, at) => own.forEach((before) => behind[before]?.push(at)));
  const isTaken = open.map(() => false);
  while (order.length < chosenSteps) {
    const free = steps.slice(0, chosenSteps).filter((_, at) => !isTaken[at] && open[at] === 0) as Operation[];
    // Of alternatives one is taken before anything else can be.
    const next = free.find(({ plan }) => plan.alternative !== undefined) ?? pick(free, order.at(-1));
    isTaken[next.step] = true;
    for (const at of behind[next.step] ?? []) (open[at] as number) -= 1;
    order.push(next);
  }
  return order;
}

const inTurns: Pick = (free, last) => {
  const turn = last === undefined ? 0 : last.process.index + 1;
  return free.find(({ process }) => process.index >= turn) ?? (free[0] as Operation);
};

const lastProcessFirst: Pick = (free) => free.reduce((one, other) => (other.process.index > one.process.index ? other : one));

/** `missing`: a step that could not be taken in its turn. */
function changeIn(order: readonly Operation[], execution: Execution, missing: Operation | undefined): string | undefined {
  if (missing !== undefined) return `\`${stepText(missing)}\` did not come any more`;
  const played = execution.steps.slice(0, execution.chosenSteps);
  for (const process of execution.processes) {
    const ofProcess = (steps: readonly Operation[]): string[] => steps.filter((step) => step.process.index === process.index).map(stepText);
    const [was, is] = [ofProcess(order), ofProcess(played)];
    for (let at = 0; at < Math.max(was.length, is.length); at += 1) {
      if (was[at] !== is[at]) return `${was[at] === undefined ? "the end" : `\`${was[at]}\``} of ${process.name} became ${is[at] === undefined ? "the end" : `\`${is[at]}\``}`;
    }
  }
  return undefined;
}

/**
 * Takes the steps in this order. Counts of calls change places with the steps of others, so a step is known by its process, its
 * kind, and how many of that kind were called at the process before.
 */
function following(before: Execution, order: readonly Operation[]): Chooser & { readonly missing: Operation | undefined } {
  let missing: Operation | undefined;
  return {
    get missing() {
      return missing;
    },
    choose(ready, execution) {
      const wanted = order[execution.steps.length];
      if (wanted === undefined) return -1;
      const alike = ready.filter((operation) => isOfKind(operation, wanted));
      const nth = alike.length === 0 ? undefined : nthOfKind(before, wanted);
      const found = alike.find((operation) => nthOfKind(execution, operation) === nth);
      if (found !== undefined) return ready.indexOf(found);
      missing = wanted;
      return -1;
    },
  };
}

/** How many of its kind were called before it at its process. Counted for one, because a play asks for one at each step. */
function nthOfKind({ steps, parked, alternatives, seen }: Execution, operation: Operation): number {
  let upToIt = 0;
  const count = (other: Operation): void => {
    if (other.seq <= operation.seq && isOfKind(other, operation)) upToIt += 1;
  };
  steps.forEach(count);
  parked.forEach(count);
  alternatives.forEach(count);
  seen.forgotten.forEach((forgotten) => count(forgotten.operation));
  return upToIt - 1;
}

function isOfKind({ process, plan }: Operation, other: Operation): boolean {
  return process.index === other.process.index && plan.name === other.plan.name && plan.object === other.plan.object;
}
