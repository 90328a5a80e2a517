/** One pass over the tasks: read what is there, decide, remember, hand over what is due. */
import type { Ports } from "@casebook/ports";
import type { Task } from "@casebook/registry/judge";
import { type DueSlot, decidePass } from "./decide-pass.ts";
import type { Calendars } from "./judge/calendar.ts";
import type { SchedulerPolicies } from "./policies.ts";
import { describeFailure, type PassReport } from "./records.ts";
import type { StateStore } from "./state-store.ts";
import type { TaskSource } from "./task-source.ts";

export interface TickOptions {
  readonly source: TaskSource;
  readonly policies: SchedulerPolicies;
  readonly maxJitterMs: number;
  readonly calendars: Calendars;
  readonly store: StateStore;
  take(slots: readonly DueSlot[]): void;
}

export interface Ticker {
  /** Not while another one is going on. Rejects for nothing that a disk, a source or a task can do. */
  tick(): Promise<PassReport>;
  /** What the last pass that got a list was given. */
  listed(): readonly Task[];
}

export function createTicker(ports: Pick<Ports, "clock" | "log">, options: TickOptions): Ticker {
  const { clock, log } = ports;
  const { calendars, store, policies, maxJitterMs } = options;
  let startedAtMs: number | undefined;
  let isFirst = true;
  let listed: readonly Task[] = [];

  async function tick(): Promise<PassReport> {
    const started = (startedAtMs ??= clock.now());
    const load = await store.load();
    if (load.outcome === "failed") return failed(load.problemOutcome, load.problem);
    let tasks: readonly Task[];
    try {
      tasks = await options.source.list();
    } catch (failure) {
      return failed("source-failed", describeFailure(failure, "SOURCE_FAILED"));
    }
    listed = tasks;
    const nowMs = clock.now();
    const pass = isFirst ? "first" : "later";
    const replaced = await store.replace((state) =>
      decidePass({ state, tasks, nowMs, startedAtMs: started, pass, policies, maxJitterMs, calendars }),
    );
    if (replaced.outcome === "failed") return failed("state-not-written", describeFailure(replaced.failure, "STATE_NOT_WRITTEN"));
    isFirst = false;
    const { state: _state, due, ...decided } = replaced.decision;
    options.take(due);
    const memory = pass === "first" ? load.memory : "recorded";
    const report: PassReport = { outcome: "passed", atMs: nowMs, memory, queued: due.length, ...decided };
    tell(report);
    return report;
  }

  function failed(outcome: Exclude<PassReport["outcome"], "passed">, problem: { code: string; message: string }): PassReport {
    log.write("error", `scheduler.${outcome}`, { code: problem.code, message: problem.message });
    return { outcome, atMs: clock.now(), problem };
  }

  function tell({ memory, clock: direction, interrupted, expired, discarded, invalid }: Extract<PassReport, { outcome: "passed" }>): void {
    if (memory === "corrupt") log.write("error", "scheduler.state-set-aside");
    if (direction === "set-back") log.write("warning", "scheduler.clock-set-back");
    for (const { taskId, slotMs } of interrupted) log.write("warning", "scheduler.slot-interrupted", { taskId, slotMs });
    for (const { taskId, slotMs, reason } of expired) log.write("warning", "scheduler.one-shot-expired", { taskId, slotMs, reason });
    for (const { taskId, slots } of discarded) log.write("info", "scheduler.slots-discarded", { taskId, slots });
    for (const { taskId, problem } of invalid) log.write("error", "scheduler.task-invalid", { taskId, code: problem.code });
  }

  return { tick, listed: () => listed };
}
