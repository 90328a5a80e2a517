import type { Schedule } from "@casebook/registry/judge";
import { describe, expect, it } from "vitest";
import {
  type CalendarOptions,
  LATEST_INSTANT_MS,
  MAX_SLOTS,
  calendarSlots,
  newestSlots,
  nextSlot,
  readCalendar,
  slotsBetween,
} from "./index.ts";

const cron = (expression: string, zone?: string): { schedule: Schedule } => ({
  schedule: { kind: "cron", expression, zone },
});

/** The slots between two instants as "MM-DD HH:mm" in UTC, or the problem's code. */
function slots(expression: string, zone: string, from: string, to: string, dst: Partial<CalendarOptions> = {}): string[] {
  const answer = slotsBetween(cron(expression), Date.parse(from), Date.parse(to), { zone, ...dst });
  if (answer.outcome === "problem") return [answer.problem.code];
  return answer.slots.map((slot) => new Date(slot).toISOString().slice(5, 16).replace("T", " "));
}

// 02:00 EST becomes 03:00 EDT at 2026-03-08T07:00Z.
describe("New York, 2026-03-08, the clocks skip 02:00 to 03:00", () => {
  it.each([
    // expression, between, due (UTC)
    ["30 2 * * *", "2026-03-07T12:00:00Z", "2026-03-09T12:00:00Z", ["03-08 07:00", "03-09 06:30"]],
    ["0 3 * * *", "2026-03-07T12:00:00Z", "2026-03-09T12:00:00Z", ["03-08 07:00", "03-09 07:00"]],
    // A list of hours is a promise for each of them.
    ["30 2,14 * * *", "2026-03-08T00:00:00Z", "2026-03-08T23:00:00Z", ["03-08 07:00", "03-08 18:30"]],
    // Two skipped times and a real one fall on one instant: one slot.
    ["0,30 2,3 * * *", "2026-03-08T00:00:00Z", "2026-03-08T23:00:00Z", ["03-08 07:00", "03-08 07:30"]],
    // Elapsed time: every hour, every half-hour, nothing twice.
    ["0 * * * *", "2026-03-08T05:00:00Z", "2026-03-08T09:00:00Z", ["03-08 06:00", "03-08 07:00", "03-08 08:00", "03-08 09:00"]],
    ["*/30 * * * *", "2026-03-08T06:15:00Z", "2026-03-08T07:45:00Z", ["03-08 06:30", "03-08 07:00", "03-08 07:30"]],
    // Every second hour loses one: 02:00 is not on the clock that day, so four hours of the clock are three of time.
    ["0 */2 * * *", "2026-03-08T04:00:00Z", "2026-03-08T08:00:00Z", ["03-08 05:00", "03-08 08:00"]],
    // A step makes it elapsed time, so this daily pair is not due at all that day. A hazard; stated, not hidden.
    ["*/30 2 * * *", "2026-03-07T12:00:00Z", "2026-03-09T12:00:00Z", ["03-09 06:00", "03-09 06:30"]],
  ])("%s is due once at the end of the gap, or by elapsed time", (expression, from, to, due) => {
    expect(slots(expression, "America/New_York", from, to)).toEqual(due);
  });

  it("leaves a skipped time out when the policy says skip, and keeps a real 03:00", () => {
    const day = ["2026-03-07T12:00:00Z", "2026-03-09T12:00:00Z"] as const;
    expect(slots("30 2 * * *", "America/New_York", ...day, { gap: "skip" })).toEqual(["03-09 06:30"]);
    expect(slots("30 2 * * *", "America/New_York", ...day, { gap: "skip", overlap: "run-twice" })).toEqual(["03-09 06:30"]);
    expect(slots("0 3 * * *", "America/New_York", ...day, { gap: "skip" })).toEqual(["03-08 07:00", "03-09 07:00"]);
    expect(slots("0,30 2,3 * * *", "America/New_York", day[0], "2026-03-08T23:00:00Z", { gap: "skip" })).toEqual([
      "03-08 07:00",
      "03-08 07:30",
    ]);
  });
});

