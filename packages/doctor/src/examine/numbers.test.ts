import { expect, it } from "vitest";
import * as fixtures from "../presets/fixtures/index.ts";
import { iso } from "../presets/fixtures/index.ts";
import { edited, look } from "./look.fixture.ts";

const desktop = fixtures.claudeDesktopHealthy();
const created = `"createdAt": ${iso("2026-08-01T00:00:00Z")}`;
const withCreated = (value: string) => ({ ...desktop, files: edited(desktop.files, desktop.registry, (text) => text.replace(created, `"createdAt": ${value}`)) });

it.each(["1e400", "-1e400"])("calls %s, which no program can hold, an invalid field and names no year for it", async (value) => {
  const { report, exit, alarms } = await look(withCreated(value));
  expect({ exit, alarms }).toEqual({ exit: 1, alarms: ["registry/entry-invalid"] });
  expect(report.findings[0]?.what).toBe(
    "1 of 3 entries invalid: nightly-digest (createdAt is a number beyond 1.8e308 at line 7, wanted a whole number of milliseconds since 1970, from 2001 to 2100); " +
      "a whole-list loader drops 3 of 3",
  );
  expect(JSON.stringify(report)).not.toMatch(/Infinity|1970-01-01/);
});

it.each([
  ["1e300", "1e+300"],
  ["-5", "1969-12-31T23:59:59.995Z"],
])("shows %s as the moment that it is, or as the number where it is none", async (value, shown) => {
  const { report, alarms } = await look(withCreated(value));
  expect(alarms).toEqual(["registry/time-unit"]);
  expect(report.findings[0]?.what).toMatch(new RegExp(`1 in an implausible year: nightly-digest createdAt is ${shown.replace("+", "\\+")}$`));
});

it("says what is wrong with a schedule that cannot be read, and not its code alone", async () => {
  const files = edited(desktop.files, desktop.registry, (text) => text.replace('"15 2 * * *"', '"15 25 * * *"'));
  const { report } = await look({ ...desktop, files });
  expect(report.findings.map(({ guard, what }) => [guard, what])).toEqual([["schedule/impossible", "1 of 3 schedules cannot be read: nightly-digest (CRON_UNREADABLE)"]]);
  expect(report.findings[0]?.proof.slice(1)).toEqual([
    'nightly-digest: CRON_UNREADABLE: "15 25 * * *" is not a five-field cron expression: Invalid value for hour: 25. ' +
      'Write minute, hour, day of month, month and day of week, such as "30 2 * * 1".',
  ]);
});
