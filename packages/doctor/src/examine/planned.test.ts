import { expect, it } from "vitest";
import { observe } from "../observe/index.ts";
import { claudeDesktopHealthy, FIXTURE_NOW_MS as NOW_MS, FIXTURE_ZONE, openclawHealthy, withFile } from "../presets/fixtures/index.ts";
import { PRESETS } from "../presets/index.ts";
import { memoryTree } from "../trees/index.ts";
import { examine } from "./examine.ts";
import { look } from "./look.fixture.ts";

const DAY_MS = 86_400_000;

it("plans nothing, so that nothing passes, when all that was asked for cannot be asked as of another time", async () => {
  const { files, places } = claudeDesktopHealthy();
  const observation = await observe(memoryTree(files), { places, presets: PRESETS, nowMs: NOW_MS, machineZone: FIXTURE_ZONE });
  const options = { fromMs: NOW_MS - DAY_MS, toMs: NOW_MS, nowMs: NOW_MS, zone: FIXTURE_ZONE, clock: "as-if", tool: { name: "casebook doctor", version: "0" }, command: "" } as const;
  expect(examine(observation, { ...options, only: ["clock/skew"] }).tally.planned).toBe(0);
  expect(examine(observation, { ...options, only: ["clock/skew", "slot/missed"] }).tally.planned).toBeGreaterThan(0);
});

it("sees a wiped registry by the traces of its tasks where the layout has no prompt folders", async () => {
  const healthy = openclawHealthy("inside");
  const path = Object.keys(healthy.files).find((one) => one.endsWith("jobs.json")) ?? "";
  const wiped = withFile(healthy, path, '{"version":1,"jobs":[]}', "");
  expect((await look(wiped)).alarms).toEqual(["registry/wiped"]);
  expect((await look(healthy)).alarms).toEqual([]);
});
