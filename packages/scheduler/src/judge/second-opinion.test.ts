/** Where cron-parser reads an expression differently from us. Facts about two libraries, kept so that a new version of either is noticed. */
import { CronExpressionParser } from "cron-parser";
import { describe, expect, it } from "vitest";
import { type CalendarOptions, slotsBetween } from "./index.ts";

type Row = readonly [expression: string, zone: string, from: string, to: string];

function ours([expression, zone, from, to]: Row, dst: Partial<CalendarOptions> = {}): string[] {
  const answer = slotsBetween({ schedule: { kind: "cron", expression, zone } }, Date.parse(from), Date.parse(to), { zone, ...dst });
  return answer.outcome === "problem" ? [answer.problem.code] : answer.slots.map(short);
}

function theirs([expression, zone, from, to]: Row): string[] {
  const found: string[] = [];
  try {
    const iterator = CronExpressionParser.parse(expression, { tz: zone, currentDate: new Date(from) });
    for (let next = iterator.next().getTime(); next <= Date.parse(to); next = iterator.next().getTime()) found.push(short(next));
  } catch (refusal) {
    found.push(`throws: ${(refusal as Error).message}`);
  }
  return found;
}

const short = (ms: number): string => new Date(ms).toISOString().slice(5, 16).replace("T", " ");

const MARCH = ["2026-03-07T12:00:00Z", "2026-03-09T12:00:00Z"] as const;
const NOVEMBER = ["2026-10-31T12:00:00Z", "2026-11-02T12:00:00Z"] as const;

describe("a second engine", () => {
  it.each<Row>([
    ["0 * * * *", "America/New_York", "2026-03-08T05:30:00Z", "2026-03-08T09:00:00Z"],
    ["*/30 * * * *", "America/New_York", "2026-03-08T05:30:00Z", "2026-03-08T08:00:00Z"],
    ["0 3 * * *", "America/New_York", ...MARCH],
    ["30 1 * * *", "America/New_York", ...NOVEMBER],
    ["30 1,13 * * *", "America/New_York", ...NOVEMBER],
    ["0 * * * *", "America/New_York", "2026-11-01T03:30:00Z", "2026-11-01T08:00:00Z"],
    ["*/30 * * * *", "America/New_York", "2026-11-01T04:30:00Z", "2026-11-01T07:00:00Z"],
    ["45 1 * * *", "Australia/Lord_Howe", "2026-04-04T00:00:00Z", "2026-04-06T00:00:00Z"],
    ["0 9 * * *", "Asia/Kolkata", ...MARCH],
    ["0 0 * * 1", "Asia/Kolkata", "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z"],
    ["0 0 13 * 5", "UTC", "2026-03-01T00:00:00Z", "2026-05-01T00:00:00Z"],
    ["0 0 */2 * 1", "UTC", "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z"],
    ["0 0 L * *", "UTC", "2026-03-01T00:00:00Z", "2026-05-01T00:00:00Z"],
    ["0 0 * * 5L", "UTC", "2026-03-01T00:00:00Z", "2026-05-01T00:00:00Z"],
    ["0 0 * * 5#2", "UTC", "2026-03-01T00:00:00Z", "2026-05-01T00:00:00Z"],
  ])("agrees on %s in %s", (...row) => {
    expect(ours(row).length).toBeGreaterThan(0);
    expect(theirs(row)).toEqual(ours(row));
  });

  it("keeps the minutes of a skipped time, where we run at the end of the gap", () => {
    const row: Row = ["30 2 * * *", "America/New_York", ...MARCH];
    expect(ours(row)).toEqual(["03-08 07:00", "03-09 06:30"]);
    expect(theirs(row)).toEqual(["03-08 07:30", "03-09 06:30"]);
  });

  it("moves skipped times of stepped minutes, where we leave them out", () => {
    const row: Row = ["*/30 2 * * *", "America/New_York", ...MARCH];
    expect(ours(row)).toEqual(["03-09 06:00", "03-09 06:30"]);
    expect(theirs(row)).toEqual(["03-08 07:00", "03-08 07:30", "03-09 06:00", "03-09 06:30"]);
  });

  it("takes a shift of thirty minutes for one of an hour, and loses slots", () => {
    const spring = ["2026-10-03T15:10:00Z", "2026-10-03T16:00:00Z"] as const;
    const quarters: Row = ["*/15 * * * *", "Australia/Lord_Howe", ...spring];
    expect(ours(quarters)).toEqual(["10-03 15:15", "10-03 15:30", "10-03 15:45", "10-03 16:00"]);
    expect(theirs(quarters)).toEqual(["10-03 15:15", "10-03 16:00"]);

    const skipped: Row = ["15 2 * * *", "Australia/Lord_Howe", "2026-10-03T00:00:00Z", "2026-10-05T00:00:00Z"];
    expect(ours(skipped)).toEqual(["10-03 15:30", "10-04 15:15"]);
    expect(theirs(skipped)).toEqual(["10-04 15:15"]);
  });

  // In April it searches until its own limit, for seconds ("Invalid expression, loop limit exceeded"): seen, not repeated here.

  it("throws for a date that never comes, where we say never", () => {
    const row: Row = ["0 0 31 2 *", "UTC", ...MARCH];
    expect(ours(row)).toEqual([]);
    expect(theirs(row)).toEqual(["throws: Invalid explicit day of month definition"]);
  });

  it("fills a missing field in and reads six, where we refuse", () => {
    expect(ours(["* * * *", "UTC", "2026-03-07T12:00:00Z", "2026-03-07T12:01:00Z"])).toEqual(["CRON_UNREADABLE"]);
    expect(theirs(["* * * *", "UTC", "2026-03-07T12:00:00Z", "2026-03-07T12:01:00Z"])).toEqual(["03-07 12:01"]);
    expect(ours(["0 0 0 * * *", "UTC", ...MARCH])).toEqual(["CRON_UNREADABLE"]);
    expect(theirs(["0 0 0 * * *", "UTC", ...MARCH])).toEqual(["03-08 00:00", "03-09 00:00"]);
  });
});
