/**
 * The way of a due slot to its dispatch: at most `maxConcurrent` at a time, the others wait and none is lost.
 * At most once per slot: the intent is on disk before the dispatch is called, and an intended slot is never dispatched again.
 * A dispatch that is rejected is recorded and not retried. A slot whose task cannot be read waits for the next pass.
 */
import type { Ports } from "@casebook/ports";
import type { Task } from "@casebook/registry/judge";
import type { DueSlot } from "./decide-pass.ts";
import type { Calendars } from "./judge/calendar.ts";
import { MAX_LOOK_BACK_MS, type SchedulerPolicies } from "./policies.ts";
import { createFireRecords, describeFailure, type FireProblem, type FireRecord } from "./records.ts";
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

/**
 * Starts the work. Resolves when the start was accepted, or when the work has ended if it is to hold its place under the
 * cap until then. Rejects when nothing was started.
 */
export type Dispatch = (order: DispatchOrder) => Promise<unknown>;

export interface FireQueueOptions {
  readonly source: TaskSource;
  readonly dispatch: Dispatch;
  readonly policies: SchedulerPolicies;
  readonly maxConcurrent: number;
  readonly calendars: Calendars;
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
  fires(): readonly FireRecord[];
  readonly running: number;
  readonly waiting: number;
}

