import { judgeDocument, type RegistryReading } from "@casebook/registry/judge";
import { describe, expect, it } from "vitest";

const judge = (entryText: string, policy: Parameters<typeof judgeDocument>[2] = "quarantine-entry"): RegistryReading =>
  judgeDocument(new TextEncoder().encode(`[\n${entryText}\n]`), { kind: "bare-array" }, policy);

describe("a valid entry", () => {
  it("becomes a task, `enabled` being true where nothing is said", () => {
    expect(judge('{"id":"a","fireAt":1787812200000}').loaded).toEqual([
      { id: "a", enabled: true, schedule: { kind: "once", atMs: 1_787_812_200_000 }, lastRunAtMs: undefined },
    ]);
  });

  it("may have a zone and a claimed last run, with an offset or fractions", () => {
    const text =
      '{"id":"a","enabled":false,"cronExpression":"0 8 * * *","zone":"Asia/Kolkata","lastRunAt":"2026-09-20T02:15:48.120999+01:00"}';
    expect(judge(text).loaded).toEqual([
      {
        id: "a",
        enabled: false,
        schedule: { kind: "cron", expression: "0 8 * * *", zone: "Asia/Kolkata" },
        lastRunAtMs: Date.UTC(2026, 8, 20, 1, 15, 48, 120),
      },
    ]);
  });

  it("may have never run, and may carry keys that nobody here knows", () => {
    const text =
      '{"id":"a","fireAt":0,"lastRunAt":null,"__proto__":{"enabled":false},"approvedPermissions":[{"toolName":"Bash"}]}';
    expect(judge(text).loaded).toEqual([
      { id: "a", enabled: true, schedule: { kind: "once", atMs: 0 }, lastRunAtMs: undefined },
    ]);
  });

  it.each([
    ["1.79e12", 1_790_000_000_000],
    ["1790000000000.000", 1_790_000_000_000],
    ["179000000000000E-2", 1_790_000_000_000],
    ["8.64e+15", 8_640_000_000_000_000],
    ["-1", -1],
    ["0.0e5", 0],
    ["0e-400", 0],
  ])("may spell a time as %s, which is exactly a number", (text, atMs) => {
    expect(judge(`{"id":"a","fireAt":${text}}`).loaded).toMatchObject([{ schedule: { kind: "once", atMs } }]);
  });

  it("may have an id of any script", () => {
    expect(judge('{"id":"отчёт 日報 🌙","fireAt":0}').loaded).toHaveLength(1);
  });
});

const field = (name: string, value: string): string => {
  const rest = { id: '"a"', fireAt: "1", [name]: value };
  return `{${Object.entries(rest)
    .map(([key, text]) => `"${key}":${text}`)
    .join(",")}}`;
};
const cron = (name: string, value: string): string => `{"id":"a","cronExpression":"* * * * *","${name}":${value}}`;

