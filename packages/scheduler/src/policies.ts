/** What a scheduler does where schedulers differ. The reference is the default; every other word is somebody's incident. */
import type { CatchUpPolicy, GapPolicy, OverlapPolicy } from "./judge/index.ts";

export interface SchedulerPolicies {
  /** What happens to slots that passed while nothing ran. */
  readonly catchUp: CatchUpPolicy;
  /**
   * Where the look-back window starts when a process starts. `last-pass`: at the last recorded pass, at most MAX_LOOK_BACK_MS
   * ago; without a recorded pass nothing lies behind. `always-seven-days`: MAX_LOOK_BACK_MS ago, whatever is recorded.
   */
  readonly lookBack: "last-pass" | "always-seven-days";
  /**
   * `task-and-slot`: a slot that was dispatched is remembered in the state file under its key, and never dispatched again.
   * `none`: a process remembers only what it dispatched itself.
   */
  readonly slotKey: "task-and-slot" | "none";
  /**
   * `at-fire-time`: the task is read again right before its dispatch. `at-scheduling-time`: what the list said counts.
   * `not-in-catch-up`: as the second, and catch-up takes disabled tasks too.
   */
  readonly enabledRead: "at-fire-time" | "at-scheduling-time" | "not-in-catch-up";
  /** Which dispatches are written to `lastRunAtMs`. */
  readonly stamp: "every-fire" | "scheduled-only";
  /** Whether catch-up reads the day-of-week field. */
  readonly catchUpWeekday: "honoured" | "ignored";
  /** What happens to a due slot when `maxConcurrent` dispatches are running. */
  readonly overflow: "queue" | "drop";
  readonly gap: GapPolicy;
  readonly overlap: OverlapPolicy;
}

export const REFERENCE_POLICIES: SchedulerPolicies = {
  catchUp: "latest-once",
  lookBack: "last-pass",
  slotKey: "task-and-slot",
  enabledRead: "at-fire-time",
  stamp: "every-fire",
  catchUpWeekday: "honoured",
  overflow: "queue",
  gap: "run-after-gap",
  overlap: "run-once-first",
};
