/** What case 002 rests on: its controls, other numbers, the operator's cell, the mutants of its guards, how they could be fooled. */
import { slotDisabledFired, slotDuplicate, slotInvisibleFire, type SlotRow, slotWrongSlot } from "@casebook/guards/slots";
import { firstDifference, play } from "@casebook/repro";
import { describe, expect, it } from "vitest";
import { broken, disk, guarded, LOCATION, missedOne, repro } from "./repro.ts";

const HOURS_A_DAY = 24;

describe("the controls of case 002, so that a scheduler that never catches up fails too", () => {
  it("catches a daily that was missed up exactly once, and stamps it", async () => {
    const { facts } = await play(repro, missedOne);
    expect(facts.eveningFires).toEqual(["noon@2026-07-03T12:00:00.000Z"]);
    expect(facts.lastRunAt).toBe("fresh");
  });

  it("adds nothing at a second and a third start", async () => {
    const once = (await play(repro, missedOne)).facts;
    expect((await play(repro, missedOne, { starts: 3 })).facts.eveningFires).toEqual(once.eveningFires);
  });

  it("runs a Monday-only task for a Monday only: not on the Friday, and for the sixth when it is back on the seventh", async () => {
    // 2026-07-06 is the Monday after the Friday at which the world starts.
    const friday = (await play(repro, guarded, { weekly: "one" })).facts.eveningFires;
    expect(friday).toEqual([]);
    const tuesday = (await play(repro, guarded, { weekly: "one", dailies: 0, backAfterHours: 4 * HOURS_A_DAY })).facts.eveningFires;
    expect(tuesday).toEqual(["weekly@2026-07-06T12:45:00.000Z"]);
  });

  it("catches up the most recent slot only, when the host was off for days", async () => {
    const { facts } = await play(repro, guarded, { dailies: 1, backAfterHours: 3 * HOURS_A_DAY + 12 });
    expect(facts.eveningFires).toEqual(["daily-1@2026-07-06T00:20:00.000Z"]);
  });

  it("catches up what lies less than seven days back, and on the eighth day nothing", async () => {
    const noonOfThatDay = { dailies: 0, noon: "that-day-only" } as const;
    // Noon of the first day is 0.5 days after the epoch.
    const seventh = await play(repro, guarded, { ...noonOfThatDay, backAfterHours: 7.4 * HOURS_A_DAY });
    expect(seventh.facts.eveningFires).toEqual(["noon@2026-07-03T12:00:00.000Z"]);
    const eighth = await play(repro, guarded, { ...noonOfThatDay, backAfterHours: 7.6 * HOURS_A_DAY });
    expect(eighth.facts.eveningFires).toEqual([]);
  });
});

describe("the mechanism of case 002", () => {
  it("is not a matter of five: three dailies give three ghosts, one disabled fire and four invisible ones", async () => {
    const { facts } = await play(repro, broken, { dailies: 3 });
    expect(facts).toMatchObject({ morning: 3, ghostFires: 3, disabledFires: 1, invisibleFires: 4 });
  });

  it("gets worse with every start: two starts, twice the ghosts", async () => {
    const { facts } = await play(repro, broken, { starts: 2 });
    expect(facts).toMatchObject({ ghostFires: 11, disabledFires: 2, invisibleFires: 12 });
  });

  it("gives another trace when one byte of its input is another", async () => {
    const { traceHash } = await play(repro, broken);
    const volume = () => {
      const changed = disk(broken.with);
      const text = changed.readFileSync(LOCATION.path, "utf8") as string;
      // A space more at the end of the file, which changes no task.
      changed.writeFileSync(LOCATION.path, `${text} `);
      return changed;
    };
    const other = await play(repro, { ...broken, disk: volume });
    expect(firstDifference(broken.expect, other.facts)).toBeUndefined();
    expect(other.traceHash).not.toBe(traceHash);
  });
});

const SLOT_MS = Date.parse("2026-07-03T04:00:00Z");
const RAN: SlotRow = { taskId: "daily", slotMs: SLOT_MS, enabled: true, due: true, claimed: true, seen: 1 };

describe("the slot guards", () => {
  it("alarm in the operator's cell: the scheduler stays bad, and somebody joins dispatches with the registry", async () => {
    expect((await play(repro, broken)).facts.alarms).toEqual(["slot/disabled-fired", "slot/duplicate", "slot/invisible-fire"]);
  });

  it("find the Monday-only task that a catch-up ran on the Friday", async () => {
    const { facts } = await play(repro, guarded, { scheduler: "catch-up-ignores-weekday", weekly: "one" });
    expect(facts).toMatchObject({ eveningFires: ["weekly@2026-07-03T12:45:00.000Z"], alarms: ["slot/wrong-slot"] });
  });

  it("are silent on the control, where a missed slot was caught up", async () => {
    expect((await play(repro, missedOne)).facts.alarms).toEqual([]);
  });

  it.each([
    { guard: slotDuplicate, bad: { ...RAN, seen: 2 } },
    { guard: slotDisabledFired, bad: { ...RAN, enabled: false } },
    { guard: slotInvisibleFire, bad: { ...RAN, claimed: false } },
    { guard: slotWrongSlot, bad: { ...RAN, due: false } },
  ])("would be noticed if it never alarmed, and if it always did: $guard.about.id", ({ guard, bad }) => {
    const tells = (candidate: (rows: readonly SlotRow[]) => unknown) => candidate([bad]) !== undefined && candidate([RAN]) === undefined;
    expect(tells(guard)).toBe(true);
    expect(tells(() => undefined)).toBe(false);
    expect(tells(() => ({ guard: guard.about.id }))).toBe(false);
  });

  it("are fooled by a scheduler that stamps without running: the rows of the storm, claimed, lose one of three alarms", () => {
    const storm: SlotRow = { ...RAN, enabled: false, claimed: true, seen: 2 };
    expect([slotDuplicate, slotDisabledFired, slotInvisibleFire].map((guard) => guard([storm])?.guard)).toEqual([
      "slot/duplicate",
      "slot/disabled-fired",
      undefined,
    ]);
  });
});