// 02:00 EDT becomes 01:00 EST at 2026-11-01T06:00Z: 05:30Z and 06:30Z both show 01:30.
describe("New York, 2026-11-01, the clocks show 01:00 to 02:00 twice", () => {
  it.each([
    ["30 1 * * *", "2026-10-31T12:00:00Z", "2026-11-02T12:00:00Z", ["11-01 05:30", "11-02 06:30"]],
    ["15,45 1 * * *", "2026-10-31T12:00:00Z", "2026-11-01T12:00:00Z", ["11-01 05:15", "11-01 05:45"]],
    ["30 1,13 * * *", "2026-11-01T00:00:00Z", "2026-11-01T23:00:00Z", ["11-01 05:30", "11-01 18:30"]],
    ["0 2 * * *", "2026-10-31T12:00:00Z", "2026-11-02T12:00:00Z", ["11-01 07:00", "11-02 07:00"]],
    ["0 * * * *", "2026-11-01T04:00:00Z", "2026-11-01T07:00:00Z", ["11-01 05:00", "11-01 06:00", "11-01 07:00"]],
    ["*/30 * * * *", "2026-11-01T04:45:00Z", "2026-11-01T07:00:00Z", ["11-01 05:00", "11-01 05:30", "11-01 06:00", "11-01 06:30", "11-01 07:00"]],
  ])("%s is due at the first occurrence only, or by elapsed time", (expression, from, to, due) => {
    expect(slots(expression, "America/New_York", from, to)).toEqual(due);
  });

  it("is due at both occurrences when the policy says so, and the gap's policy is kept apart", () => {
    const day = ["2026-10-31T12:00:00Z", "2026-11-02T12:00:00Z"] as const;
    const twice = ["11-01 05:30", "11-01 06:30", "11-02 06:30"];
    expect(slots("30 1 * * *", "America/New_York", ...day, { overlap: "run-twice" })).toEqual(twice);
    expect(slots("30 1 * * *", "America/New_York", ...day, { overlap: "run-twice", gap: "skip" })).toEqual(twice);
    const march = ["2026-03-07T12:00:00Z", "2026-03-09T12:00:00Z"] as const;
    expect(slots("30 2 * * *", "America/New_York", ...march, { overlap: "run-twice" })).toEqual(["03-08 07:00", "03-09 06:30"]);
  });

  it("does not give the first occurrence when asked between the two", () => {
    expect(slots("45 1 * * *", "America/New_York", "2026-11-01T05:50:00Z", "2026-11-02T12:00:00Z")).toEqual(["11-02 06:45"]);
  });
});

// Half an hour: 02:00 becomes 02:30 at 2026-10-03T15:30Z, and 02:00 becomes 01:30 at 2026-04-04T15:00Z.
describe("Lord Howe, where the clocks move by thirty minutes", () => {
  it.each([
    ["15 2 * * *", "2026-10-03T00:00:00Z", "2026-10-05T00:00:00Z", ["10-03 15:30", "10-04 15:15"]],
    ["*/15 * * * *", "2026-10-03T15:10:00Z", "2026-10-03T16:00:00Z", ["10-03 15:15", "10-03 15:30", "10-03 15:45", "10-03 16:00"]],
    // 02:00 is not on the clock: ninety minutes between two hourly slots.
    ["0 * * * *", "2026-10-03T14:00:00Z", "2026-10-03T17:00:00Z", ["10-03 14:30", "10-03 16:00", "10-03 17:00"]],
    ["45 1 * * *", "2026-04-04T00:00:00Z", "2026-04-06T00:00:00Z", ["04-04 14:45", "04-05 15:15"]],
    ["15 2 * * *", "2026-04-04T00:00:00Z", "2026-04-06T00:00:00Z", ["04-04 15:45", "04-05 15:45"]],
    ["*/15 * * * *", "2026-04-04T14:40:00Z", "2026-04-04T15:30:00Z", ["04-04 14:45", "04-04 15:00", "04-04 15:15", "04-04 15:30"]],
    ["0 * * * *", "2026-04-04T13:30:00Z", "2026-04-04T17:00:00Z", ["04-04 14:00", "04-04 15:30", "04-04 16:30"]],
  ])("%s", (expression, from, to, due) => {
    expect(slots(expression, "Australia/Lord_Howe", from, to)).toEqual(due);
  });

  it("is due twice on 2026-04-05 when the policy says so", () => {
    expect(slots("45 1 * * *", "Australia/Lord_Howe", "2026-04-04T00:00:00Z", "2026-04-05T00:00:00Z", { overlap: "run-twice" })).toEqual([
      "04-04 14:45",
      "04-04 15:15",
    ]);
  });
});

