/**
 * The slots of one schedule, in order: the instants at which it is due; and the calendars of many tasks, read once each.
 * Pure: a calendar never advances by being asked. (croner reads the machine's clock once per question although it is told
 * where to start; the answer does not depend on it.) Leaves out jitter, and everything that happened.
 */
import type { Schedule, Task } from "@casebook/registry/judge";
import { type CronReadings, readCron, type ScheduleProblem } from "./cron-expression.ts";
import { steadyAnswers } from "./steady-days.ts";

/** 0001-01-02T00:00:00Z; a day inside the range, so that no zone's local date leaves it. */
export const EARLIEST_INSTANT_MS = Date.parse("0001-01-02T00:00:00.000Z");

/** 9999-12-30T00:00:00Z. */
export const LATEST_INSTANT_MS = Date.parse("9999-12-30T00:00:00.000Z");

export function isInstant(ms: number): boolean {
  return Number.isSafeInteger(ms) && ms >= EARLIEST_INSTANT_MS && ms <= LATEST_INSTANT_MS;
}

export function instantProblem(name: string, ms: number): ScheduleProblem {
  return {
    code: "INSTANT_OUT_OF_RANGE",
    message:
      `INSTANT_OUT_OF_RANGE: ${name} is ${ms}; an instant is a whole number of milliseconds since 1970-01-01T00:00:00Z ` +
      "in the years 1 to 9999. Check the unit: seconds, microseconds and text are the usual causes.",
  };
}

/**
 * What becomes of a fixed time that the clocks skip. `run-after-gap`: it is due at the first instant after the gap, on the
 * same day. `skip`: it is not due that day.
 *
 * A fixed time is one whose minute and hour fields hold neither `*` nor a step. Expressions with one ("0 * * * *",
 * and "*\/30 2 * * *" too) follow elapsed time whatever the policy: skipped times are left out, repeated times count twice.
 */
export type GapPolicy = "run-after-gap" | "skip";

/** What becomes of a fixed time that the clocks show twice. */
export type OverlapPolicy = "run-once-first" | "run-twice";

export interface CalendarOptions {
  /** IANA name, for schedules that name no zone of their own. Never the machine's. */
  readonly zone: string;
  /** Default `run-after-gap`. */
  readonly gap?: GapPolicy;
  /** Default `run-once-first`. */
  readonly overlap?: OverlapPolicy;
}

export interface Calendar {
  /** The first slot after `afterMs` (exclusive), or undefined when none comes before the year 10000. */
  nextAfter(afterMs: number): number | undefined;
}

export type CalendarAnswer =
  | { readonly outcome: "calendar"; readonly calendar: Calendar }
  | { readonly outcome: "problem"; readonly problem: ScheduleProblem };

/** Never throws: a schedule that cannot be read is an answer. */
export function readCalendar(schedule: Schedule, options: CalendarOptions): CalendarAnswer {
  if (schedule.kind === "once") {
    const { atMs } = schedule;
    if (!isInstant(atMs)) return { outcome: "problem", problem: instantProblem("the one-shot's instant", atMs) };
    return { outcome: "calendar", calendar: { nextAfter: (afterMs) => (afterMs < atMs ? atMs : undefined) } };
  }
  const cron = readCron(schedule.expression, schedule.zone ?? options.zone);
  if (cron.outcome === "problem") return cron;
  const next = cronSlots(cron.readings, options.gap ?? "run-after-gap", options.overlap ?? "run-once-first");
  return { outcome: "calendar", calendar: { nextAfter: remembered(next) } };
}

/** croner's fixed reading is the default policy and its elapsed reading the opposite one; the other two are made of both. */
function cronSlots(
  readings: CronReadings,
  gap: GapPolicy,
  overlap: OverlapPolicy,
): (afterMs: number) => number | undefined {
  const { fixed } = readings;
  const steady = steadyAnswers(readings.zone, readings.atOffset);
  const fixedNext = (afterMs: number) => steady(afterMs) ?? fixed.nextRun(new Date(afterMs))?.getTime();
  if (gap === "run-after-gap" && overlap === "run-once-first") return fixedNext;
  if (overlap === "run-twice") {
    const elapsed = readings.elapsed();
    const elapsedNext = (afterMs: number) => elapsed.nextRun(new Date(afterMs))?.getTime();
    if (gap === "skip") return elapsedNext;
    return (afterMs) => earlier(fixedNext(afterMs), elapsedNext(afterMs));
  }
  return (afterMs) => {
    let slot = fixedNext(afterMs);
    // A slot that croner moved out of a gap shows another local time than the expression asks for.
    while (slot !== undefined && !fixed.match(new Date(slot))) slot = fixedNext(slot);
    return slot;
  };
}

function earlier(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.min(one, other);
}

/**
 * Answers a question again without croner, which needs up to a fifth of a millisecond for it, when it lies between the last
 * question and its answer. Brings questions outside of croner's range inside.
 */
function remembered(next: (afterMs: number) => number | undefined): Calendar["nextAfter"] {
  let asked = Number.POSITIVE_INFINITY;
  let answered: number | undefined;
  return (afterMs) => {
    if (afterMs >= LATEST_INSTANT_MS) return undefined;
    const from = Math.max(afterMs, EARLIEST_INSTANT_MS);
    if (from >= asked && (answered === undefined || from < answered)) return answered;
    asked = from;
    answered = next(from);
    return answered;
  };
}

/** Calendars kept; more tasks than this are read again, which costs time and nothing else. */
const MAX_CALENDARS = 10_000;

/** The calendars of a scheduler's tasks, read once per expression. A pure cache. */
export interface Calendars {
  /** Of schedules that name none. */
  readonly zone: string;
  of(task: Pick<Task, "schedule">): CalendarAnswer;
  /** A known-bad reading: the day-of-week field as `*`. */
  ignoringWeekday(task: Task): CalendarAnswer;
  hasSlot(task: Pick<Task, "schedule">, slotMs: number): boolean;
  /** The next slot of an enabled task that can be read. */
  nextAfter(task: Task, afterMs: number): number | undefined;
}

export function createCalendars(options: CalendarOptions): Calendars {
  const known = new Map<string, CalendarAnswer>();

  function of(schedule: Schedule): CalendarAnswer {
    if (schedule.kind === "once") return readCalendar(schedule, options);
    const name = `${schedule.zone ?? options.zone}\n${schedule.expression}`;
    const answer = known.get(name) ?? readCalendar(schedule, options);
    if (known.size >= MAX_CALENDARS) known.clear();
    known.set(name, answer);
    return answer;
  }

  return {
    zone: options.zone,
    of: (task) => of(task.schedule),
    ignoringWeekday({ schedule }) {
      if (schedule.kind === "once") return of(schedule);
      const fields = schedule.expression.trim().split(/\s+/);
      return of({ ...schedule, expression: [...fields.slice(0, 4), "*"].join(" ") });
    },
    hasSlot(task, slotMs) {
      const answer = of(task.schedule);
      return answer.outcome === "calendar" && answer.calendar.nextAfter(slotMs - 1) === slotMs;
    },
    nextAfter(task, afterMs) {
      if (!task.enabled) return undefined;
      const answer = of(task.schedule);
      return answer.outcome === "calendar" ? answer.calendar.nextAfter(afterMs) : undefined;
    },
  };
}
