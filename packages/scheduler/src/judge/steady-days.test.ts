import { Cron } from "croner";
import { expect, it } from "vitest";
import { readCalendar } from "./calendar.ts";
import { calendarSlots } from "./slots.ts";

/** A week around a change of the clocks of each kind, and zones with odd offsets and without changes. */
const WEEKS = [
  ["Europe/Berlin", "2026-03-26T00:00:00Z"],
  ["Europe/Berlin", "2026-10-22T00:00:00Z"],
  ["America/New_York", "2026-03-05T00:00:00Z"],
  ["America/New_York", "2026-10-29T00:00:00Z"],
  ["Australia/Lord_Howe", "2026-04-02T00:00:00Z"],
  ["Australia/Lord_Howe", "2026-10-01T00:00:00Z"],
  ["America/St_Johns", "2026-03-05T00:00:00Z"],
  ["Africa/Casablanca", "2026-02-12T00:00:00Z"],
  ["Asia/Kathmandu", "2026-03-05T00:00:00Z"],
  ["Pacific/Kiritimati", "2026-03-05T00:00:00Z"],
  // Asked in the hour that its clocks showed again, which began at midnight UTC.
  ["Africa/Windhoek", "2016-04-03T00:10:00Z"],
  ["UTC", "2026-02-26T00:00:00Z"],
] as const;
const EXPRESSIONS = ["*/7 * * * *", "30 1,2,3 * * *", "0 */2 * * *", "15 0 * * 1-5", "45 23 * * 0", "59 2 29 3 *", "0 0 L * *", "30 2 * * 0#1", "0 12 31 * *"];

it.each(WEEKS)("gives in %s in the week of %s, day for day, what the zone itself gives", (zone, from) => {
  const fromMs = Date.parse(from);
  const toMs = fromMs + 7 * 86_400_000;
  for (const expression of EXPRESSIONS) {
    const answer = readCalendar({ kind: "cron", expression, zone }, { zone });
    if (answer.outcome === "problem") throw new Error(answer.problem.message);
    const slow = new Cron(expression, { timezone: zone, paused: true, mode: "5-part", fixedTimeRule: "no-wildcard" });
    const slots: number[] = [];
    for (let at = slow.nextRun(new Date(fromMs)); at !== null && at.getTime() <= toMs; at = slow.nextRun(at)) slots.push(at.getTime());
    expect([expression, calendarSlots(answer.calendar, fromMs, toMs, Number.POSITIVE_INFINITY).slots]).toEqual([expression, slots]);
  }
});