export function createFireQueue(ports: Pick<Ports, "clock" | "log" | "faults">, options: FireQueueOptions): FireQueue {
  const { clock, log, faults } = ports;
  const { policies, source, maxConcurrent } = options;
  const records = createFireRecords(log);
  let waiting: DueSlot[] = [];
  /** Could not be read or written; tried again with the next pass. */
  let deferred: DueSlot[] = [];
  let whenIdle: (() => void)[] = [];
  let running = 0;
  /** Outcomes on their way to the disk. */
  let deciding = 0;

  function pump(): void {
    while (running < maxConcurrent) {
      const slot = firstDue();
      if (slot === undefined) break;
      waiting.shift();
      running += 1;
      void fire(slot).finally(() => {
        running -= 1;
        pump();
      });
    }
    if (running > 0 || deciding > 0 || firstDue() !== undefined) return;
    for (const resolve of whenIdle) resolve();
    whenIdle = [];
  }

  function firstDue(): DueSlot | undefined {
    const nowMs = clock.now();
    // Sorted, so when the first is not due none is.
    const [first] = waiting;
    return first !== undefined && first.dueAtMs <= nowMs ? first : undefined;
  }

  /** Never rejects: whatever happens to one slot must not stop the others. */
  async function fire(slot: DueSlot): Promise<void> {
    let task: Task | undefined;
    try {
      const seen = await lookAt(slot);
      task = seen.task;
      const problem = seen.problem;
      await options.mark(slot, problem === undefined ? "intended" : "decided");
      if (problem !== undefined) records.add(slot, { outcome: "refused", problem, firedAtMs: clock.now() });
      if (problem !== undefined || task === undefined) return;
    } catch (failure) {
      // Not dispatched, and still queued on disk: safe to try again.
      deferred.push(slot);
      const { code, message } = describeFailure(failure, "FIRE_DEFERRED");
      log.write("error", "scheduler.fire-deferred", { taskId: slot.taskId, key: slot.key, code, message });
      return;
    }
    await dispatch(slot, task);
  }

  /**
   * The task of a slot, and why the slot may not be dispatched any more. Throws while nobody can say: a registry that gives no
   * answer, a task that is set aside, a schedule that cannot be read. After MAX_LOOK_BACK_MS that is the reason to refuse it.
   */
  async function lookAt(slot: DueSlot): Promise<{ task: Task | undefined; problem: FireProblem | undefined }> {
    try {
      const isListed = policies.enabledRead !== "at-fire-time" && slot.task !== undefined;
      const task = isListed ? slot.task : await source.read(slot.taskId);
      return { task, problem: refusalOf(slot, task, policies, options.calendars) };
    } catch (failure) {
      if (slot.slotMs > clock.now() - MAX_LOOK_BACK_MS) throw failure;
      const { code, message } = describeFailure(failure, "TASK_UNREADABLE");
      return { task: undefined, problem: { code, message: `${message} ${slot.key} waited for as long as anybody looks back; nothing was started.` } };
    }
  }

  async function dispatch(slot: DueSlot, task: Task): Promise<void> {
    const { key, slotMs, reason } = slot;
    let record: ReturnType<typeof records.add> | undefined;
    try {
      await faults.reach("scheduler.after-intent");
      const firedAtMs = clock.now();
      record = records.add(slot, { outcome: "running", problem: undefined, firedAtMs });
      await options.dispatch({ task, slotMs, key, firedAtMs, reason });
      await faults.reach("scheduler.after-dispatch");
      record.settle({ outcome: "dispatched", problem: undefined, stamped: await stamp(slot, firedAtMs) });
    } catch (failure) {
      const rejected = { outcome: "rejected", problem: describeFailure(failure, "DISPATCH_REJECTED") } as const;
      if (record === undefined) records.add(slot, { ...rejected, firedAtMs: clock.now() });
      else record.settle({ ...rejected, stamped: false });
    }
    void decide(slot);
  }

  /** Nobody waits for an outcome: it shares the write of the next intent. Without it a restart says interrupted. */
  async function decide(slot: DueSlot): Promise<void> {
    deciding += 1;
    try {
      await options.mark(slot, "decided");
    } catch (failure) {
      log.write("error", "scheduler.outcome-not-written", { key: slot.key, ...describeFailure(failure, "STATE_NOT_WRITTEN") });
    }
    deciding -= 1;
    pump();
  }

  async function stamp({ taskId, key, reason }: DueSlot, firedAtMs: number): Promise<boolean> {
    if (policies.stamp === "scheduled-only" && reason === "catch-up") return false;
    try {
      await source.stamp(taskId, firedAtMs);
      return true;
    } catch (failure) {
      log.write("error", "scheduler.stamp-failed", { taskId, key, ...describeFailure(failure, "STAMP_FAILED") });
      return false;
    }
  }

  /** The known-bad way with a full house: counts as decided, without a record and without a line in the log. */
  function drop(slot: DueSlot): void {
    void options.mark(slot, "decided").catch(() => undefined);
  }

  return {
    take(slots) {
      const room = policies.overflow === "queue" ? slots.length : Math.max(0, maxConcurrent - running - waiting.length);
      slots.slice(room).forEach(drop);
      // A stable sort keeps the order of the list among slots that are due at one instant.
      waiting = [...deferred, ...waiting, ...slots.slice(0, room)].sort((one, other) => one.dueAtMs - other.dueAtMs);
      deferred = [];
      pump();
    },
    idle() {
      const done = new Promise<void>((resolve) => whenIdle.push(resolve));
      pump();
      return done;
    },
    nextDueMs(nowMs) {
      // Sorted, so the first that is not due yet is the next.
      return waiting.find((slot) => slot.dueAtMs > nowMs)?.dueAtMs;
    },
    fires: records.list,
    get running() {
      return running;
    },
    get waiting() {
      return waiting.length + deferred.length;
    },
  };
}

/**
 * Why a due slot may not be dispatched any more, seen from the task as it is now; undefined when it may. Throws the problem of
 * a schedule that cannot be read: whether it has the slot is not known then.
 */
function refusalOf(slot: DueSlot, task: Task | undefined, policies: SchedulerPolicies, calendars: Calendars): FireProblem | undefined {
  if (task === undefined) return refusal("TASK_REMOVED", slot, "its task is gone");
  if (!task.enabled && policies.enabledRead === "at-fire-time") return refusal("TASK_DISABLED", slot, "its task is disabled by now");
  // A scheduler that makes slots up cannot ask the schedule for them.
  if (policies.catchUpWeekday === "ignored" && task.schedule.kind === "cron") return undefined;
  const answer = calendars.of(task);
  if (answer.outcome === "problem") throw Object.assign(new Error(answer.problem.message), { code: answer.problem.code });
  return calendars.hasSlot(task, slot.slotMs) ? undefined : refusal("TASK_RESCHEDULED", slot, "its task has another schedule by now");
}

function refusal(code: string, { key }: DueSlot, why: string): FireProblem {
  return { code, message: `${code}: ${key} was due, but ${why}; nothing was started.` };
}
