/** Which slots of a task lie in a window. Pure and bounded; says nothing about whether they ran. */
import type { Task } from "@casebook/registry/judge";
import { type Calendar, type CalendarOptions, readCalendar } from "./calendar.ts";
import { LATEST_INSTANT_MS, instantProblem, isInstant } from "./instant.ts";
import type { ScheduleProblem } from "./problem.ts";

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