describe("an invalid entry", () => {
  it.each<[string, string, string, string, string]>([
    [
      "text for a time",
      field("fireAt", '"2026-08-27T07:30:00+01:00"'),
      "/0/fireAt",
      "FIRE_AT_INVALID",
      'text "2026-08-27T07:30:00+01:00"',
    ],
    [
      "digits in quotes for a time",
      field("fireAt", '"1787812200000"'),
      "/0/fireAt",
      "FIRE_AT_INVALID",
      'text "1787812200000"',
    ],
    ["half a millisecond", field("fireAt", "1.5"), "/0/fireAt", "FIRE_AT_INVALID", "number 1.5"],
    [
      "a time that no date reaches",
      field("fireAt", "8640000000000001"),
      "/0/fireAt",
      "FIRE_AT_INVALID",
      "number 8640000000000001",
    ],
    ["null for a time", field("fireAt", "null"), "/0/fireAt", "FIRE_AT_INVALID", "null"],
    [
      "a number that memory holds as another one",
      field("fireAt", "9007199254740993"),
      "/0/fireAt",
      "NUMBER_INEXACT",
      "number 9007199254740993",
    ],
    ["a number beyond all numbers", field("fireAt", "1e999"), "/0/fireAt", "NUMBER_INEXACT", "number 1e999"],
    [
      "a fraction that is lost in memory",
      field("fireAt", "1790000000000.0000001"),
      "/0/fireAt",
      "NUMBER_INEXACT",
      "number 1790000000000.0000001",
    ],
    ["a number that memory holds as 0", field("fireAt", "1e-400"), "/0/fireAt", "NUMBER_INEXACT", "number 1e-400"],
    [
      "an exponent that is a number beyond all numbers itself",
      field("fireAt", "1e-99999999999999999999"),
      "/0/fireAt",
      "NUMBER_INEXACT",
      "number 1e-99999999999999999999",
    ],
    ["a list for a time", field("fireAt", "[1,2]"), "/0/fireAt", "FIRE_AT_INVALID", "a list of 2"],
    ["text for a switch", field("enabled", '"false"'), "/0/enabled", "ENABLED_INVALID", 'text "false"'],
    ["null for a switch", field("enabled", "null"), "/0/enabled", "ENABLED_INVALID", "null"],
    [
      "an empty cron expression",
      '{"id":"a","cronExpression":" "}',
      "/0/cronExpression",
      "CRON_EXPRESSION_INVALID",
      'text " "',
    ],
    [
      "an object for a cron expression",
      '{"id":"a","cronExpression":{"expr":"* * * * *"}}',
      "/0/cronExpression",
      "CRON_EXPRESSION_INVALID",
      "an object of 1 key(s)",
    ],
    ["a zone that is no text", cron("zone", "1"), "/0/zone", "ZONE_INVALID", "number 1"],
    [
      "a month 13",
      cron("lastRunAt", '"2026-13-45T00:00:00Z"'),
      "/0/lastRunAt",
      "LAST_RUN_AT_INVALID",
      'text "2026-13-45T00:00:00Z"',
    ],
    [
      "a date of month 13 without time",
      cron("lastRunAt", '"2026-13-45"'),
      "/0/lastRunAt",
      "LAST_RUN_AT_INVALID",
      'text "2026-13-45"',
    ],
    [
      "30 February",
      cron("lastRunAt", '"2026-02-30T00:00:00Z"'),
      "/0/lastRunAt",
      "LAST_RUN_AT_INVALID",
      'text "2026-02-30T00:00:00Z"',
    ],
    [
      "29 February in a year without one",
      cron("lastRunAt", '"2026-02-29T00:00:00Z"'),
      "/0/lastRunAt",
      "LAST_RUN_AT_INVALID",
      'text "2026-02-29T00:00:00Z"',
    ],
    [
      "a time without offset",
      cron("lastRunAt", '"2026-02-03T00:00:00"'),
      "/0/lastRunAt",
      "LAST_RUN_AT_INVALID",
      'text "2026-02-03T00:00:00"',
    ],
    [
      "a date as people write it",
      cron("lastRunAt", '"Feb 3, 2026 10:00 UTC"'),
      "/0/lastRunAt",
      "LAST_RUN_AT_INVALID",
      'text "Feb 3, 2026 10:00 UTC"',
    ],
    [
      "milliseconds for a last run",
      cron("lastRunAt", "1787812200000"),
      "/0/lastRunAt",
      "LAST_RUN_AT_INVALID",
      "number 1787812200000",
    ],
    ["no schedule", '{"id":"a"}', "/0", "SCHEDULE_MISSING", "nothing"],
    [
      "two schedules",
      '{"id":"a","fireAt":1,"cronExpression":"* * * * *"}',
      "/0/cronExpression",
      "SCHEDULE_AMBIGUOUS",
      'text "* * * * *"',
    ],
    ["the same key twice", '{"id":"a","fireAt":1,"fireAt":2}', "/0/fireAt", "DUPLICATE_KEY", "number 2"],
    ["no id", '{"fireAt":1}', "/0", "ID_MISSING", "nothing"],
    ["a number for an id", field("id", "7"), "/0/id", "ID_INVALID", "number 7"],
    ["an id with a separator", field("id", '"../../etc/passwd"'), "/0/id", "ID_INVALID", 'text "../../etc/passwd"'],
    ["an id with the other separator", field("id", '"a\\\\b"'), "/0/id", "ID_INVALID", 'text "a\\\\b"'],
    ["an id with a newline", field("id", '"a\\nFAIL b"'), "/0/id", "ID_INVALID", 'text "a\\nFAIL b"'],
    ["an id with a NUL", field("id", '"a\\u0000"'), "/0/id", "ID_INVALID", 'text "a\\u0000"'],
    ["an id with an unprintable line separator", field("id", '"a\u2028b"'), "/0/id", "ID_INVALID", 'text "a\\u2028b"'],
    ["half of a character for an id", field("id", '"\\ud83d"'), "/0/id", "ID_INVALID", 'text "\\ud83d"'],
    ["the parent directory for an id", field("id", '".."'), "/0/id", "ID_INVALID", 'text ".."'],
    ["nothing for an id", field("id", '""'), "/0/id", "ID_INVALID", 'text ""'],
    ["an id of 201 characters", field("id", `"${"x".repeat(201)}"`), "/0/id", "ID_INVALID", `text "${"x".repeat(59)}…`],
    ["a list for an entry", "[]", "/0", "ENTRY_NOT_OBJECT", "a list of 0"],
    ["null for an entry", "null", "/0", "ENTRY_NOT_OBJECT", "null"],
  ])("is set aside for %s", (_, text, pointer, code, seen) => {
    const reading = judge(text);
    expect(reading).toMatchObject({ outcome: "loaded", population: { count: 1 }, loaded: [] });
    expect(
      reading.quarantined.map((entry) => entry.problems.map((found) => [found.pointer, found.code, found.seen])),
    ).toEqual([[[pointer, code, seen]]]);
  });

  it("says where it is, whose, what is there, what was wanted and what now, in one line", () => {
    const [bad] = judge('{"id":"evening-digest",\n  "fireAt": "2026-08-27T07:30:00+01:00"}').quarantined;
    expect(bad?.problems[0].say).toBe(
      'FIRE_AT_INVALID: /0/fireAt (line 3, column 13) of "evening-digest" is text "2026-08-27T07:30:00+01:00", ' +
        "wanted a whole number of milliseconds since 1970. A task that is set aside does not fire. Write 1787812200000, the instant it names.",
    );
  });

  it("names everything that is wrong, not only the first", () => {
    const [bad] = judge('{"id":"a/b","enabled":1,"lastRunAt":"yesterday"}').quarantined;
    expect(bad?.id).toBeUndefined();
    expect(bad?.problems.map((found) => found.code)).toEqual([
      "ID_INVALID",
      "ENABLED_INVALID",
      "LAST_RUN_AT_INVALID",
      "SCHEDULE_MISSING",
    ]);
  });
});

