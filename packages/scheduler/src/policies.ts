/** What a scheduler does where schedulers differ, and the limits within which it does it, each with its reason. */
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

/** The words of every policy. As keys, so that the compiler misses a word that is not here. */
export const POLICY_WORDS: { readonly [Name in keyof SchedulerPolicies]: Readonly<Record<SchedulerPolicies[Name], true>> } = {
  catchUp: { none: true, "latest-once": true, "each-missed": true },
  lookBack: { "last-pass": true, "always-seven-days": true },
  slotKey: { "task-and-slot": true, none: true },
  enabledRead: { "at-fire-time": true, "at-scheduling-time": true, "not-in-catch-up": true },
  stamp: { "every-fire": true, "scheduled-only": true },
  catchUpWeekday: { honoured: true, ignored: true },
  overflow: { queue: true, drop: true },
  gap: { "run-after-gap": true, skip: true },
  overlap: { "run-once-first": true, "run-twice": true },
};

/** What is wrong with policies that no compiler has seen, or undefined. */
export function policiesProblem(policies: object): string | undefined {
  for (const [name, word] of Object.entries(policies) as [string, unknown][]) {
    if (!Object.hasOwn(POLICY_WORDS, name)) return `there is no policy "${name}". The policies are ${quoted(POLICY_WORDS)}.`;
    const words = POLICY_WORDS[name as keyof SchedulerPolicies];
    if (typeof word === "string" && Object.hasOwn(words, word)) continue;
    const given = typeof word === "string" ? JSON.stringify(word) : word === null ? "null" : typeof word;
    return `the policy ${name} is ${given}, which is none of its words. It knows ${quoted(words)}.`;
  }
  return undefined;
}

function quoted(words: object): string {
  return Object.keys(words).map((word) => `"${word}"`).join(", ");
}

/** Seven days: what lies further back is not caught up, because nobody waits for it any more. */
export const MAX_LOOK_BACK_MS = 7 * 86_400_000;

/** Slots of one task that one pass looks at, the newest: every hour of the look-back window. Older ones are discarded, and said to be. */
export const MAX_CATCH_UP_SLOTS = 168;

/**
 * The longest wait between two passes. A wait measures elapsed time, so this bounds how long a clock that was set forward,
 * a host that slept, or a task that was added stays unnoticed. It also keeps every wait far below the 2^31−1 ms of a timer.
 */
export const RECHECK_MS = 60_000;

/** Dispatches at one time, for a whole machine; the number that the desktop app of case 002 uses. */
export const DEFAULT_MAX_CONCURRENT = 3;

/** Fire records that a process keeps in memory; older ones are in the log only. */
export const MAX_FIRE_RECORDS = 10_000;

/**
 * Spans of decided slots that are kept per task: 28 interruptions a day of the look-back window. A task that is always due and
 * always on time has one.
 */
export const MAX_SPANS_PER_TASK = 200;

/** The largest state that a pass writes; beyond it nothing new is queued until there is room. */
export const MAX_STATE_BYTES = 16 * 1024 * 1024;

/** A state file beyond this is not ours. Marks after a pass change a word of a slot, which cannot double the file. */
export const MAX_STATE_FILE_BYTES = 2 * MAX_STATE_BYTES;
