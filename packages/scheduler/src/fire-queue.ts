/**
 * The way of a due slot to its dispatch: at most `maxConcurrent` at a time, the others wait and none is lost.
 * At most once per slot: the intent is on disk before the dispatch is called, and an intended slot is never dispatched again.
 * A dispatch that is rejected is recorded and not retried.
 */
import { type Ports, errorCode } from "@casebook/ports";
import type { Task } from "@casebook/registry/judge";
import type { DueSlot } from "./decide-pass.ts";
import { MAX_FIRE_RECORDS } from "./limits.ts";
import type { SchedulerPolicies } from "./policies.ts";
import type { FireProblem, FireRecord } from "./records.ts";
import type { SlotStage } from "./state.ts";
import type { TaskSource } from "./task-source.ts";

/** What a dispatch is handed. */
export interface DispatchOrder {
  readonly task: Task;
  readonly slotMs: number;
  /** Idempotency key: the same for the same task and slot, for ever. */
  readonly key: string;
  readonly firedAtMs: number;
  readonly reason: FireRecord["reason"];
}

/** Starts the work. Resolves when the start was accepted (or the work ended: the place under the cap is held until then); rejects when not. */
export type Dispatch = (order: DispatchOrder) => Promise<unknown>;

export interface FireQueueOptions {
  readonly source: TaskSource;
  readonly dispatch: Dispatch;
  readonly policies: SchedulerPolicies;
  readonly maxConcurrent: number;
  /** Whether the task, as it is now, has this slot. */
  hasSlot(task: Task, slotMs: number): boolean;
  /** Writes how far a slot got; rejects when it could not be written. */
  mark(slot: DueSlot, stage: SlotStage): Promise<void>;
}

export interface FireQueue {
  /** Takes due slots over and starts what may start. Also tries again what could not be read or written before. */
  take(slots: readonly DueSlot[]): void;
  /** Resolves when nothing is running and nothing that is due waits, except for what waits for the next pass. */
  idle(): Promise<void>;
  /** The next instant after `nowMs` at which a waiting slot becomes due. */
  nextDueMs(nowMs: number): number | undefined;
  /** In the order in which they were fired; the newest MAX_FIRE_RECORDS. */
  records(): readonly FireRecord[];
  readonly running: number;
  readonly waiting: number;
}

