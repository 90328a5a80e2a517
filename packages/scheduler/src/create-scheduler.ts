/**
 * A scheduler: looks at its tasks, dispatches what is due, remembers what it did. Models one process per state file, in one
 * zone; leaves out what a dispatched session does, and two schedulers on one state file.
 *
 * At most once per task and slot. A slot is queued on disk together with the pass that found it, so a restart finds it, and it
 * ends with a dispatch, a refusal on record, or its place in a pass report. The intent is on disk before the dispatch. A crash after the intent and before the dispatch
 * costs the slot, and a crash after the dispatch and before the stamp leaves a run that the registry does not know; the next
 * process cannot tell one from the other, reports both as interrupted and dispatches neither. A crash after the stamp and
 * before the outcome is on disk is reported as interrupted too.
 *
 * A clock that is set back fires nothing twice; a clock that is set forward brings one look-back window. What lies behind that
 * window is forgotten, and of a patchy history what is older than MAX_SPANS_PER_TASK spans, so a clock that goes a week forward
 * and then back behind a slot that ran runs it again.
 */
import type { CancelSignal, Ports } from "@casebook/ports";
import { type Dispatch, createFireQueue } from "./fire-queue.ts";
import { createCalendars } from "./judge/calendar.ts";
import { zoneProblem } from "./judge/cron-expression.ts";
import { type NextSlotAnswer, nextSlot } from "./judge/slots.ts";
import { DEFAULT_MAX_CONCURRENT, policiesProblem, RECHECK_MS, REFERENCE_POLICIES, type SchedulerPolicies } from "./policies.ts";
import type { FireRecord, PassReport } from "./records.ts";
import { createSerial } from "./serial.ts";
import { createStateStore } from "./state-store.ts";
import type { TaskSource } from "./task-source.ts";
import { createTicker } from "./tick.ts";

export interface SchedulerOptions {
  readonly source: TaskSource;
  readonly dispatch: Dispatch;
  /** IANA name; the zone of schedules that name none. */
  readonly zone: string;
  /** Absolute path of the state file; its directory must exist. */
  readonly statePath: string;
  /** What is left out is the reference. */
  readonly policies?: Partial<SchedulerPolicies>;
  /** Dispatches at one time, from 1; default DEFAULT_MAX_CONCURRENT. */
  readonly maxConcurrent?: number;
  /** Upper bound of the delay that spreads slots of one instant, from 0; default 0. */
  readonly maxJitterMs?: number;
  /** The longest wait between two passes, from 1; default RECHECK_MS. */
  readonly recheckMs?: number;
}

export interface Scheduler {
  /** One pass, and then everything that it dispatched. */
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
  /** Everything that came up for dispatch in this process, in that order; the newest MAX_FIRE_RECORDS. */
  fires(): readonly FireRecord[];
  /** Dispatches without an answer yet. */
  readonly running: number;
  /** Slots that were due, or are delayed by jitter, and not dispatched yet. */
  readonly waiting: number;
}

/** Throws SCHEDULER_OPTION_INVALID for an option with which nothing would ever be dispatched, and for a word that no policy has. */
export function createScheduler(
  ports: Pick<Ports, "clock" | "disk" | "ids" | "log" | "faults">,
  options: SchedulerOptions,
): Scheduler {
  const { clock } = ports;
  const { source, dispatch, zone, maxConcurrent = DEFAULT_MAX_CONCURRENT, maxJitterMs = 0, recheckMs = RECHECK_MS } = options;
  checkZone(zone);
  checkWhole("maxConcurrent", maxConcurrent, 1);
  checkWhole("maxJitterMs", maxJitterMs, 0);
  checkWhole("recheckMs", recheckMs, 1);
  checkPolicies(options.policies ?? {});
  const policies = { ...REFERENCE_POLICIES, ...options.policies };
  const calendars = createCalendars({ zone, gap: policies.gap, overlap: policies.overlap });
  const store = createStateStore(ports, options.statePath, policies.slotKey);
  const queue = createFireQueue(ports, {
    source,
    dispatch,
    policies,
    maxConcurrent,
    calendars,
    mark: ({ key, taskId, slotMs, reason }, stage) => store.mark(key, { taskId, slotMs, reason, stage }),
  });
  const ticker = createTicker(ports, { source, policies, maxJitterMs, calendars, store, take: queue.take });
  const oneAtATime = createSerial();

  /** The first instant after now at which there is something to do. Always later than now, so the loop cannot spin. */
  function wakeAt(nowMs: number, untilMs: number): number {
    let wakeMs = Math.min(untilMs, nowMs + recheckMs, queue.nextDueMs(nowMs) ?? Number.POSITIVE_INFINITY);
    // One by one: a list of tasks can be longer than a call can have arguments.
    for (const task of ticker.listed()) wakeMs = Math.min(wakeMs, calendars.nextAfter(task, nowMs) ?? wakeMs);
    return wakeMs;
  }

  return {
    async pass() {
      const report = await oneAtATime(ticker.tick);
      await queue.idle();
      return report;
    },
    async run(untilMs, cancel) {
      for (;;) {
        await oneAtATime(ticker.tick);
        const nowMs = clock.now();
        if (cancel?.aborted === true) return "cancelled";
        if (nowMs >= untilMs) return unlessCancelled(queue.idle(), cancel);
        if ((await clock.sleep(wakeAt(nowMs, untilMs) - nowMs, cancel)) === "cancelled") return "cancelled";
      }
    },
    idle: queue.idle,
    async nextRun(taskId) {
      const task = await source.read(taskId);
      return task === undefined ? undefined : nextSlot(task, clock.now(), { zone, gap: policies.gap, overlap: policies.overlap });
    },
    fires: queue.fires,
    get running() {
      return queue.running;
    },
    get waiting() {
      return queue.waiting;
    },
  };
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

function checkZone(zone: string): void {
  const problem = zoneProblem(zone);
  if (problem !== undefined) throw optionInvalid(problem.message);
}

function checkPolicies(policies: Partial<SchedulerPolicies>): void {
  const problem = policiesProblem(policies);
  if (problem !== undefined) throw optionInvalid(problem);
}

function checkWhole(name: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  throw optionInvalid(`${name} is ${value}; with that nothing would be dispatched. Give a whole number from ${least}.`);
}

function optionInvalid(what: string): Error {
  return Object.assign(new Error(`SCHEDULER_OPTION_INVALID: ${what}`), { code: "SCHEDULER_OPTION_INVALID" });
}
