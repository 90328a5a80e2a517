/**
 * The slots of one task: which lie in a window, the key and the delay of each, and what to do about those that lie behind.
 * Pure and bounded; knows nothing of what ran.
 */
import type { Task } from "@casebook/registry/judge";
import {
  type Calendar,
  type CalendarOptions,
  instantProblem,
  isInstant,
  LATEST_INSTANT_MS,
  readCalendar,
} from "./calendar.ts";
import type { ScheduleProblem } from "./cron-expression.ts";

/** The most slots that one answer lists: every minute of a day, or every hour of two months. */
export const MAX_SLOTS = 1_500;

export type SlotsAnswer =
  | {
      readonly outcome: "slots";
      /** Ascending instants, milliseconds since the epoch. */
      readonly slots: readonly number[];
      /** `capped`: there are more in the window than MAX_SLOTS; ask again from the last one. */
      readonly listed: "all" | "capped";
    }
  | { readonly outcome: "problem"; readonly problem: ScheduleProblem };

export type NextSlotAnswer =
  | { readonly outcome: "slot"; readonly slotMs: number }
  /** A date that never comes, or a one-shot that is over. */
  | { readonly outcome: "never"; readonly searchedUntilMs: number }
  | { readonly outcome: "problem"; readonly problem: ScheduleProblem };

/** The slots after `fromMs` (exclusive) up to `toMs` (inclusive), earliest first; none when the window is empty. Never throws. */
export function slotsBetween(
  task: Pick<Task, "schedule">,
  fromMs: number,
  toMs: number,
  options: CalendarOptions,
): SlotsAnswer {
  if (!isInstant(fromMs)) return { outcome: "problem", problem: instantProblem("the window's start", fromMs) };
  if (!isInstant(toMs)) return { outcome: "problem", problem: instantProblem("the window's end", toMs) };
  const answer = readCalendar(task.schedule, options);
  if (answer.outcome === "problem") return answer;
  return { outcome: "slots", ...calendarSlots(answer.calendar, fromMs, toMs) };
}

/** The first slot after `afterMs` (exclusive). Asking does not advance anything. Never throws. */
export function nextSlot(task: Pick<Task, "schedule">, afterMs: number, options: CalendarOptions): NextSlotAnswer {
  if (!isInstant(afterMs)) return { outcome: "problem", problem: instantProblem("the instant asked about", afterMs) };
  const answer = readCalendar(task.schedule, options);
  if (answer.outcome === "problem") return answer;
  const slotMs = answer.calendar.nextAfter(afterMs);
  return slotMs === undefined ? { outcome: "never", searchedUntilMs: LATEST_INSTANT_MS } : { outcome: "slot", slotMs };
}

/** As `slotsBetween`, over a calendar that was read before. */
export function calendarSlots(
  calendar: Calendar,
  fromMs: number,
  toMs: number,
  limit: number = MAX_SLOTS,
): { readonly slots: readonly number[]; readonly listed: "all" | "capped" } {
  const slots: number[] = [];
  for (let slot = calendar.nextAfter(fromMs); slot !== undefined && slot <= toMs; slot = calendar.nextAfter(slot)) {
    if (slots.length === limit) return { slots, listed: "capped" };
    slots.push(slot);
  }
  return { slots, listed: "all" };
}

/** The newest slots of a window, at most `limit`, ascending, and whether the window holds older ones. */
export function newestSlots(
  calendar: Calendar,
  fromMs: number,
  toMs: number,
  limit: number,
): { readonly slots: readonly number[]; readonly older: "none" | "some" } {
  const all = calendarSlots(calendar, fromMs, toMs, limit);
  if (all.listed === "all") return { slots: all.slots, older: "none" };
  // Too many: look at the last hour, then at twice as much, until there are enough.
  let late: readonly number[] = [];
  for (let spanMs = 3_600_000; late.length < limit; spanMs *= 2) {
    late = calendarSlots(calendar, Math.max(fromMs, toMs - spanMs), toMs, Number.POSITIVE_INFINITY).slots;
  }
  return { slots: late.slice(-limit), older: "some" };
}

/** The idempotency key of one task's one slot. */
export function slotKey(taskId: string, slotMs: number): string {
  return `${taskId}@${new Date(slotMs).toISOString()}`;
}

/**
 * Milliseconds, from 0 to `maxJitterMs`, by which the fire of this slot is delayed, which spreads tasks that are due at one
 * instant. Fixed per task and slot, not chance: asking again gives the same. Never early, and always less than the
 * way to the next slot (`nextSlotMs`, undefined when there is none), so that slots keep their order.
 */
export function jitterMs(taskId: string, slotMs: number, nextSlotMs: number | undefined, maxJitterMs: number): number {
  const room = nextSlotMs === undefined ? maxJitterMs : Math.min(maxJitterMs, nextSlotMs - slotMs - 1);
  if (!(room > 0)) return 0;
  return Math.floor((hash(slotKey(taskId, slotMs)) / 2 ** 32) * (Math.floor(room) + 1));
}

/** FNV-1a over UTF-16 units with a final mix, 32 bits: ids that differ in their last digit land far apart. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** How late a slot may be and still count as on time: one minute, the resolution of a cron field. */
export const ON_TIME_GRACE_MS = 60_000;

/**
 * What happens to slots that passed while nothing ran.
 * `none`: late slots are discarded. `latest-once`: of everything that is due the newest slot runs, once, the others are
 * discarded, so a task never runs twice in a row because it was late. `each-missed`: every slot runs, oldest first.
 */
export type CatchUpPolicy = "none" | "latest-once" | "each-missed";

export interface ChosenSlots {
  readonly run: readonly number[];
  readonly discarded: readonly number[];
}

/** `slots` ascending and not after `nowMs`. Nothing is lost: `run` and `discarded` together are `slots`. */
export function chooseSlots(slots: readonly number[], nowMs: number, policy: CatchUpPolicy): ChosenSlots {
  switch (policy) {
    case "each-missed":
      return { run: slots, discarded: [] };
    case "latest-once":
      return { run: slots.slice(-1), discarded: slots.slice(0, -1) };
    case "none":
      return {
        run: slots.filter((slot) => !isLate(slot, nowMs)),
        discarded: slots.filter((slot) => isLate(slot, nowMs)),
      };
  }
}

export function isLate(slotMs: number, nowMs: number): boolean {
  return nowMs - slotMs > ON_TIME_GRACE_MS;
}