describe("normalising", () => {
  it("reads an instant written as text, and says what it read it as", () => {
    const reading = judge(field("fireAt", '"2026-08-27T07:30:00+01:00"'), "normalise-then-quarantine");
    expect(reading.loaded).toMatchObject([{ id: "a", schedule: { kind: "once", atMs: 1_787_812_200_000 } }]);
    expect(reading).toMatchObject({
      quarantined: [],
      normalised: [
        { file: undefined, pointer: "/0/fireAt", id: "a", from: "2026-08-27T07:30:00+01:00", to: 1_787_812_200_000 },
      ],
    });
  });

  it.each([
    ["a time without offset", '"2026-08-27T07:30:00"'],
    ["a date alone", '"2026-08-27"'],
    ["digits in quotes", '"1787812200000"'],
    ["a day that is not in the calendar", '"2026-02-30T00:00:00Z"'],
    ["more than milliseconds can hold", '"2026-08-27T07:30:00.0005Z"'],
    ["white space around it", '" 2026-08-27T07:30:00Z"'],
  ])("does not guess: %s is set aside", (_, value) => {
    const reading = judge(field("fireAt", value), "normalise-then-quarantine");
    expect(reading).toMatchObject({ loaded: [], normalised: [] });
    expect(reading.quarantined[0]?.problems[0].code).toBe("FIRE_AT_INVALID");
  });

  it("lists nothing for an entry that is set aside for another reason", () => {
    const reading = judge('{"id":"a","enabled":"yes","fireAt":"2026-08-27T07:30:00Z"}', "normalise-then-quarantine");
    expect(reading).toMatchObject({ loaded: [], normalised: [] });
    expect(reading.quarantined[0]?.problems.map((found) => found.code)).toEqual(["ENABLED_INVALID"]);
  });
});
