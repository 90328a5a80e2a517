/** The calendars of a scheduler's tasks, read once per expression. A pure cache. */
import type { Schedule, Task } from "@casebook/registry/judge";
import { type CalendarAnswer, type CalendarOptions, readCalendar } from "./judge/index.ts";

/** Calendars kept; more tasks than this are read again, which costs time and nothing else. */
const MAX_CALENDARS = 10_000;

export interface Calendars {
  of(task: Task): CalendarAnswer;
  /** A known-bad reading: the day-of-week field as `*`. */
  ignoringWeekday(task: Task): CalendarAnswer;
  hasSlot(task: Task, slotMs: number): boolean;
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
