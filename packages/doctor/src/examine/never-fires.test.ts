/** Schedules that can be read and never come due: nothing is missed, nothing is claimed, and the work is never done. */
import { describe, expect, it } from "vitest";
import { type Fixture, openclawHealthy, qwenHealthy } from "../presets/fixtures/index.ts";
import { edited, look } from "./look.fixture.ts";

const healthy = openclawHealthy();
const changed = (fixture: Fixture, ...changes: readonly (readonly [string, string])[]): Fixture => ({
  ...fixture,
  files: changes.reduce((files, [from, to]) => edited(files, fixture.registry, (text) => text.replace(from, to)), fixture.files),
});
const FEBRUARY = ["0 6 * * *", "0 6 31 2 *"] as const;
const LONG = ['"everyMs": 86400000', '"everyMs": 1e300'] as const;

describe("a schedule that never comes due", () => {
  it.each([
    ["the 31st of February", "brief", [FEBRUARY]],
    ["a period of 1e300 ms", "poll", [LONG]],
    ["a period of 1e300 ms without an anchor", "poll", [LONG, ['"anchorMs"', '"note"']]],
  ] as const)("alarms: %s", async (_what, task, changes) => {
    const { report, exit, alarms } = await look(changed(healthy, ...changes), { only: ["schedule/never-fires"] });
    expect({ exit, alarms }).toEqual({ exit: 1, alarms: ["schedule/never-fires"] });
    expect(report.findings.map(({ what, tasks }) => [what, tasks])).toEqual([[`1 of 3 schedules never come due: ${task}`, [task]]]);
  });

  it("of a task that is switched off is a note, because it may be parked", async () => {
    const off = changed(healthy, FEBRUARY, ['"enabled": true', '"enabled": false']);
    const { report, exit } = await look(off, { only: ["schedule/never-fires"] });
    expect({ exit, findings: report.findings }).toEqual({ exit: 0, findings: [] });
    expect(report.notes).toContain("1 disabled task has a schedule that never comes due: brief");
  });

  it("is not one that has had its only slot, nor one whose period is longer than anybody waits", async () => {
    for (const [from, to] of [["2026-09-05T09:00:00Z", "2026-09-01T09:00:00Z"], ['"everyMs": 86400000', '"everyMs": 86400000000']] as const) {
      expect((await look(changed(healthy, [from, to]), { only: ["schedule/never-fires"] })).report.findings).toEqual([]);
    }
    // Due once, on a day that never comes: there it is an expression still.
    const once = changed(qwenHealthy(), ["0 12 3 9 *", "0 12 31 2 *"]);
    expect((await look(once, { only: ["schedule/never-fires"] })).alarms).toEqual(["schedule/never-fires"]);
  });
});