describe("other zones", () => {
  it.each([
    // +05:30 all year.
    ["0 9 * * *", "Asia/Kolkata", "2026-03-07T12:00:00Z", "2026-03-09T12:00:00Z", ["03-08 03:30", "03-09 03:30"]],
    // Monday starts on Sunday in UTC.
    ["0 0 * * 1", "Asia/Kolkata", "2026-03-07T12:00:00Z", "2026-03-16T12:00:00Z", ["03-08 18:30", "03-15 18:30"]],
    ["*/30 * * * *", "Asia/Kolkata", "2026-03-07T12:00:00Z", "2026-03-07T13:00:00Z", ["03-07 12:30", "03-07 13:00"]],
    // Midnight itself is skipped: still that day's slot, at 01:00.
    ["0 0 * * *", "America/Sao_Paulo", "2018-11-03T12:00:00Z", "2018-11-05T12:00:00Z", ["11-04 03:00", "11-05 02:00"]],
    // A whole day that an island skipped is no gap to run after.
    ["30 12 * * *", "Pacific/Apia", "2011-12-28T12:00:00Z", "2011-12-31T12:00:00Z", ["12-28 22:30", "12-29 22:30", "12-30 22:30"]],
  ])("%s in %s", (expression, zone, from, to, due) => {
    expect(slots(expression, zone, from, to)).toEqual(due);
  });

  it("reads a task in its own zone when it names one", () => {
    const answer = slotsBetween(cron("0 9 * * *", "Asia/Kolkata"), Date.parse("2026-03-07T12:00:00Z"), Date.parse("2026-03-08T12:00:00Z"), { zone: "UTC" });
    expect(answer).toEqual({ outcome: "slots", slots: [Date.parse("2026-03-08T03:30:00Z")], listed: "all" });
  });
});

