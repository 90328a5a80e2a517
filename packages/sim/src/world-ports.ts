/** The ports of one world. Disk and clock have files of their own; the small ones are here. */
import type { CancelSignal, Clock, LogEntry, Ports } from "@casebook/ports";
import { createDisk } from "./disk/port.ts";
import type { Store } from "./disk/store.ts";
import { createGate, type Gate, type StepBudget } from "./gate.ts";
import type { RandomStream } from "./random.ts";
import type { TraceRecorder } from "./trace.ts";
import type { VirtualClock } from "./virtual-clock.ts";
import { WorldError } from "./world-error.ts";

export interface WorldState {
  readonly clock: VirtualClock;
  readonly store: Store;
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
    disk: createDisk({ store: state.store, gate, listings: state.listings, nowMs }),
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

function checkSleep(durationMs: number, state: WorldState): void {
  if (!Number.isFinite(durationMs) || durationMs < 0) {
    const text = `ERR_INVALID_DURATION: sleep takes a finite number of milliseconds from 0 up, not ${durationMs}`;
    throw Object.assign(new RangeError(text), { code: "ERR_INVALID_DURATION" });
  }
  if (state.budget.running) return;
  throw new WorldError(
    "WORLD_NOT_RUNNING",
    "clock.sleep was called outside world.run, where time does not move and the wait would never end. " +
      "Do the waiting inside world.run.",
  );
}
