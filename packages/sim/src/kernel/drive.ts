/**
 * Plays an execution to its end, with a barrier between two steps: whatever brings everything that a step set in motion to
 * rest. The synchronous one is many times faster and has to be called from a macrotask.
 */
import { macrotaskBarrier } from "../virtual-clock.ts";
import type { Execution } from "./execution.ts";

/** Runs every microtask and tick before it returns; see the `/node` entry. */
export interface SynchronousBarrier {
  readonly name: string;
  /** Throws what a user's tick threw. */
  drain(): void;
}

/** Calls back when every microtask and tick has run. A callback and no promise: one is asked for at every step. */
export interface AsynchronousBarrier {
  readonly name: string;
  whenAtRest(goOn: () => void): void;
}

/** Works everywhere: one turn of the event loop a step. */
export const macrotasks: AsynchronousBarrier = { name: "macrotask", whenAtRest: (goOn) => void macrotaskBarrier().then(goOn) };

/** From a macrotask only: inside a microtask the drain does nothing, and says nothing. */
export function playSynchronously(execution: Execution, barrier: SynchronousBarrier): void {
  // A microtask, as everywhere: begun in a macrotask, a tick of the first segment would run before its promises.
  queueStart(execution);
  do {
    drain(execution, barrier);
  } while (goesOn(execution));
}

export function play(execution: Execution, barrier: AsynchronousBarrier): Promise<void> {
  return new Promise((resolve, reject) => {
    const goOn = (): void => {
      try {
        if (goesOn(execution)) barrier.whenAtRest(goOn);
        else resolve();
      } catch (failure) {
        reject(failure);
      }
    };
    queueStart(execution);
    barrier.whenAtRest(goOn);
  });
}

/** One step, or the beginning of the heal phase, after which everything is stuck that is. */
function goesOn(execution: Execution): boolean {
  if (execution.settle() && execution.step()) return true;
  const { ending, isHealing, options } = execution;
  const canHeal = ending?.how === "finished" || ending?.how === "deadlock";
  if (isHealing || options.healMs === undefined || !canHeal) return false;
  execution.heal(options.healMs);
  return true;
}

/** Plays many executions one after the other. */
export interface Runner {
  /** Of its barrier. */
  readonly name: string;
  /** Until `next` has no more. `done` is told of each when it is over and closed. */
  run(next: () => Execution | undefined, done: (execution: Execution) => void): Promise<void>;
}

export function asynchronousRunner(barrier: AsynchronousBarrier): Runner {
  return {
    name: barrier.name,
    async run(next, done) {
      for (let execution = next(); execution !== undefined; execution = next()) {
        await play(execution, barrier);
        execution.close();
        done(execution);
      }
    },
  };
}

function queueStart(execution: Execution): void {
  void Promise.resolve().then(() => execution.start());
}

/** A tick that throws ends the drain early; one that throws each time it is tried would never let it end. */
const MAX_THROWS_IN_A_STEP = 100;

function drain(execution: Execution, barrier: SynchronousBarrier): void {
  for (let tries = 0; tries < MAX_THROWS_IN_A_STEP; tries += 1) {
    try {
      return barrier.drain();
    } catch (thrown) {
      execution.rare.escapes.push({ what: "threw-in-tick", process: execution.steps.at(-1)?.process.name ?? "", says: String(thrown) });
    }
  }
}
