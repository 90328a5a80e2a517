import { expect, it } from "vitest";
import { type HiddenRuns, slotLedger } from "./index.ts";

const HOUR = 3_600_000;
const FOUR = Date.parse("2026-07-08T04:00:00Z");

const readings = (hidden: readonly HiddenRuns[]) =>
  slotLedger({
    tasks: ["a", "b"].map((taskId) => ({ taskId, enabled: true })),
    due: ["a", "b"].map((taskId) => ({ taskId, slotMs: FOUR, enabled: true, graceMs: HOUR })),
    dueFromMs: FOUR - HOUR,
    claims: [{ taskId: "a", atMs: FOUR }],
    artefacts: [],
    artefactsReachBackToMs: FOUR - HOUR,
    hidden,
    awake: undefined,
    catchUp: { policy: "latest-once", lookBackMs: HOUR },
    windowFromMs: FOUR - HOUR,
    windowToMs: FOUR + 8 * HOUR,
    nowMs: FOUR + 8 * HOUR,
  }).rows.map(({ reading }) => reading);

const ANY = { taskId: undefined, fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY };

it("does not judge a slot whose trace may be among those that could not be read", () => {
  expect(readings([])).toEqual(["ghost-success", "missed"]);
  expect(readings([ANY])).toEqual(["unjudged", "unjudged"]);
});

it("judges it where the damage is another task's or lies between records of another time", () => {
  expect(readings([{ ...ANY, taskId: "b" }])).toEqual(["ghost-success", "unjudged"]);
  expect(readings([{ ...ANY, toMs: FOUR - 1 }, { ...ANY, fromMs: FOUR + 2 * HOUR }])).toEqual(["ghost-success", "missed"]);
});
