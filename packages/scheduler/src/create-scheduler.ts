/**
 * A scheduler: looks at its tasks, dispatches what is due, remembers what it did. Models one process per state file, in one
 * zone; leaves out what a dispatched session does, and two schedulers on one state file.
 *
 * At most once per task and slot. A slot is queued on disk together with the pass that found it, so a restart finds it; the
 * intent is on disk before the dispatch, so a crash in between costs that one slot, which the next process reports as
 * interrupted. A clock that is set back fires nothing twice; a clock that is set forward brings one look-back window.
 */
import { type CancelSignal, type Ports, errorCode } from "@casebook/ports";
import type { Task } from "@casebook/registry/judge";
import { createCalendars } from "./calendars.ts";
import { decidePass } from "./decide-pass.ts";
import { type Dispatch, createFireQueue } from "./fire-queue.ts";
import { type NextSlotAnswer, nextSlot } from "./judge/index.ts";
import { DEFAULT_MAX_CONCURRENT, RECHECK_MS } from "./limits.ts";
import { REFERENCE_POLICIES, type SchedulerPolicies } from "./policies.ts";
import type { FireRecord, PassReport } from "./records.ts";
import { createSerial } from "./serial.ts";
import { createStateStore } from "./state-store.ts";
import type { TaskSource } from "./task-source.ts";

export interface SchedulerOptions {
  readonly source: TaskSource;
  readonly dispatch: Dispatch;
  /** IANA name; the zone of schedules that name none. */
  readonly zone: string;
  /** Absolute path of the state file; its directory must exist. */
  readonly statePath: string;
  /** What is left out is the reference. */
  readonly policies?: Partial<SchedulerPolicies>;
  /** Dispatches at one time, default DEFAULT_MAX_CONCURRENT. */
  readonly maxConcurrent?: number;
  /** Upper bound of the delay that spreads slots of one instant; default 0. */
  readonly maxJitterMs?: number;
  /** The longest wait between two passes, default RECHECK_MS. */
  readonly recheckMs?: number;
}

export interface Scheduler {
  /** One pass, and then everything that it dispatched. Never rejects. */
  pass(): Promise<PassReport>;
  /**
   * Passes until the clock shows `untilMs` (inclusive), then waits for what it dispatched. `cancel` ends either; what is
   * running then goes on running.
   */
  run(untilMs: number, cancel?: CancelSignal): Promise<"reached" | "cancelled">;
  /** Resolves when nothing runs and nothing that is due waits for its turn. */
  idle(): Promise<void>;
  /** The next slot of a task after now, disabled or not; undefined when there is no such task. Changes nothing. */
  nextRun(taskId: string): Promise<NextSlotAnswer | undefined>;
  /** Everything that came up for dispatch in this process, in order. */
  fires(): readonly FireRecord[];
  /** What `fires` does not tell yet. */
  readonly running: number;
  readonly waiting: number;
}

