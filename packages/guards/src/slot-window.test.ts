import { expect, it } from "vitest";
import { slotLedger } from "./index.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Daily, with a grace of two and a half hours. */
const SLOT = Date.parse("2026-09-02T06:00:00Z");

/** What is read of a daily task by somebody who looks two hours after each slot, when its grace has not ended. */
const rowsAt = (ranOnDays: readonly number[], { artefacts = true }: { artefacts?: boolean } = {}) => {
  const nowMs = SLOT + 2 * HOUR;
  const { rows, fleet } = slotLedger({
    tasks: [{ taskId: "a", enabled: true }],
    due: [-3, -2, -1, 0].map((day) => ({ taskId: "a", slotMs: SLOT + day * DAY, enabled: true, graceMs: 2.5 * HOUR })),
    dueFromMs: nowMs - 4 * DAY,
    claims: ranOnDays.map((day) => ({ taskId: "a", atMs: SLOT + day * DAY + 30_000 })).slice(-1),
    artefacts: artefacts ? ranOnDays.map((day) => ({ taskId: "a", startedAtMs: SLOT + day * DAY + 30_000, trigger: "unknown" as const })) : undefined,
    artefactsReachBackToMs: nowMs - 4 * DAY,
    awake: [{ fromMs: nowMs - 4 * DAY, toMs: nowMs }],
    catchUp: { policy: "latest-once", lookBackMs: 7 * DAY },
    windowFromMs: nowMs - DAY,
    windowToMs: nowMs,
    nowMs,
  });
  return [fleet.due, ...rows.map(({ slotMs, reading }) => `${(slotMs - SLOT) / DAY} ${reading}`)];
};

it("judges yesterday's slot, whose grace ended in the window, or whoever looks each morning would never hear of it", () => {
  expect(rowsAt([-3])).toEqual([1, "-1 missed", "0 pending"]);
  expect(rowsAt([-3, -2, 0])).toEqual([2, "-1 missed", "0 ran"]);
  expect(rowsAt([-3], { artefacts: false })).toEqual([1, "-1 unjudged", "0 pending"]);
});

it("counts a slot that was seen in the window of its own time only, and none twice", () => {
  expect(rowsAt([-3, -2, -1, 0])).toEqual([1, "0 ran"]);
  expect(rowsAt([-3, -2, -1])).toEqual([0, "0 pending"]);
});
