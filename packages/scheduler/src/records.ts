/** What a scheduler says about what it did: plain data, the list of what came up for dispatch, and its lines in the log. */
import { errorCode, type Log } from "@casebook/ports";
import type { DueSlot } from "./decide-pass.ts";
import type { ScheduleProblem } from "./judge/index.ts";
import { MAX_FIRE_RECORDS } from "./policies.ts";

/** `catch-up`: late by more than ON_TIME_GRACE_MS, one-shots included. `one-shot`: a one-shot on time. */
export type FireReason = "scheduled" | "catch-up" | "one-shot";

/** One slot that came up for dispatch. */
export interface FireRecord {
  readonly taskId: string;
  readonly slotMs: number;
  /** Idempotency key, `<task id>@<slot, ISO>`. */
  readonly key: string;
  /** When the dispatch was called, or refused. */
  readonly firedAtMs: number;
  readonly reason: FireReason;
  /**
   * `running`: dispatched, no answer yet. `rejected`: the dispatch failed, or a fault at a moment beside it did; not tried
   * again. `refused`: not dispatched.
   */
  readonly outcome: "running" | "dispatched" | "rejected" | "refused";
  /** Why it was refused or rejected; undefined otherwise. */
  readonly problem: FireProblem | undefined;
  /** Whether the registry was told, by `TaskSource.stamp`. */
  readonly stamped: boolean;
}

export interface FireProblem {
  /**
   * Refused: TASK_REMOVED, TASK_DISABLED, TASK_RESCHEDULED, or the code of what kept the task from being read for longer than
   * MAX_LOOK_BACK_MS (TASK_QUARANTINED and others). Rejected: the dispatch's own code, DISPATCH_REJECTED when it has none.
   */
  readonly code: string;
  readonly message: string;
}

/** A one-shot that will not run any more. Listed once. */
export interface ExpiredOneShot {
  readonly taskId: string;
  readonly slotMs: number;
  readonly reason: "beyond-look-back" | "no-recorded-pass" | "catch-up-none";
}

export interface InvalidTask {
  readonly taskId: string;
  readonly problem: ScheduleProblem | { readonly code: "DUPLICATE_TASK_ID"; readonly message: string };
}

/** Late slots that a catch-up policy left out. */
export interface DiscardedSlots {
  readonly taskId: string;
  readonly slots: number;
  /** `at-least`: more lay behind than a pass looks at (MAX_CATCH_UP_SLOTS). */
  readonly counted: "exactly" | "at-least";
}

/** A slot whose dispatch had been intended when an earlier process died. It may have run; it is not dispatched again. */
export interface InterruptedSlot {
  readonly taskId: string;
  readonly slotMs: number;
}

export type PassReport =
  | {
      readonly outcome: "passed";
      readonly atMs: number;
      /** The window that was looked at: after this, up to `atMs`. */
      readonly fromMs: number;
      /** `first`: no pass was recorded before. `corrupt`: there was a state file that said nothing; it was kept aside. */
      readonly memory: "first" | "recorded" | "corrupt";
      /** `set-back`: the recorded pass lies in the future. */
      readonly clock: "forward" | "set-back";
      readonly queued: number;
      readonly discarded: readonly DiscardedSlots[];
      readonly expired: readonly ExpiredOneShot[];
      readonly invalid: readonly InvalidTask[];
      readonly interrupted: readonly InterruptedSlot[];
    }
  | {
      /** Nothing was decided and nothing is lost: the next pass looks at the same window again. */
      readonly outcome: "source-failed" | "state-unreadable" | "state-unsupported" | "state-not-written";
      readonly atMs: number;
      readonly problem: { readonly code: string; readonly message: string };
    };

/** What was thrown, whatever it is, as data: its own code, or `fallback` when it has none. Never throws. */
export function describeFailure(failure: unknown, fallback: string): { readonly code: string; readonly message: string } {
  const code = answerOf(() => errorCode(failure)) ?? "";
  const message = answerOf(() => String(failure instanceof Error ? failure.message : failure));
  return { code: code === "" ? fallback : code, message: message ?? "what was thrown cannot be printed" };
}

/** Anything can be thrown: an object without a prototype cannot be made text, and a proxy or a getter may throw for a look. */
function answerOf(look: () => string): string | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

export interface FireRecords {
  /** Adds a record; `settle` says later how it went on. */
  add(
    slot: DueSlot,
    what: Pick<FireRecord, "outcome" | "problem" | "firedAtMs">,
  ): { settle(change: Pick<FireRecord, "outcome" | "problem" | "stamped">): void };
  /** In the order in which they were added; the newest MAX_FIRE_RECORDS. */
  list(): readonly FireRecord[];
}

export function createFireRecords(log: Log): FireRecords {
  const records: FireRecord[] = [];

  function tell({ key, taskId, reason, outcome, problem, stamped }: FireRecord): void {
    const level = outcome === "rejected" ? "error" : outcome === "refused" ? "warning" : "info";
    log.write(level, `scheduler.fire-${outcome}`, { taskId, key, reason, stamped, code: problem?.code ?? null });
  }

  return {
    add({ taskId, slotMs, key, reason }, what) {
      let current: FireRecord = { taskId, slotMs, key, reason, stamped: false, ...what };
      records.push(current);
      if (records.length > MAX_FIRE_RECORDS) records.shift();
      tell(current);
      return {
        settle(change) {
          const index = records.indexOf(current);
          current = { ...current, ...change };
          if (index >= 0) records[index] = current;
          tell(current);
        },
      };
    },
    list: () => [...records],
  };
}
