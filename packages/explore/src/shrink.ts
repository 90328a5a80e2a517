/**
 * Makes a failing execution smaller: first fewer faults, then fewer preemptions (leaving a process that could have gone on), then
 * fewer steps. Keeps only what fails the same check. Every candidate is an execution that was played.
 */
import type { ArmedFault, Execution, Operation, Runner, Simulation } from "@casebook/sim/kernel";
import { judge } from "./judge.ts";
import { type Failure, failureOf, simulationOf } from "./search.ts";
import { following, recorded } from "./strategies.ts";
import type { System } from "./system.ts";

export interface Shrunk {
  readonly failure: Failure;
  readonly preemptions: number;
  readonly before: { readonly faults: number; readonly preemptions: number; readonly steps: number };
  /** Executions that were tried. */
  readonly tried: number;
  /** Whether every execution with fewer preemptions was tried and holds. */
  readonly isLeast: boolean;
}

interface Candidate {
  readonly failure: Failure;
  readonly preemptions: number;
}

/** Executions that may be tried. */
export const SHRINK_BUDGET = 5_000;

/** A question to whoever plays: this execution, please. Answered with what it showed, if it fails the same check. */
interface Attempt<Facts> {
  readonly simulation: Simulation<Facts>;
  readonly preemptions: () => number;
}

type Attempts<Facts, Answer> = Generator<Attempt<Facts>, Answer, Candidate | undefined>;

/** Throws SYSTEM_NOT_REPEATABLE when the failure does not fail again. */
export async function shrink<Facts>(
  system: System<Facts>,
  failure: Failure,
  runner: Runner,
  budget: number = SHRINK_BUDGET,
): Promise<Shrunk> {
  const attempts = shrinking(system, failure, budget);
  let step = attempts.next();
  // All in one run of the runner: each run of its own would cost a turn of the event loop.
  await runner.run(
    () => (step.done === true ? undefined : step.value.simulation.execution),
    () => {
      if (step.done === true) return;
      const { simulation, preemptions } = step.value;
      const judged = judge(system, simulation);
      const isSame = judged.verdict === "fails" && judged.check === failure.check;
      step = attempts.next(isSame ? { failure: failureOf(judged, simulation.execution, failure.found), preemptions: preemptions() } : undefined);
    },
  );
  return step.value as Shrunk;
}

function* shrinking<Facts>(system: System<Facts>, failure: Failure, budget: number): Attempts<Facts, Shrunk> {
  let tried = 0;
  function* attempt(order: readonly number[] | "as recorded", faults: readonly ArmedFault[]): Attempts<Facts, Candidate | undefined> {
    tried += 1;
    const chooser = order === "as recorded" ? recorded(failure.choices, "lenient") : following(order);
    return yield counted(simulationOf(system, chooser, faults));
  }
  const first = yield* attempt("as recorded", failure.faults);
  if (first === undefined) throw notRepeatable(failure);
  let best = first;
  const take = (candidate: Candidate | undefined): boolean => {
    if (candidate === undefined || !isSmaller(candidate, best)) return false;
    best = candidate;
    return true;
  };

  for (let isSmallerNow = true; isSmallerNow && tried < budget; ) {
    isSmallerNow = false;
    for (let at = 0; at < best.failure.faults.length && tried < budget; at += 1) {
      const fewer = withoutFault(best.failure.faults, at);
      if (take(yield* attempt(best.failure.order, fewer)) || take(yield* attempt([], fewer))) isSmallerNow = true;
    }
    for (const order of simplerOrders(best.failure.order)) {
      if (tried >= budget) break;
      if (take(yield* attempt(order, best.failure.faults))) {
        isSmallerNow = true;
        break;
      }
    }
  }

  let isLeast = best.preemptions === 0;
  for (let bound = 0; bound < best.preemptions && tried < budget; bound += 1) {
    const found = yield* searchWithin(system, best.failure, bound, budget - tried);
    tried += found.tried;
    if (take(found.candidate)) {
      isLeast = true;
      break;
    }
    if (!found.isExhausted) break;
    isLeast = bound + 1 === best.preemptions;
  }
  const { faults, steps } = failure;
  return {
    failure: best.failure,
    preemptions: best.preemptions,
    before: { faults: faults.length, preemptions: first.preemptions, steps },
    tried,
    isLeast,
  };
}

function counted<Facts>(simulation: Simulation<Facts>): Attempt<Facts> {
  return { simulation, preemptions: countPreemptions(simulation.execution) };
}