export function createFireQueue(ports: Pick<Ports, "clock" | "log" | "faults">, options: FireQueueOptions): FireQueue {
  const { clock, log, faults } = ports;
  const { policies, source, maxConcurrent } = options;
  const records: FireRecord[] = [];
  let waiting: DueSlot[] = [];
  let deferred: DueSlot[] = [];
  let onIdle: (() => void)[] = [];
  let running = 0;

  function pump(): void {
    while (running < maxConcurrent) {
      const slot = nextDue();
      if (slot === undefined) break;
      waiting = waiting.filter((other) => other !== slot);
      running += 1;
      void fire(slot).finally(() => {
        running -= 1;
        pump();
      });
    }
    if (running === 0 && nextDue() === undefined) {
      for (const resolve of onIdle) resolve();
      onIdle = [];
    }
  }

  function nextDue(): DueSlot | undefined {
    const nowMs = clock.now();
    return waiting.find((slot) => slot.dueAtMs <= nowMs);
  }

  /** Never rejects: whatever happens to one slot must not stop the others. */
  async function fire(slot: DueSlot): Promise<void> {
    let task: Task | undefined;
    try {
      task = policies.enabledRead === "at-fire-time" ? await source.read(slot.taskId) : slot.task;
      const refusal = refusalOf(slot, task);
      await options.mark(slot, refusal === undefined ? "intended" : "decided");
      if (refusal !== undefined || task === undefined) {
        record(slot, { outcome: "refused", problem: refusal, firedAtMs: clock.now() });
        return;
      }
    } catch (failure) {
      // Not dispatched and still queued on disk, so it is safe to try again.
      deferred.push(slot);
      log.write("error", "scheduler.fire-deferred", { taskId: slot.taskId, key: slot.key, ...problemOf(failure, "DEFERRED") });
      return;
    }
    await faults.reach("scheduler.after-intent");
    await dispatch(slot, task);
  }

  async function dispatch(slot: DueSlot, task: Task): Promise<void> {
    const { key, slotMs, reason } = slot;
    const firedAtMs = clock.now();
    const at = record(slot, { outcome: "running", problem: undefined, firedAtMs });
    let outcome: FireRecord["outcome"] = "dispatched";
    let problem: FireProblem | undefined;
    try {
      await options.dispatch({ task, slotMs, key, firedAtMs, reason });
      await faults.reach("scheduler.after-dispatch");
    } catch (failure) {
      outcome = "rejected";
      problem = problemOf(failure, "DISPATCH_REJECTED");
    }
    const stamped = outcome === "dispatched" && (await stamp(slot, firedAtMs));
    at.settle({ outcome, problem, stamped });
    await options.mark(slot, "decided").catch((failure: unknown) => {
      log.write("error", "scheduler.outcome-not-written", { key, ...problemOf(failure, "STATE_NOT_WRITTEN") });
    });
  }

  async function stamp(slot: DueSlot, firedAtMs: number): Promise<boolean> {
    if (policies.stamp === "scheduled-only" && slot.reason === "catch-up") return false;
    try {
      await source.stamp(slot.taskId, firedAtMs);
      return true;
    } catch (failure) {
      log.write("error", "scheduler.stamp-failed", { taskId: slot.taskId, key: slot.key, ...problemOf(failure, "STAMP_FAILED") });
      return false;
    }
  }

  function refusalOf(slot: DueSlot, task: Task | undefined): FireProblem | undefined {
    if (task === undefined) {
      return { code: "TASK_REMOVED", message: `TASK_REMOVED: ${slot.key} was due, but its task is gone; nothing was started.` };
    }
    if (policies.enabledRead !== "at-fire-time") return undefined;
    if (!task.enabled) {
      return { code: "TASK_DISABLED", message: `TASK_DISABLED: ${slot.key} was due, but its task is disabled by now; nothing was started.` };
    }
    if (policies.catchUpWeekday === "honoured" && !options.hasSlot(task, slot.slotMs)) {
      return { code: "TASK_RESCHEDULED", message: `TASK_RESCHEDULED: ${slot.key} was due, but its task has another schedule by now; nothing was started.` };
    }
    return undefined;
  }

  function record(slot: DueSlot, what: Pick<FireRecord, "outcome" | "problem" | "firedAtMs">) {
    const { taskId, slotMs, key, reason } = slot;
    let current: FireRecord = { taskId, slotMs, key, reason, stamped: false, ...what };
    records.push(current);
    if (records.length > MAX_FIRE_RECORDS) records.shift();
    tell(current);
    return {
      settle(change: Pick<FireRecord, "outcome" | "problem" | "stamped">) {
        const index = records.indexOf(current);
        current = { ...current, ...change };
        if (index >= 0) records[index] = current;
        tell(current);
      },
    };
  }

  function tell({ key, taskId, reason, outcome, problem, stamped }: FireRecord): void {
    const level = outcome === "rejected" ? "error" : outcome === "refused" ? "warning" : "info";
    log.write(level, `scheduler.fire-${outcome}`, { taskId, key, reason, stamped, code: problem?.code ?? null });
  }

  return {
    take(slots) {
      // A stable sort keeps the order of the pass among slots that are due at one instant.
      const room = policies.overflow === "queue" ? slots.length : Math.max(0, maxConcurrent - running - waiting.length);
      waiting = [...deferred, ...waiting, ...slots.slice(0, room)].sort((one, other) => one.dueAtMs - other.dueAtMs);
      // The known-bad way: what finds no place counts as decided, without a record and without a line in the log.
      for (const dropped of slots.slice(room)) void options.mark(dropped, "decided").catch(() => undefined);
      deferred = [];
      pump();
    },
    idle() {
      const done = new Promise<void>((resolve) => onIdle.push(resolve));
      pump();
      return done;
    },
    nextDueMs(nowMs) {
      const times = waiting.filter((slot) => slot.dueAtMs > nowMs).map((slot) => slot.dueAtMs);
      return times.length === 0 ? undefined : Math.min(...times);
    },
    records: () => [...records],
    get running() {
      return running;
    },
    get waiting() {
      return waiting.length + deferred.length;
    },
  };
}

function problemOf(failure: unknown, fallback: string): FireProblem {
  const code = errorCode(failure);
  return { code: code === "" ? fallback : code, message: failure instanceof Error ? failure.message : String(failure) };
}
