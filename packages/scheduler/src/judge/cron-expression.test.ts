import { describe, expect, it } from "vitest";
import { MAX_EXPRESSION_LENGTH, nextSlot } from "./index.ts";

const from = Date.parse("2026-03-07T12:00:00Z"); // a Saturday

function answer(expression: string, zone = "UTC"): string {
  const next = nextSlot({ schedule: { kind: "cron", expression, zone } }, from, { zone: "UTC" });
  if (next.outcome === "slot") return new Date(next.slotMs).toISOString().slice(0, 16);
  return next.outcome === "never" ? "never" : next.problem.code;
}

describe("an expression of five fields", () => {
  it.each([
    ["30 2 * * 1", "2026-03-09T02:30"],
    ["  0\t9\n* *   * ", "2026-03-08T09:00"],
    ["00 09 * * *", "2026-03-08T09:00"],
    ["0 0 * * MON", "2026-03-09T00:00"],
    ["0 0 * * wed", "2026-03-11T00:00"],
    ["0 0 * jan-mar mon", "2026-03-09T00:00"],
    ["0 0 * * 7", "2026-03-08T00:00"],
    ["0 0 L * *", "2026-03-31T00:00"],
    ["0 0 * * 5L", "2026-03-27T00:00"],
    ["0 0 * * 5#2", "2026-03-13T00:00"],
    // Day of month or day of week, as in Vixie cron; a step is a restriction here, unlike there.
    ["0 0 13 * 1", "2026-03-09T00:00"],
    ["0 0 */2 * 1", "2026-03-09T00:00"],
  ])("%j is read", (expression, slot) => {
    expect(answer(expression)).toBe(slot);
  });

  it.each([
    ["", "CRON_UNREADABLE"],
    ["* * * *", "CRON_UNREADABLE"],
    ["0 0 0 * * *", "CRON_UNREADABLE"],
    ["60 * * * *", "CRON_UNREADABLE"],
    ["0 24 * * *", "CRON_UNREADABLE"],
    ["0 0 0 * *", "CRON_UNREADABLE"],
    ["*/0 * * * *", "CRON_UNREADABLE"],
    ["5/15 * * * *", "CRON_UNREADABLE"],
    ["0 22-2 * * *", "CRON_UNREADABLE"],
    ["1,,2 * * * *", "CRON_UNREADABLE"],
    ["0 0 * * FOO", "CRON_UNREADABLE"],
    ["0 0 1#2 * *", "CRON_UNREADABLE"],
    ["30\u00a02 * * x\u0000", "CRON_UNREADABLE"],
    // croner alone would take a text with a colon for a date.
    ["2026-04-01T00:00:00Z", "CRON_UNREADABLE"],
    ["0 0 * * 1:00", "CRON_UNREADABLE"],
    ["@daily", "CRON_EXTENSION_UNSUPPORTED"],
    ["@reboot", "CRON_EXTENSION_UNSUPPORTED"],
    ["0 0 ? * *", "CRON_EXTENSION_UNSUPPORTED"],
    ["0 0 15W * *", "CRON_EXTENSION_UNSUPPORTED"],
    ["0 0 LW * *", "CRON_EXTENSION_UNSUPPORTED"],
    ["0 0 1 * +1", "CRON_EXTENSION_UNSUPPORTED"],
    [`${"0,".repeat(MAX_EXPRESSION_LENGTH)}0 * * * *`, "CRON_UNREADABLE"],
  ])("%j is refused with a code", (expression, code) => {
    expect(answer(expression)).toBe(code);
  });

  it("says what, why and what now, and repeats no more than the start of a long one", () => {
    const next = nextSlot({ schedule: { kind: "cron", expression: `60 * * * ${"1,".repeat(40)}1`, zone: "UTC" } }, from, { zone: "UTC" });
    expect(next).toEqual({
      outcome: "problem",
      problem: {
        code: "CRON_UNREADABLE",
        message:
          'CRON_UNREADABLE: "60 * * * 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1" and 30 more is not a five-field cron expression: ' +
          'Invalid value for minute: 60. Write minute, hour, day of month, month and day of week, such as "30 2 * * 1".',
      },
    });
  });
});

describe("a zone", () => {
  it.each([
    ["Mars/Base", "ZONE_UNKNOWN"],
    // Empty would be the machine's own zone.
    ["", "ZONE_UNKNOWN"],
    // A zone on Node 22 and no zone on Node 20: refused everywhere.
    ["+05:30", "ZONE_UNKNOWN"],
    ["UTC", "2026-03-08T00:00"],
    ["Etc/GMT+5", "2026-03-08T05:00"],
  ])("%j", (zone, expected) => {
    expect(answer("0 0 * * *", zone)).toBe(expected);
  });
});
