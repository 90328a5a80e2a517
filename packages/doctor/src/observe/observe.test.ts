import { describe, expect, it } from "vitest";
import { claudeDesktopHealthy, FIXTURE_NOW_MS, FIXTURE_ZONE, healthyFixtures, type Fixture } from "../presets/fixtures/index.ts";
import { PRESETS } from "../presets/index.ts";
import { memoryTree } from "../trees/index.ts";
import { observe } from "./observe.ts";

const look = (fixture: Fixture, places: readonly string[] = fixture.places) =>
  observe(memoryTree(fixture.files), { places, presets: PRESETS, nowMs: FIXTURE_NOW_MS, machineZone: FIXTURE_ZONE });

describe("a healthy installation", () => {
  for (const fixture of healthyFixtures()) {
    it(`${fixture.title}: is recognised, whole, and nothing is wrong with it`, async () => {
      const { layouts, candidates, notRead, capped } = await look(fixture);
      expect(layouts.map(({ preset }) => preset.id)).toEqual([fixture.preset]);
      const [layout] = layouts;
      expect(layout?.tasks.map(({ id }) => id)).toEqual([...fixture.tasks]);
      expect(layout?.tasks.flatMap(({ problems }) => problems)).toEqual([]);
      expect(layout?.registries.map(({ outcome, invalid }) => ({ outcome, invalid }))).toEqual([{ outcome: "read", invalid: 0 }]);
      expect(layout?.notRead).toEqual([]);
      expect({ candidates, notRead, capped }).toEqual({ candidates: [], notRead: [], capped: [] });
    });
  }
});

it("sees each run once, although a session file and a transcript tell of it", async () => {
  const { layouts } = await look(claudeDesktopHealthy());
  expect(layouts[0]?.artefacts?.runs.map(({ taskId }) => taskId)).toEqual(["nightly-digest", "triage"]);
});