export function createScheduler(
  ports: Pick<Ports, "clock" | "disk" | "ids" | "log" | "faults">,
  options: SchedulerOptions,
): Scheduler {
  const { clock, log } = ports;
  const policies = { ...REFERENCE_POLICIES, ...options.policies };
  const recheckMs = options.recheckMs ?? RECHECK_MS;
  const calendars = createCalendars({ zone: options.zone, gap: policies.gap, overlap: policies.overlap });
  const store = createStateStore(ports, options.statePath, policies.slotKey);
  const oneAtATime = createSerial();
  const queue = createFireQueue(ports, {
    source: options.source,
    dispatch: options.dispatch,
    policies,
    maxConcurrent: options.maxConcurrent ?? DEFAULT_MAX_CONCURRENT,
    hasSlot: (task, slotMs) => calendars.hasSlot(task, slotMs),
    mark: ({ key, taskId, slotMs, reason }, stage) => store.mark(key, { taskId, slotMs, reason, stage }),
  });
  let startedAtMs: number | undefined;
  let passesDone = 0;
  let listed: readonly Task[] = [];

  async function tick(): Promise<PassReport> {
    startedAtMs ??= clock.now();
    const memory = await store.load();
    if (memory.outcome === "failed") return failed(memory.problemOutcome, memory.problem);
    let tasks: readonly Task[];
    try {
      tasks = await options.source.list();
    } catch (failure) {
      return failed("source-failed", problemOf(failure, "SOURCE_FAILED"));
    }
    const nowMs = clock.now();
    listed = tasks;
    const decide = () =>
      decidePass({
        state: store.state(),
        tasks,
        nowMs,
        startedAtMs: startedAtMs ?? nowMs,
        pass: passesDone === 0 ? "first" : "later",
        policies,
        maxJitterMs: options.maxJitterMs ?? 0,
        calendarOf: (task) => calendars.of(task),
        catchUpCalendarOf: (task) => calendars.ignoringWeekday(task),
      });
    const decision = await store.replace(decide).catch((failure: unknown) => failure);
    if (!isDecision(decision)) return failed("state-not-written", problemOf(decision, "STATE_NOT_WRITTEN"));
    passesDone += 1;
    queue.take(decision.due);
    const { due, fromMs, clock: direction, discarded, expired, invalid, interrupted } = decision;
    const report: PassReport = {
      outcome: "passed",
      atMs: nowMs,
      fromMs,
      memory: passesDone === 1 ? memory.memory : "recorded",
      clock: direction,
      queued: due.length,
      discarded,
      expired,
      invalid,
      interrupted,
    };
    tell(report);
    return report;
  }

  function failed(outcome: Exclude<PassReport["outcome"], "passed">, problem: { code: string; message: string }): PassReport {
    log.write("error", `scheduler.${outcome}`, { code: problem.code, message: problem.message });
    return { outcome, atMs: clock.now(), problem };
  }

  return {
    async pass() {
      const report = await oneAtATime(tick);
      await queue.idle();
      return report;
    },
    async run(untilMs, cancel) {
      for (;;) {
        await oneAtATime(tick);
        const nowMs = clock.now();
        if (cancel?.aborted === true) return "cancelled";
        if (nowMs >= untilMs) return unlessCancelled(queue.idle(), cancel);
        const ended = await clock.sleep(wakeAt(nowMs, untilMs) - nowMs, cancel);
        if (ended === "cancelled") return "cancelled";
      }
    },
    idle: () => queue.idle(),
    async nextRun(taskId) {
      const task = await options.source.read(taskId);
      return task === undefined ? undefined : nextSlot(task, clock.now(), { ...policies, zone: options.zone });
    },
    fires: () => queue.records(),
    get running() {
      return queue.running;
    },
    get waiting() {
      return queue.waiting;
    },
  };

  /** The first instant after now at which there is something to do. Always later than now, so the loop cannot spin. */
  function wakeAt(nowMs: number, untilMs: number): number {
    const slots = listed.map((task) => calendars.nextAfter(task, nowMs));
    const known = [...slots, queue.nextDueMs(nowMs)].filter((atMs) => atMs !== undefined);
    return Math.min(untilMs, nowMs + recheckMs, ...known);
  }

  function tell(report: Extract<PassReport, { outcome: "passed" }>): void {
    if (report.memory === "corrupt") log.write("error", "scheduler.state-set-aside", { path: options.statePath });
    if (report.clock === "set-back") log.write("warning", "scheduler.clock-set-back", { atMs: report.atMs });
    for (const { taskId, slotMs } of report.interrupted) log.write("warning", "scheduler.slot-interrupted", { taskId, slotMs });
    for (const { taskId, slotMs, reason } of report.expired) log.write("warning", "scheduler.one-shot-expired", { taskId, slotMs, reason });
    for (const { taskId, slots } of report.discarded) log.write("info", "scheduler.slots-discarded", { taskId, slots });
    for (const { taskId, problem } of report.invalid) log.write("error", "scheduler.task-invalid", { taskId, code: problem.code });
  }
}

/** "reached" when `work` is done, "cancelled" when `cancel` fires before that. */
function unlessCancelled(work: Promise<void>, cancel: CancelSignal | undefined): Promise<"reached" | "cancelled"> {
  return new Promise((resolve) => {
    const onAbort = () => resolve("cancelled");
    cancel?.addEventListener("abort", onAbort);
    void work.then(() => {
      cancel?.removeEventListener("abort", onAbort);
      resolve("reached");
    });
  });
}

type Decision = ReturnType<typeof decidePass>;

function isDecision(value: unknown): value is Decision {
  return typeof value === "object" && value !== null && "due" in value;
}

function problemOf(failure: unknown, fallback: string): { code: string; message: string } {
  const code = errorCode(failure);
  return { code: code === "" ? fallback : code, message: failure instanceof Error ? failure.message : String(failure) };
}
