/**
 * What every port operation passes through: the end of its run, the cap on steps, the trace.
 * An operation takes effect at the call; a later part parks it here and decides when.
 */
import { errorCode } from "@casebook/ports";
import type { TraceRecorder } from "./trace.ts";
import { WorldError } from "./world-error.ts";

/** Counted over the whole life of a world. */
export interface StepBudget {
  readonly maxSteps: number;
  taken: number;
  running: boolean;
}

export interface Gate {
  /** A synchronous port call. Throws WORLD_ENDED or WORLD_TIMED_OUT. */
  call<T>(operation: string, object: string, work: () => T, describe?: (value: T) => string): T;
  /** An asynchronous one. Rejects with WORLD_ENDED; never settles once the steps of a run are used up. */
  request<T>(operation: string, object: string, work: () => T, describe?: (value: T) => string): Promise<T>;
  /** Something that happened later than its call, such as the end of a wait. */
  note(operation: string, object: string, outcome: string, detail: string): void;
}

export function createGate(
  budget: StepBudget,
  trace: TraceRecorder,
  nowMs: () => number,
  isOpen: () => boolean,
): Gate {
  function note(operation: string, object: string, outcome: string, detail: string): void {
    trace.record({ operation, object, outcome, detail, atMs: nowMs() });
  }
  function call<T>(operation: string, object: string, work: () => T, describe?: (value: T) => string): T {
    if (!isOpen()) throw ended(operation, object);
    budget.taken += 1;
    if (budget.taken > budget.maxSteps) throw outOfSteps(budget);
    return attempt(operation, object, work, describe);
  }
  function attempt<T>(operation: string, object: string, work: () => T, describe?: (value: T) => string): T {
    let value: T;
    try {
      value = work();
    } catch (failure) {
      note(operation, object, errorCode(failure) || "error", "");
      throw failure;
    }
    note(operation, object, "ok", describe?.(value) ?? "");
    return value;
  }
  return {
    call,
    note,
    // Not an async function: the effect must happen at the call, and the promise itself is handed out.
    request(operation, object, work, describe) {
      const spent = budget.taken >= budget.maxSteps;
      if (isOpen() && spent && budget.running) {
        budget.taken += 1;
        // A rejection could be caught by the very loop that never ends; silence stops it.
        return new Promise(() => undefined);
      }
      try {
        return Promise.resolve(call(operation, object, work, describe));
      } catch (failure) {
        return Promise.reject(failure);
      }
    },
  };
}

export function outOfSteps(budget: StepBudget): WorldError {
  return new WorldError(
    "WORLD_TIMED_OUT",
    `more than ${budget.maxSteps} port operations; a loop over ports probably never ends. ` +
      "Look at the last events of world.trace, or raise maxSteps if the work is really that long.",
  );
}

function ended(operation: string, object: string): WorldError {
  return new WorldError(
    "WORLD_ENDED",
    `${operation} '${object}' was called through the ports of a run that is over, so its answer could no longer matter. ` +
      "Await everything inside the function given to world.run, or use world.ports to look at the world afterwards.",
  );
}
