import { expect, it } from "vitest";
import { observe } from "../observe/index.ts";
import { claudeDesktopHealthy, FIXTURE_NOW_MS as NOW_MS, FIXTURE_ZONE } from "../presets/fixtures/index.ts";
import { PRESETS } from "../presets/index.ts";
import { memoryTree } from "../trees/index.ts";
import { examine } from "./examine.ts";

const DAY_MS = 86_400_000;

it("plans nothing, so that nothing passes, when all that was asked for cannot be asked as of another time", async () => {
  const { files, places } = claudeDesktopHealthy();
  const observation = await observe(memoryTree(files), { places, presets: PRESETS, nowMs: NOW_MS, machineZone: FIXTURE_ZONE });
  const options = { fromMs: NOW_MS - DAY_MS, toMs: NOW_MS, nowMs: NOW_MS, zone: FIXTURE_ZONE, clock: "as-if", tool: { name: "casebook doctor", version: "0" }, command: "" } as const;
  expect(examine(observation, { ...options, only: ["clock/skew"] }).tally.planned).toBe(0);
  expect(examine(observation, { ...options, only: ["clock/skew", "slot/missed"] }).tally.planned).toBeGreaterThan(0);
});
