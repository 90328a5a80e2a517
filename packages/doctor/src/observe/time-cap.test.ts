import { expect, it } from "vitest";
import { examine } from "../examine/examine.ts";
import { sumProblems } from "../examine/look.fixture.ts";
import * as fixtures from "../presets/fixtures/index.ts";
import { FIXTURE_NOW_MS, FIXTURE_ZONE } from "../presets/fixtures/index.ts";
import { PRESETS } from "../presets/index.ts";
import type { Tree } from "../tree.ts";
import { memoryTree } from "../trees/index.ts";
import { observe } from "./observe.ts";

/** Every call takes a millisecond of a clock of its own. */
function slowly(tree: Tree): { readonly tree: Tree; readonly now: () => number } {
  let elapsedMs = 0;
  const slow = <Answer>(answer: Promise<Answer>): Promise<Answer> => ((elapsedMs += 1), answer);
  return {
    tree: { list: (path) => slow(tree.list(path)), stat: (path) => slow(tree.stat(path)), readRange: (path, offset, length) => slow(tree.readRange(path, offset, length)) },
    now: () => elapsedMs,
  };
}

async function lookWithin(fixture: fixtures.Fixture, timeMs: number) {
  const { tree, now } = slowly(memoryTree(fixture.files));
  const observation = await observe(tree, { places: fixture.places, presets: PRESETS, nowMs: FIXTURE_NOW_MS, machineZone: FIXTURE_ZONE, now, caps: { timeMs } });
  const window = { fromMs: FIXTURE_NOW_MS - 86_400_000, toMs: FIXTURE_NOW_MS, nowMs: FIXTURE_NOW_MS, zone: FIXTURE_ZONE };
  const report = examine(observation, { ...window, only: [], tool: { name: "casebook doctor", version: "0.0.0" }, command: "casebook doctor" });
  return { report, tookMs: now() };
}

it.each(fixtures.healthyFixtures().map((fixture) => [fixture.title, fixture] as const))("%s: a reading that takes too long is not run, wherever it stops, and alarms at nothing", async (_title, fixture) => {
  const whole = await lookWithin(fixture, Number.POSITIVE_INFINITY);
  expect(whole.report.tally.notRun).toBe(0);
  // Finding may take half, so that twice of all of it is enough.
  expect((await lookWithin(fixture, 2 * whole.tookMs)).report.tally).toEqual(whole.report.tally);
  for (let timeMs = 1; timeMs < whole.tookMs; timeMs += 1) {
    const { report, tookMs } = await lookWithin(fixture, timeMs);
    const limits = report.rows.filter(({ subject, reason }) => subject === "limits" && reason === "timed-out");
    expect([timeMs, limits.length, sumProblems(report)]).toEqual([timeMs, 1, []]);
    expect(limits[0]?.because).toMatch(/^a limit was reached: time: /);
    expect([timeMs, report.findings.map(({ guard }) => guard)]).toEqual([timeMs, []]);
    expect(tookMs).toBeLessThanOrEqual(timeMs + 1);
  }
});
