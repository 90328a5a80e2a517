/**
 * The ports of one world, and the gate that every operation at them passes through: the end of its run, the cap on steps,
 * the trace. An operation takes effect at the call; a later part parks it at the gate and decides when. Disk and clock have
 * files of their own; the small ports are here.
 */
import { type CancelSignal, type Clock, errorCode, type LogEntry, type Ports } from "@casebook/ports";
import { recording } from "./disk/changes.ts";
import { createDisk } from "./disk/port.ts";
import type { Store } from "./disk/store.ts";
import type { RandomStream } from "./random.ts";
import type { TraceRecorder } from "./trace.ts";
import type { VirtualClock } from "./virtual-clock.ts";
import type { Gate } from "./gate.ts";
import { WorldError } from "./world-options.ts";
import { createWatch, tellAll, type Watchers } from "./world-watch.ts";

export interface WorldState {
  readonly clock: VirtualClock;
  readonly store: Store;
  readonly watchers: Watchers;
  readonly listings: RandomStream;
  readonly trace: TraceRecorder;
  readonly log: (LogEntry & { readonly atMs: number })[];
  readonly budget: StepBudget;
  idsGiven: number;
}

export function createPorts(state: WorldState, isOpen: () => boolean): Ports {
  const nowMs = (): number => state.clock.now();
  const gate = createGate(state.budget, state.trace, nowMs, isOpen);
  return {
    clock: createClockPort(state, gate),
    disk: createDisk({ store: state.store, gate: createDiskGate(state, gate), listings: state.listings, nowMs }),
    watch: createWatch(state.store, gate, state.watchers),
    ids: {
      next(prefix) {
        const make = (): string => {
          state.idsGiven += 1;
          return `${prefix}-${String(state.idsGiven).padStart(4, "0")}`;
        };
        return gate.call("ids.next", prefix, make, (id) => id);
      },
    },
    log: {
      write(level, event, facts = {}) {
        const keep = (): void => void state.log.push({ level, event, facts: { ...facts }, atMs: nowMs() });
        gate.call("log.write", event, keep, () => `${level} ${JSON.stringify(facts)}`);
      },
    },
    faults: {
      // Arming comes later; reaching is in the trace so that a spelling can be checked.
      reach: (point) => gate.request("faults.reach", point, () => undefined),
    },
  };
}

/** Whoever watches is told what an operation changed. */
function createDiskGate({ store, watchers }: WorldState, gate: Gate): Gate {
  const request: Gate["request"] = (operation, object, work, describe) => {
    const told: typeof work = () => (watchers.size === 0 ? work() : recording(store, work, (records) => tellAll(watchers, records)));
    return gate.request(operation, object, told, describe);
  };
  return { ...gate, request };
}

function createClockPort(state: WorldState, gate: Gate): Clock {
  return {
    now: () => gate.call("clock.now", "", () => state.clock.now()),
    sleep(durationMs, cancel) {
      const start = (): { ended: Promise<"elapsed" | "cancelled"> } => {
        checkSleep(durationMs, state);
        return { ended: wait(state, gate, durationMs, cancel) };
      };
      // In a box: `request` must answer when the wait has begun, not when it has ended.
      return gate.request("clock.sleep", "", start, () => String(durationMs)).then(({ ended }) => ended);
    },
  };
}

function wait(
  state: WorldState,
  gate: Gate,
  durationMs: number,
  cancel: CancelSignal | undefined,
): Promise<"elapsed" | "cancelled"> {
  return new Promise((resolve) => {
    state.clock.wait(durationMs, cancel, (how) => {
      gate.note("clock.wake", "", how, String(durationMs));
      resolve(how);
    });
  });
}

/** Throws ERR_INVALID_DURATION. */
export function checkDuration(durationMs: number): void {
  if (Number.isFinite(durationMs) && durationMs >= 0) return;
  const text = `ERR_INVALID_DURATION: sleep takes a finite number of milliseconds from 0 up, not ${durationMs}`;
  throw Object.assign(new RangeError(text), { code: "ERR_INVALID_DURATION" });
}

function checkSleep(durationMs: number, state: WorldState): void {
  checkDuration(durationMs);
  if (state.budget.running) return;
  throw new WorldError(
    "WORLD_NOT_RUNNING",
    "clock.sleep was called outside world.run, where time does not move and the wait would never end. " +
      "Do the waiting inside world.run.",
  );
}

/** Counted over the whole life of a world. */
export interface StepBudget {
  readonly maxSteps: number;
  taken: number;
  running: boolean;
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
