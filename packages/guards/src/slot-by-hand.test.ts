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

const HOURS = [0, 1, 2, 3, 4];

/** An hourly task that ran at each of its slots, and again so many minutes after some of them. */
const hourly = (again: readonly (number | undefined)[], { slots = HOURS, runs = HOURS }: { slots?: readonly number[]; runs?: readonly number[] } = {}) => {
  const minutes = [...runs.map((hour) => hour * 60), ...again.flatMap((late, hour) => (late === undefined ? [] : [hour * 60 + late]))];
  return slotLedger({
    tasks: [{ taskId: "a", enabled: true }],
    due: slots.map((hour) => ({ taskId: "a", slotMs: SLOT + hour * 60 * MINUTE, enabled: true, graceMs: 16 * MINUTE })),
    dueFromMs: SLOT - MINUTE,
    claims: undefined,
    artefacts: minutes.map((minute) => ({ taskId: "a", startedAtMs: SLOT + minute * MINUTE, trigger: "unknown" as const })),
    artefactsReachBackToMs: SLOT - MINUTE,
    awake: undefined,
    catchUp: { policy: "latest-once", lookBackMs: 1_440 * MINUTE },
    windowFromMs: SLOT - MINUTE,
    windowToMs: SLOT + 360 * MINUTE,
    nowMs: SLOT + 360 * MINUTE,
  }).rows.map(({ reading, confidence, seen }) => `${reading} ${confidence} ${seen}`);
};

it("says duplicate of second runs that come evenly, in grace or after it, because no hand is as even as that", () => {
  for (const late of [4, 30]) {
    expect(hourly([late, late, late, late])).toEqual([...Array.from({ length: 4 }, () => "duplicate inferred 2"), "ran measured 1"]);
  }
});

it("says wrong slot of runs that come evenly although the schedule has no slot yet", () => {
  expect(hourly([], { slots: [] })).toEqual(HOURS.map(() => "wrong-slot inferred 1"));
});

it("leaves to a person what is uneven, few, or even by chance because it is close together", () => {
  expect(hourly([4, 4, 4]).filter((one) => one.startsWith("manual"))).toHaveLength(3);
  expect(hourly([4, 6, 4, 6]).filter((one) => one.startsWith("manual"))).toHaveLength(4);
  // Distances of 10, 10.5 and 10 minutes: half a minute is five in a hundred.
  expect(hourly([20, 30, 40.5, 50.5].map((late, hour) => late - hour * 60)).filter((one) => one.startsWith("manual"))).toHaveLength(4);
});
