/**
 * Barriers that need Node. The synchronous one runs every microtask and every tick inside one call; it rests on a function that
 * Node does not document (DEP0134), so it is captured at import, tried out once, and given up for documented ones when it
 * does not do what is asked.
 */
import type { AsynchronousBarrier, SynchronousBarrier } from "../kernel/drive.ts";

type Drain = () => void;

// As it is at import: a trap for code under test may stand at the name later.
const hop = setImmediate;
const captured: unknown = (process as unknown as { _tickCallback?: unknown })._tickCallback;

/** Undefined where this Node has none that works. Use what it answers from a macrotask: see `inMacrotask`. */
export async function synchronousBarrier(): Promise<SynchronousBarrier | undefined> {
  if (typeof captured !== "function") return undefined;
  const drain = captured.bind(process) as Drain;
  // Tried in a macrotask as well: the caller is in a microtask, where it does nothing.
  return (await inMacrotask(() => drainsEverything(drain))) ? { name: "checkpoint", drain } : undefined;
}

/** Whether promises and ticks that set each other off have all run when the call returns. */
function drainsEverything(drain: Drain): boolean {
  const seen: string[] = [];
  void Promise.resolve().then(() => {
    seen.push("promise");
    process.nextTick(() => {
      seen.push("tick");
      void Promise.resolve().then(() => seen.push("promise of a tick"));
    });
  });
  try {
    drain();
  } catch {
    return false;
  }
  return seen.length === 3;
}

/** The strictest: a whole turn of the event loop. Other barriers are compared with it. */
export const immediates: AsynchronousBarrier = {
  name: "setImmediate",
  whenAtRest: (goOn) => void hop(goOn),
};

/**
 * Documented calls only: a tick behind all microtasks, taken again for as long as the code under test queues ticks of its own.
 * One who counts ticks sees those of everybody, so only one execution may run at a time.
 */
export function tickBarrier(): AsynchronousBarrier & { uninstall(): void } {
  const original = process.nextTick;
  let queued = 0;
  process.nextTick = function nextTick(callback: (...given: unknown[]) => void, ...given: unknown[]): void {
    queued += 1;
    original(callback, ...given);
  } as typeof process.nextTick;
  return {
    name: "nextTick",
    whenAtRest(goOn) {
      const again = (): void => {
        const before = queued;
        // From a microtask, so that the tick comes behind all of them.
        queueMicrotask(() => original(() => (queued === before ? goOn() : again())));
      };
      again();
    },
    uninstall: () => void (process.nextTick = original),
  };
}

/** Answers in a macrotask, where the synchronous barrier works. */
export function inMacrotask<T>(work: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    hop(() => {
      try {
        resolve(work());
      } catch (failure) {
        reject(failure);
      }
    });
  });
}
