import { expect, it } from "vitest";
import { slotInvisibleFire, slotLedger } from "./index.ts";

const HOUR = 3_600_000;
const FOUR = Date.parse("2026-07-08T04:00:00Z");

const rowsOf = (claims: "known" | "unknown", enabled = true) =>
  slotLedger({
    tasks: [{ taskId: "a", enabled, claims }],
    due: [{ taskId: "a", slotMs: FOUR, enabled, graceMs: HOUR }],
    dueFromMs: FOUR - HOUR,
    claims: [],
    artefacts: [{ taskId: "a", startedAtMs: FOUR + 1_000, trigger: "unknown" }],
    artefactsReachBackToMs: FOUR - HOUR,
    awake: undefined,
    catchUp: { policy: "latest-once", lookBackMs: HOUR },
    windowFromMs: FOUR - HOUR,
    windowToMs: FOUR + 8 * HOUR,
    nowMs: FOUR + 8 * HOUR,
  }).rows;

it("takes no run for invisible whose claim could not be read", () => {
  expect(rowsOf("known").map(({ reading }) => reading)).toEqual(["invisible-fire"]);
  expect(slotInvisibleFire(rowsOf("known"))?.counts).toEqual({ slots: 1, invisible: 1 });
  expect(rowsOf("unknown").map(({ reading }) => reading)).toEqual(["ran"]);
  expect(slotInvisibleFire(rowsOf("unknown"))).toBeUndefined();
});

it("nor for one of a task that was off: it may have been switched off after it", () => {
  expect(rowsOf("known", false).map(({ reading }) => reading)).toEqual(["disabled-fired"]);
  expect(rowsOf("unknown", false).map(({ reading }) => reading)).toEqual(["ran"]);
});
