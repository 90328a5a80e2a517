import { describe, expect, it } from "vitest";
import { type SlotRow, slotDisabledFired, slotDuplicate, slotInvisibleFire, slotWrongSlot } from "./index.ts";

const four = Date.parse("2026-07-03T04:00:00Z");
const ran = (taskId: string, hours = 0): SlotRow => ({
  taskId,
  slotMs: four + hours * 3_600_000,
  enabled: true,
  due: true,
  claimed: true,
  seen: 1,
});
const off: SlotRow = { ...ran("off", 5), enabled: false, claimed: false, seen: 0 };
const morning = [0, 1, 2, 3, 4].map((hour) => ran(`daily-${hour}`, hour));

/** Case 002 in the evening: five dailies ran again, a disabled task ran, and none of the six was stamped. */
const storm = [...morning.map((row) => ({ ...row, claimed: false, seen: 2 })), { ...off, seen: 1 }];
const healthy = [...morning, off];
const guards = [slotDuplicate, slotDisabledFired, slotInvisibleFire, slotWrongSlot];

describe("the slot guards on the storm of case 002", () => {
  it("count five ghosts, one disabled task and six invisible runs", () => {
    expect(guards.map((guard) => guard(storm))).toEqual([
      {
        guard: "slot/duplicate",
        subject: "fleet",
        message:
          "5 of 6 slots ran more than once: 10 runs, 5 too many, 2.00 for each of them: " +
          "daily-0 at 2026-07-03T04:00:00.000Z, daily-1 at 2026-07-03T05:00:00.000Z, daily-2 at 2026-07-03T06:00:00.000Z and 2 more",
        counts: { slots: 6, duplicated: 5, runs: 10, excess: 5 },
      },
      {
        guard: "slot/disabled-fired",
        subject: "off",
        message: "1 of 1 slots of disabled tasks ran: off at 2026-07-03T09:00:00.000Z",
        counts: { slots: 1, fired: 1, runs: 1 },
      },
      {
        guard: "slot/invisible-fire",
        subject: "fleet",
        message:
          "6 of 6 slots that ran are not in the registry: " +
          "daily-0 at 2026-07-03T04:00:00.000Z, daily-1 at 2026-07-03T05:00:00.000Z, daily-2 at 2026-07-03T06:00:00.000Z and 3 more",
        counts: { slots: 6, invisible: 6 },
      },
      undefined,
    ]);
  });

  it("are silent on the healthy evening, on a slot that was missed, and on nothing at all", () => {
    const missed = { ...ran("missed"), claimed: false, seen: 0 };
    for (const rows of [healthy, [missed], []]) expect(guards.map((guard) => guard(rows))).toEqual(guards.map(() => undefined));
  });

  it("do not answer for each other", () => {
    const alarms = (rows: readonly SlotRow[]) => guards.filter((guard) => guard(rows) !== undefined).map(({ about }) => about.id);
    expect(alarms([{ ...ran("a"), seen: 2 }])).toEqual(["slot/duplicate"]);
    expect(alarms([{ ...ran("a"), enabled: false }])).toEqual(["slot/disabled-fired"]);
    expect(alarms([{ ...ran("a"), claimed: false }])).toEqual(["slot/invisible-fire"]);
    expect(alarms([{ ...ran("a"), due: false }])).toEqual(["slot/wrong-slot"]);
  });
});

describe("slot/duplicate", () => {
  it("adds up rows of one slot that came from two stores", () => {
    expect(slotDuplicate([ran("a"), ran("a"), ran("a")])?.counts).toEqual({ slots: 1, duplicated: 1, runs: 3, excess: 2 });
  });

  it("does not mix up neighbours: the next slot of a task, and another task at the same slot", () => {
    expect(slotDuplicate([ran("a"), ran("a", 1), ran("b")])).toBeUndefined();
  });

  it("can be fooled by a second run that left no artefact, which nobody can see afterwards", () => {
    expect(slotDuplicate([{ ...ran("a"), seen: 1 }])).toBeUndefined();
  });
});

describe("slot/wrong-slot", () => {
  it("finds a Monday weekly that ran on a Saturday", () => {
    // 2026-07-04 is a Saturday.
    expect(slotWrongSlot([ran("daily"), { ...ran("weekly", 24), due: false }])).toEqual({
      guard: "slot/wrong-slot",
      subject: "weekly",
      message: "1 of 2 runs belong to no slot of their task: weekly at 2026-07-04T04:00:00.000Z",
      counts: { runs: 2, wrong: 1 },
    });
  });
});

describe("slot/invisible-fire", () => {
  it("can be fooled by a stamp that somebody wrote without looking", () => {
    expect(slotInvisibleFire(storm.map((row) => ({ ...row, claimed: true })))).toBeUndefined();
  });
});
