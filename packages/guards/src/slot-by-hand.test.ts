import { expect, it } from "vitest";
import { type Artefact, slotLedger } from "./index.ts";

const MINUTE = 60_000;
const SLOT = Date.parse("2026-09-02T02:15:00Z");

const readings = (minutes: readonly number[], trigger: Artefact["trigger"] = "unknown", ids: readonly string[] = ["a"]) =>
  slotLedger({
    tasks: ids.map((taskId) => ({ taskId, enabled: true })),
    due: ids.map((taskId) => ({ taskId, slotMs: SLOT, enabled: true, graceMs: 144 * MINUTE })),
    dueFromMs: SLOT - MINUTE,
    claims: undefined,
    artefacts: ids.flatMap((taskId) => minutes.map((minute) => ({ taskId, startedAtMs: SLOT + minute * MINUTE, trigger }))),
    artefactsReachBackToMs: SLOT - MINUTE,
    awake: undefined,
    catchUp: { policy: "latest-once", lookBackMs: 1_440 * MINUTE },
    windowFromMs: SLOT - MINUTE,
    windowToMs: SLOT + 360 * MINUTE,
    nowMs: SLOT + 360 * MINUTE,
  }).rows.map(({ reading }) => reading);

it("takes a second run of unknown trigger for one by hand, minutes or hours after the run of the slot", () => {
  for (const minute of [3, 30, 130]) expect(readings([0, minute])).toEqual(["ran", "manual"]);
});

it("says duplicate of runs that are close together, of many, and of those that the scheduler owns up to", () => {
  expect(readings([0, 1])).toEqual(["duplicate"]);
  expect(readings([0, 5, 10, 15])).toEqual(["duplicate"]);
  expect(readings([0, 30], "scheduled")).toEqual(["duplicate"]);
});

it("says duplicate of a storm, in which several tasks run again together", () => {
  expect(readings([0, 30], "unknown", ["a", "b", "c"])).toEqual(["duplicate", "duplicate", "duplicate"]);
});
