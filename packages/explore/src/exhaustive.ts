/**
 * Depth-first through all schedules: plain, or without those that differ only in the order of steps that have nothing to do
 * with each other. Two reductions work together: sleep sets (what was tried and is still independent need not be tried again)
 * and backtracking only where a race was seen. There is no bound on preemptions: with sleep sets it would lose final states.
 */
import { type Chooser, conflict, type Execution, type Operation } from "@casebook/sim/kernel";
import { type Conflicts, racesOf } from "./races.ts";

export type Reduction = "plain" | "sleep-sets" | "races";

/** A choice on the way that is being tried. */
interface Node {
  /** Names of what could be taken, in order. */
  readonly ready: readonly number[];
  /** Tried before, on another way, and independent of everything since. */
  readonly sleeping: ReadonlySet<number>;
  readonly tried: Set<number>;
  /** To be tried; under the first two reductions everything. */
  readonly wanted: Set<number>;
  taken: number;
}

export interface Exhaustive extends Chooser {
  /** Before each execution. */
  begin(): void;
  /** After each; false: there is no other schedule left. */
  end(execution: Execution): boolean;
  /** Given up because everything that could be taken was tried elsewhere. */
  readonly blocked: number;
}

/** `conflicts`: whether the order of two steps can matter. Anything narrower than the kernel's answer loses final states. */
export function createExhaustive(reduction: Reduction, conflicts: Conflicts = conflict): Exhaustive {
  const nodes: Node[] = [];
  let depth = 0;
  let kept = 0;
  let blocked = 0;
  let sleepingNext: Set<number> = new Set();

  function choose(ready: readonly Operation[]): number {
    if (depth === nodes.length) {
      const names = ready.map(nameOf);
      const awake = names.find((name) => !sleepingNext.has(name));
      if (awake === undefined) {
        blocked += 1;
        return -1;
      }
      // Of alternatives only one happens, so no race tells of the others.
      const isOneOfSome = ready[0]?.plan.alternative !== undefined;
      const wanted = new Set(reduction === "races" && !isOneOfSome ? [awake] : names);
      nodes.push({ ready: names, sleeping: sleepingNext, tried: new Set(), wanted, taken: awake });
    }
    const node = nodes[depth] as Node;
    depth += 1;
    const at = node.ready.indexOf(node.taken);
    const operation = ready[at];
    if (operation === undefined || nameOf(operation) !== node.taken) throw diverged(depth);
    if (reduction !== "plain" && depth === nodes.length) sleepingNext = sleepersAfter(node, ready, operation, conflicts);
    return at;
  }

  function end(execution: Execution): boolean {
    if (reduction === "races") learn(execution);
    // A run that was given up has a shorter way than the one before it, never a longer one.
    nodes.length = Math.min(nodes.length, execution.chosenSteps);
    for (;;) {
      const node = nodes.at(-1);
      if (node === undefined) return false;
      node.tried.add(node.taken);
      const next = node.ready.find((name) => node.wanted.has(name) && !node.tried.has(name) && !node.sleeping.has(name));
      if (next !== undefined) {
        node.taken = next;
        kept = nodes.length - 1;
        return true;
      }
      nodes.pop();
    }
  }

  function learn(execution: Execution): void {
    const { steps, chosenSteps, moments, leftOver, seen } = execution;
    const left = leftOver.map((operation) => ({ operation, atStep: chosenSteps - 1 }));
    const executed = { steps, chosenSteps, moments, untaken: [...seen.forgotten, ...left] };
    const wasReady = (at: number, operation: Operation): boolean => nodes[at]?.ready.includes(nameOf(operation)) === true;
    for (const { at, initials } of racesOf(executed, kept, wasReady, conflicts)) {
      const node = nodes[at] as Node;
      const names = initials.map(nameOf);
      // One that sleeps leads to schedules that were seen.
      if (names.some((name) => node.wanted.has(name) || node.tried.has(name) || node.sleeping.has(name))) continue;
      node.wanted.add(names[0] as number);
    }
  }

  return {
    choose,
    asksConflicts: reduction !== "plain",
    end,
    begin: () => {
      depth = 0;
      sleepingNext = new Set();
    },
    get blocked() {
      return blocked;
    },
  };
}

function sleepersAfter(node: Node, ready: readonly Operation[], taken: Operation, conflicts: Conflicts): Set<number> {
  const sleepers = new Set<number>();
  for (const operation of ready) {
    const name = nameOf(operation);
    if (operation === taken || !(node.sleeping.has(name) || node.tried.has(name))) continue;
    if (!conflicts(operation, taken)) sleepers.add(name);
  }
  return sleepers;
}

/** The same in every execution with the same beginning. */
function nameOf({ process, seq }: Operation): number {
  return process.index * 2 ** 32 + seq;
}

function diverged(depth: number): Error {
  return Object.assign(
    new Error(
      `SYSTEM_NOT_REPEATABLE: the same choices led elsewhere at step ${depth}. Something that the world does not decide decides here: ` +
        "state that outlives an execution, a real clock, a random source. Play it twice and compare the traces.",
    ),
    { code: "SYSTEM_NOT_REPEATABLE" },
  );
}