describe("a window", () => {
  const at = Date.parse("2026-03-09T09:00:00Z");

  it("leaves its start out and takes its end in", () => {
    const options = { zone: "UTC" };
    expect(slotsBetween(cron("0 9 * * *"), at - 1, at, options)).toEqual({ outcome: "slots", slots: [at], listed: "all" });
    expect(slotsBetween(cron("0 9 * * *"), at, at + 1, options)).toEqual({ outcome: "slots", slots: [], listed: "all" });
    expect(slotsBetween(cron("0 9 * * *"), at + 1, at - 1, options)).toEqual({ outcome: "slots", slots: [], listed: "all" });
  });

  it("holds a one-shot once", () => {
    const once = { schedule: { kind: "once", atMs: at } } as const;
    expect(slotsBetween(once, at - 1, at, { zone: "UTC" })).toEqual({ outcome: "slots", slots: [at], listed: "all" });
    expect(slotsBetween(once, at, at + 1, { zone: "UTC" })).toEqual({ outcome: "slots", slots: [], listed: "all" });
    expect(nextSlot(once, at, { zone: "UTC" })).toEqual({ outcome: "never", searchedUntilMs: LATEST_INSTANT_MS });
  });

  it("lists no more than MAX_SLOTS and says so, so that nobody counts a cap", () => {
    const year = slotsBetween(cron("* * * * *"), at, at + 365 * 86_400_000, { zone: "UTC" });
    expect(year).toMatchObject({ outcome: "slots", listed: "capped" });
    expect(year.outcome === "slots" && year.slots.length).toBe(MAX_SLOTS);
  });

  it("is listed whole when it holds exactly the limit, and not with one more", () => {
    const everyMinute = { nextAfter: (ms: number) => (Math.floor(ms / 60_000) + 1) * 60_000 };
    expect(calendarSlots(everyMinute, at, at + 5 * 60_000, 5).listed).toBe("all");
    expect(calendarSlots(everyMinute, at, at + 6 * 60_000, 5).listed).toBe("capped");
  });

  it("gives its newest slots when it holds too many, and none before its start", () => {
    const everyMinute = { nextAfter: (ms: number) => (Math.floor(ms / 60_000) + 1) * 60_000 };
    const week = newestSlots(everyMinute, at, at + 7 * 86_400_000, 168);
    expect(week).toMatchObject({ older: "some" });
    expect([week.slots.length, week.slots[0], week.slots.at(-1)]).toEqual([168, at + 7 * 86_400_000 - 167 * 60_000, at + 7 * 86_400_000]);
    expect(newestSlots(everyMinute, at, at + 168 * 60_000, 168)).toMatchObject({ older: "none" });
    expect(newestSlots(everyMinute, at, at + 169 * 60_000, 168).slots[0]).toBe(at + 2 * 60_000);
  });

  it.each([
    ["a start that is no number", Number.NaN, at],
    ["an end beyond the calendar", at, Number.POSITIVE_INFINITY],
    ["a start in microseconds", at * 1_000, at * 1_000 + 1],
    ["half a millisecond", at + 0.5, at + 1],
  ])("refuses %s with a code", (_what, from, to) => {
    expect(slotsBetween(cron("0 9 * * *"), from, to, { zone: "UTC" })).toMatchObject({ outcome: "problem", problem: { code: "INSTANT_OUT_OF_RANGE" } });
  });

  it("refuses a one-shot outside of the calendar", () => {
    const once = { schedule: { kind: "once", atMs: 1.8e18 } } as const;
    expect(nextSlot(once, at, { zone: "UTC" })).toEqual({
      outcome: "problem",
      problem: {
        code: "INSTANT_OUT_OF_RANGE",
        message:
          "INSTANT_OUT_OF_RANGE: the one-shot's instant is 1800000000000000000; an instant is a whole number of milliseconds since " +
          "1970-01-01T00:00:00Z in the years 1 to 9999. Check the unit: seconds, microseconds and text are the usual causes.",
      },
    });
  });
});

describe("a date that never comes", () => {
  const from = Date.parse("2026-03-07T12:00:00Z");

  it.each(["0 0 31 2 *", "0 0 30 2 *", "0 0 31 4,6,9,11 *"])("%s is never, not a hang and not an error", (expression) => {
    expect(nextSlot(cron(expression), from, { zone: "America/New_York" })).toEqual({ outcome: "never", searchedUntilMs: LATEST_INSTANT_MS });
    expect(slots(expression, "UTC", "2026-03-07T12:00:00Z", "2036-03-07T12:00:00Z")).toEqual([]);
  });

  it("is not a date that comes rarely", () => {
    const leapDay = nextSlot(cron("0 0 29 2 *"), Date.parse("2097-01-01T00:00:00Z"), { zone: "UTC" });
    expect(leapDay).toEqual({ outcome: "slot", slotMs: Date.parse("2104-02-29T00:00:00Z") });
  });

  it("ends with the calendar", () => {
    expect(nextSlot(cron("0 0 * * *"), LATEST_INSTANT_MS, { zone: "UTC" })).toMatchObject({ outcome: "never" });
  });
});

describe("asking a calendar", () => {
  it("does not advance it, whatever the order of the questions", () => {
    const answer = readCalendar(cron("0 9 * * *").schedule, { zone: "UTC" });
    if (answer.outcome === "problem") throw new Error(answer.problem.message);
    const ask = (day: number) => answer.calendar.nextAfter(Date.UTC(2026, 2, day));
    const inOrder = [1, 2, 3, 4].map(ask);
    expect([4, 2, 2, 3, 1, 4].map(ask)).toEqual([3, 1, 1, 2, 0, 3].map((index) => inOrder[index]));
  });
});
