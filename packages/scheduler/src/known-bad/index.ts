/**
 * Schedulers that are known to be wrong, as data: the reference with some policies changed, and what that breaks.
 * The tests beside this file show each one breaking exactly what it says. Public reports of a mechanism are named beside it.
 */
import type { SchedulerPolicies } from "../policies.ts";

/** A promise of the reference scheduler. */
export type SchedulerPromise =
  /** A slot that ran is not fired again. */
  | "no-ghost-fire"
  /** A task that is disabled is not fired. */
  | "no-disabled-fire"
  /** The registry knows of every fire. */
  | "no-invisible-fire"
  /** A task is fired for its own slots only. */
  | "no-wrong-slot"
  /** What was due before a scheduler's first pass is not its business. */
  | "nothing-before-first-pass"
  /** A slot that was missed is caught up, once. */
  | "missed-slot-caught-up"
  /** A slot that is due runs, however many are due with it. */
  | "no-lost-slot"
  /** One run per task, however long the host was off. */
  | "no-flood";

export interface KnownBadScheduler {
  readonly name: string;
  /** Over the reference. */
  readonly policies: Partial<SchedulerPolicies>;
  readonly breaks: readonly SchedulerPromise[];
}

export const KNOWN_BAD_SCHEDULERS: readonly KnownBadScheduler[] = [
  {
    // Case 002, claude-code#74055: catch-up after a restart looks at the calendar only.
    name: "restart-storm",
    policies: { lookBack: "always-seven-days", slotKey: "none", enabledRead: "not-in-catch-up", stamp: "scheduled-only" },
    breaks: ["no-ghost-fire", "no-disabled-fire", "no-invisible-fire", "nothing-before-first-pass"],
  },
  {
    name: "forgets-what-ran",
    policies: { lookBack: "always-seven-days", slotKey: "none" },
    breaks: ["no-ghost-fire", "nothing-before-first-pass"],
  },
  { name: "looks-back-without-a-record", policies: { lookBack: "always-seven-days" }, breaks: ["nothing-before-first-pass"] },
  // claude-code#83253. Alone it is hidden by a window that starts at the last pass, until a one-shot or a clock that is set back shows it.
  { name: "no-slot-key", policies: { slotKey: "none" }, breaks: ["no-ghost-fire"] },
  { name: "enabled-read-when-scheduled", policies: { enabledRead: "at-scheduling-time" }, breaks: ["no-disabled-fire"] },
  { name: "catch-up-ignores-enabled", policies: { enabledRead: "not-in-catch-up" }, breaks: ["no-disabled-fire"] },
  { name: "catch-up-without-stamp", policies: { stamp: "scheduled-only" }, breaks: ["no-invisible-fire"] },
  // claude-code#93687.
  { name: "catch-up-ignores-weekday", policies: { catchUpWeekday: "ignored" }, breaks: ["no-wrong-slot"] },
  // claude-code#82728: of six one-shots at one instant three never ran.
  { name: "cap-drops-overflow", policies: { overflow: "drop" }, breaks: ["no-lost-slot"] },
  // Each is a policy that somebody may want; what it gives up is stated all the same.
  { name: "never-catches-up", policies: { catchUp: "none" }, breaks: ["missed-slot-caught-up"] },
  { name: "catches-everything-up", policies: { catchUp: "each-missed" }, breaks: ["no-flood"] },
];