/** Counts while it is played, because afterwards nobody knows who could have gone on. */
function countPreemptions(execution: Execution): () => number {
  let preemptions = 0;
  const { chooser } = execution.options;
  const choose = chooser.choose.bind(chooser);
  chooser.choose = (ready, one) => {
    const chosen = choose(ready, one);
    const last = one.steps.at(-1)?.process;
    const leaves = chosen >= 0 && ready[chosen]?.process !== last;
    if (leaves && ready.some(({ process }) => process === last)) preemptions += 1;
    return chosen;
  };
  return () => preemptions;
}

function isSmaller(one: Candidate, other: Candidate): boolean {
  const sizes = (candidate: Candidate): number[] => [
    candidate.failure.faults.length,
    candidate.preemptions,
    candidate.failure.steps,
    switchesIn(candidate.failure.order),
  ];
  const [mine, theirs] = [sizes(one), sizes(other)];
  for (let at = 0; at < mine.length; at += 1) {
    if (mine[at] !== theirs[at]) return (mine[at] as number) < (theirs[at] as number);
  }
  return false;
}

function switchesIn(order: readonly number[]): number {
  return order.filter((process, at) => at > 0 && process !== order[at - 1]).length;
}

function withoutFault(faults: readonly ArmedFault[], at: number): ArmedFault[] {
  return faults
    .filter((_, index) => index !== at)
    .map((fault) => {
      if (fault.after === undefined) return fault;
      const { after, ...rest } = fault;
      return after === at ? rest : { ...rest, after: after > at ? after - 1 : after };
    });
}

/** Orders with fewer changes: a block of one process moved to its block before or behind, or left out; the tail cut. */
function* simplerOrders(order: readonly number[]): Generator<number[]> {
  const blocks = blocksOf(order);
  for (let size = Math.ceil(order.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) yield order.slice(0, order.length - size);
  for (let at = 0; at < blocks.length; at += 1) {
    const block = blocks[at] as number[];
    yield blocks.filter((_, index) => index !== at).flat();
    const earlier = blocks.findLastIndex((other, index) => index < at - 1 && other[0] === block[0]);
    if (earlier !== -1) yield moved(blocks, at, earlier + 1);
    const later = blocks.findIndex((other, index) => index > at + 1 && other[0] === block[0]);
    if (later !== -1) yield moved(blocks, at, later - 1);
  }
}

function moved(blocks: readonly number[][], from: number, to: number): number[] {
  const rest = blocks.filter((_, index) => index !== from);
  return [...rest.slice(0, to), blocks[from] as number[], ...rest.slice(to)].flat();
}

function blocksOf(order: readonly number[]): number[][] {
  const blocks: number[][] = [];
  for (const process of order) {
    const last = blocks.at(-1);
    if (last?.[0] === process) last.push(process);
    else blocks.push([process]);
  }
  return blocks;
}

/** All executions with so many preemptions at most, until one fails the check. */
function* searchWithin<Facts>(
  system: System<Facts>,
  failure: Failure,
  bound: number,
  budget: number,
): Attempts<Facts, { candidate: Candidate | undefined; isExhausted: boolean; tried: number }> {
  const stack: { options: number[]; at: number }[] = [];
  let depth = 0;
  let left = bound;
  let tried = 0;
  let candidate: Candidate | undefined;
  let isExhausted = false;
  while (candidate === undefined && !isExhausted && tried < budget) {
    depth = 0;
    left = bound;
    tried += 1;
    const chooser = {
      choose(ready: readonly Operation[], execution: Execution): number {
        if (ready.length === 1) return 0;
        const last = execution.steps.at(-1)?.process;
        const stays = ready.flatMap(({ process }, at) => (process === last ? [at] : []));
        if (depth === stack.length) {
          const leaves = ready.flatMap(({ process }, at) => (process === last ? [] : [at]));
          stack.push({ options: stays.length === 0 || left > 0 ? [...stays, ...leaves] : stays, at: 0 });
        }
        const { options, at } = stack[depth] as { options: number[]; at: number };
        depth += 1;
        const chosen = options[at] as number;
        if (stays.length > 0 && !stays.includes(chosen)) left -= 1;
        return chosen;
      },
    };
    candidate = yield counted(simulationOf(system, chooser, failure.faults));
    stack.length = Math.min(stack.length, depth);
    for (;;) {
      const top = stack.at(-1);
      if (top === undefined) {
        isExhausted = true;
        break;
      }
      top.at += 1;
      if (top.at < top.options.length) break;
      stack.pop();
    }
  }
  return { candidate, isExhausted, tried };
}

function notRepeatable(failure: Failure): Error {
  return Object.assign(
    new Error(
      `SYSTEM_NOT_REPEATABLE: ${failure.check} failed, and the same choices did not make it fail again. Something that the world does not ` +
        "decide decides here: state that outlives an execution, a real clock, a random source.",
    ),
    { code: "SYSTEM_NOT_REPEATABLE" },
  );
}
