import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Artefact,
  type DueSlot,
  type LedgerInput,
  slotDisabledFired,
  slotDuplicate,
  slotInvisibleFire,
  slotLedger,
  slotWrongSlot,
  STORM_MIN_TASKS,
} from "./index.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const GRACE = 600_000;
/** A Wednesday. */
const NOON = Date.parse("2026-07-08T12:00:00Z");
const at = (text: string): number => Date.parse(text.length > 5 ? `2026-07-${text}:00Z` : `2026-07-08T${text}:00Z`);

const slots = (taskId: string, times: readonly string[], enabled = true): DueSlot[] =>
  times.map((time) => ({ taskId, slotMs: at(time), enabled, graceMs: GRACE }));
const run = (taskId: string, time: string, trigger: Artefact["trigger"] = "unknown"): Artefact => ({ taskId, startedAtMs: at(time), trigger });

function input(parts: Partial<LedgerInput>): LedgerInput {
  const due = parts.due ?? [];
  const off = due.filter(({ enabled }) => !enabled).map(({ taskId }) => taskId);
  return {
    tasks: [...new Set(due.map(({ taskId }) => taskId))].map((taskId) => ({ taskId, enabled: !off.includes(taskId) })),
    due,
    dueFromMs: NOON - 8 * DAY,
    claims: undefined,
    artefacts: [],
    artefactsReachBackToMs: Number.NEGATIVE_INFINITY,
    awake: [{ fromMs: NOON - 8 * DAY, toMs: NOON }],
    catchUp: { policy: "latest-once", lookBackMs: 7 * DAY },
    windowFromMs: NOON - DAY,
    windowToMs: NOON,
    nowMs: NOON,
    ...parts,
  };
}

/** Each row in one line: `daily 08T04:00 ran 1 claimed`, with `?` where it is inferred. */
function read(parts: Partial<LedgerInput>): string[] {
  const ledger = slotLedger(input(parts));
  return [...ledger.outsideWindow, ...ledger.rows].map((row) => {
    const time = new Date(row.slotMs).toISOString().slice(8, 16);
    return `${row.taskId} ${time} ${row.reading}${row.confidence === "inferred" ? "?" : ""} ${row.seen}${row.claimed ? " claimed" : ""}`;
  });
}

const alarms = (parts: Partial<LedgerInput>): string[] => {
  const { rows } = slotLedger(input(parts));
  return [slotDisabledFired, slotDuplicate, slotInvisibleFire, slotWrongSlot].flatMap((guard) => guard(rows)?.guard ?? []);
};

describe("the slot ledger", () => {
  it.each<readonly [string, Partial<LedgerInput>, string]>([
    ["ran, when the registry and a trace say so", { claims: [{ taskId: "a", atMs: at("04:00") }], artefacts: [run("a", "04:01")] }, "ran 1 claimed"],
    ["a ghost success, when only the registry says so", { claims: [{ taskId: "a", atMs: at("04:00") }] }, "ghost-success 0 claimed"],
    ["a ghost success, when a stamp of hours later is near no run", { claims: [{ taskId: "a", atMs: at("09:30") }] }, "ghost-success 0 claimed"],
    ["an invisible fire, when only a trace says so", { claims: [], artefacts: [run("a", "04:01")] }, "invisible-fire 1"],
    ["missed, when neither does", { claims: [] }, "missed 0"],
    ["missed, when only an older slot is claimed", { claims: [{ taskId: "a", atMs: at("07T04:00") }] }, "missed 0"],
    ["a duplicate, when two traces do", { artefacts: [run("a", "04:01"), run("a", "04:02")] }, "duplicate 2 claimed"],
    ["ran, when nobody claims anything in this layout", { artefacts: [run("a", "04:01")] }, "ran 1 claimed"],
    ["ran late, at the end of its grace", { artefacts: [run("a", "04:10")] }, "ran 1 claimed"],
    ["ran late, as a catch-up that nothing names so", { artefacts: [run("a", "09:30")] }, "ran? 1 claimed"],
    ["ran late, as a catch-up", { artefacts: [run("a", "09:30", "catch-up")] }, "ran 1 claimed"],
    ["missed, when it was started by hand hours later", { artefacts: [run("a", "09:30", "manual")] }, "missed 0"],
    ["missed, when the claim is that of a run by hand", { claims: [{ taskId: "a", atMs: at("09:30") }], artefacts: [run("a", "09:31", "manual")] }, "missed 0"],
    ["missed by inference, when nothing proves that the machine was awake", { awake: undefined }, "missed? 0"],
    ["unjudged, when nobody could look", { artefacts: undefined }, "unjudged 0"],
    ["unjudged, when the traces do not reach back so far", { artefactsReachBackToMs: at("04:01") }, "unjudged 0"],
    ["unjudged, when not one trace says how far they reach back", { artefactsReachBackToMs: undefined }, "unjudged 0"],
    ["unjudged and claimed, when the claim cannot be checked", { artefacts: undefined, claims: [{ taskId: "a", atMs: at("04:00") }] }, "unjudged 0 claimed"],
    ["pending, until its grace ends", { nowMs: at("04:09") }, "pending 0"],
    ["pending, when it is yet to come", { nowMs: at("03:00") }, "pending 0"],
    ["missed, as soon as its grace has ended", { nowMs: at("04:10") }, "missed 0"],
    ["ran, when it ran before its grace ended", { nowMs: at("04:02"), artefacts: [run("a", "04:01")] }, "ran 1 claimed"],
    ["ran, when the stamp of a run that began just now is yet to come", { nowMs: at("04:05"), claims: [], artefacts: [run("a", "04:01")] }, "ran 1 claimed"],
    ["ran, when it was stamped before its session was born", { claims: [{ taskId: "a", atMs: at("04:00") }], artefacts: [run("a", "04:05")] }, "ran 1 claimed"],
    ["ran, when it was stamped at its end", { claims: [{ taskId: "a", atMs: at("06:00") }], artefacts: [run("a", "04:01")] }, "ran 1 claimed"],
    ["a ghost success, when it was stamped a second early", { claims: [{ taskId: "a", atMs: at("04:00") - 1_000 }] }, "ghost-success 0 claimed"],
    ["a ghost success, when a run by hand minutes later was not stamped", { claims: [{ taskId: "a", atMs: at("04:00") }], artefacts: [run("a", "04:05", "manual")] }, "ghost-success 0 claimed"],
    ["missed, when a run by hand minutes later was stamped", { claims: [{ taskId: "a", atMs: at("04:05") }], artefacts: [run("a", "04:05", "manual")] }, "missed 0"],
    ["a duplicate that the registry does not know the end of", { claims: [{ taskId: "a", atMs: at("04:00") }], artefacts: [run("a", "04:01"), run("a", "09:00", "catch-up")] }, "duplicate 2"],
    ["a ghost success, when the stamp is dated ahead of now and of slots yet to come", { due: slots("a", ["04:00", "13:00"]), claims: [{ taskId: "a", atMs: NOON + DAY }] }, "ghost-success 0 claimed"],
    ["a ghost success, when the stamp is dated ahead of now", { claims: [{ taskId: "a", atMs: NOON + DAY }] }, "ghost-success 0 claimed"],
  ])("reads a slot as %s", (_name, parts, expected) => {
    const lines = read({ due: slots("a", ["04:00"]), ...parts });
    expect(lines.filter((line) => line.startsWith("a 08T04:00"))).toEqual([`a 08T04:00 ${expected}`]);
  });

  it("takes a stamp for the newest slot only, and takes over what was seen for the older ones", () => {
    const due = slots("a", ["01:00", "02:00", "03:00", "04:00"]);
    const claims = [{ taskId: "a", atMs: at("03:00") }];
    const artefacts = [run("a", "01:00"), run("a", "03:00"), run("a", "04:00")];
    expect(read({ due, claims, artefacts })).toEqual([
      "a 08T01:00 ran 1 claimed",
      "a 08T02:00 missed 0",
      "a 08T03:00 ran 1 claimed",
      "a 08T04:00 invisible-fire 1",
    ]);
  });

  it("believes two stores that each claim a slot of their own", () => {
    const claims = [{ taskId: "a", atMs: at("01:00") }, { taskId: "a", atMs: at("03:00") }];
    expect(read({ due: slots("a", ["01:00", "02:00", "03:00"]), claims })).toEqual([
      "a 08T01:00 ghost-success 0 claimed",
      "a 08T02:00 missed 0",
      "a 08T03:00 ghost-success 0 claimed",
    ]);
  });

  it("knows every run that is not newer than the newest of several claims", () => {
    const claims = [{ taskId: "a", atMs: at("01:00") }, { taskId: "a", atMs: at("03:00") }];
    expect(read({ due: slots("a", ["03:00"]), claims, artefacts: [run("a", "03:00")] })).toEqual(["a 08T03:00 ran 1 claimed"]);
  });

  it("gives the late run to the newest slot that passed, and drops the older ones only where nothing shows that it was awake", () => {
    const due = slots("a", ["01:00", "02:00", "03:00"]);
    const artefacts = [run("a", "03:40")];
    const readings = (awake: LedgerInput["awake"]) => read({ due, artefacts, awake });
    expect(readings([])).toEqual(["a 08T01:00 discarded? 0", "a 08T02:00 discarded? 0", "a 08T03:00 ran? 1 claimed"]);
    expect(readings([{ fromMs: at("02:00"), toMs: at("02:00") }])).toEqual([
      "a 08T01:00 discarded? 0",
      "a 08T02:00 missed 0",
      "a 08T03:00 ran? 1 claimed",
    ]);
  });

  it("gives late runs to the oldest slots first where every missed slot is run", () => {
    const due = slots("a", ["01:00", "02:00", "03:00"]);
    const artefacts = [run("a", "03:40"), run("a", "03:41")];
    const catchUp = { policy: "each-missed", lookBackMs: 7 * DAY } as const;
    expect(read({ due, artefacts, catchUp, awake: [] })).toEqual([
      "a 08T01:00 ran? 1 claimed",
      "a 08T02:00 ran? 1 claimed",
      "a 08T03:00 missed? 0",
    ]);
  });

  it("drops no slot because a later one ran, where every missed slot is to be run", () => {
    const catchUp = { policy: "each-missed", lookBackMs: 0 } as const;
    expect(read({ due: slots("a", ["01:00", "02:00"]), artefacts: [run("a", "02:00")], catchUp, awake: [] })).toEqual([
      "a 08T01:00 missed? 0",
      "a 08T02:00 ran 1 claimed",
    ]);
  });

  it.each([
    ["latest-once", 7 * DAY, ["discarded 0", "missed 0"]],
    ["each-missed", 7 * DAY, ["missed 0", "missed 0"]],
    ["none", 7 * DAY, ["discarded 0", "discarded 0"]],
    // Slots of one and of two hours before the machine woke up.
    ["each-missed", 1.5 * HOUR, ["discarded 0", "missed 0"]],
    ["latest-once", 0.5 * HOUR, ["discarded 0", "discarded 0"]],
  ] as const)("owes after a sleep what the product promises: %s within %d ms", (policy, lookBackMs, expected) => {
    const asleep = [{ fromMs: at("00:00"), toMs: at("03:00") }, { fromMs: at("01:00"), toMs: at("02:00") }];
    const lines = read({ due: slots("a", ["01:00", "02:00"]), awake: [], asleep, catchUp: { policy, lookBackMs } });
    expect(lines.map((line) => line.slice(11))).toEqual(expected);
  });

  it("does not look for a slot beyond the look-back", () => {
    const catchUp = { policy: "latest-once", lookBackMs: HOUR } as const;
    const due = slots("a", ["02:00"]);
    expect(read({ due, catchUp, artefacts: [run("a", "03:00")] })).toEqual(["a 08T02:00 ran? 1 claimed"]);
    expect(read({ due, catchUp, artefacts: [run("a", "03:01")] })).toEqual(["a 08T02:00 missed 0", "a 08T03:01 manual? 1 claimed"]);
  });

  it("does not let a run make up for a slot that is older than one that ran", () => {
    const due = slots("a", ["01:00", "02:00"]);
    const runs = (trigger: Artefact["trigger"]) => read({ due, artefacts: [run("a", "02:00"), run("a", "03:00", trigger)] });
    expect(runs("unknown")).toEqual(["a 08T01:00 missed 0", "a 08T02:00 ran 1 claimed", "a 08T03:00 manual? 1 claimed"]);
    // Unless the product says that it was a catch-up.
    expect(runs("catch-up")).toEqual(["a 08T01:00 ran 1 claimed", "a 08T02:00 ran 1 claimed"]);
  });

  it("reads a catch-up with nothing to catch up as a repeat of today's slot, and of last week's as none", () => {
    const catchUp = run("a", "11:00", "catch-up");
    expect(read({ due: slots("a", ["04:00"]), artefacts: [run("a", "04:00"), catchUp] })).toEqual(["a 08T04:00 duplicate 2 claimed"]);
    // A Monday weekly, on a Wednesday.
    expect(read({ due: slots("a", ["06T04:00"]), artefacts: [run("a", "06T04:00"), catchUp] })).toEqual([
      "a 06T04:00 ran 1 claimed",
      "a 08T11:00 wrong-slot 1 claimed",
    ]);
  });

  it("reads a run that a scheduler started at no slot as one at the wrong slot", () => {
    expect(read({ due: slots("a", ["04:00"]), artefacts: [run("a", "04:00"), run("a", "11:00", "scheduled")] })).toEqual([
      "a 08T04:00 ran 1 claimed",
      "a 08T11:00 wrong-slot 1 claimed",
    ]);
  });

  it("reads runs of three tasks at no slot within minutes as a storm, and of two as runs by hand", () => {
    const storm = (tasks: number, minutesApart: number) => {
      const ids = ["a", "b", "c"].slice(0, tasks);
      const again = ids.map((id, index) => ({ ...run(id, "11:00"), startedAtMs: at("11:00") + index * minutesApart * 60_000 }));
      return read({ due: ids.flatMap((id) => slots(id, ["04:00"])), artefacts: [...ids.map((id) => run(id, "04:00")), ...again] });
    };
    expect(STORM_MIN_TASKS).toBe(3);
    expect(storm(3, 5)).toEqual(["a 08T04:00 duplicate? 2 claimed", "b 08T04:00 duplicate? 2 claimed", "c 08T04:00 duplicate? 2 claimed"]);
    expect(storm(2, 5).filter((line) => line.includes("manual?"))).toHaveLength(2);
    expect(storm(3, 6).filter((line) => line.includes("manual?"))).toHaveLength(3);
  });

  it("takes no run that is known to be by hand for part of a storm, and keeps a slot's runs in order", () => {
    const ids = ["a", "b", "c"];
    const due = ids.flatMap((id) => slots(id, ["04:00"]));
    const first = ids.map((id) => run(id, "04:00"));
    const byHand = read({ due, artefacts: [...first, run("a", "11:00"), run("b", "11:00"), run("c", "11:00", "manual")] });
    expect(byHand.filter((line) => line.includes("manual"))).toHaveLength(3);
    const late = run("a", "11:30", "catch-up");
    const { rows } = slotLedger(input({ due, artefacts: [...first, late, ...ids.map((id) => run(id, "11:00"))] }));
    expect(rows[0]?.runs.map(({ startedAtMs }) => startedAtMs)).toEqual([at("04:00"), at("11:00"), at("11:30")]);
  });

  it("keeps the slots of two tasks at one instant apart, and those of one task that runs every five minutes", () => {
    const often = ["04:00", "04:05", "04:10"].map((time): DueSlot => ({ taskId: "often", slotMs: at(time), enabled: true, graceMs: 150_000 }));
    const due = [...often, ...slots("daily", ["04:05"])].toReversed();
    const artefacts = [run("often", "04:11"), run("often", "04:01"), run("daily", "04:08"), run("often", "04:06")];
    expect(read({ due, artefacts })).toEqual([
      "often 08T04:00 ran 1 claimed",
      "daily 08T04:05 ran 1 claimed",
      "often 08T04:05 ran 1 claimed",
      "often 08T04:10 ran 1 claimed",
    ]);
  });

  it("takes a run that seems to start a second early for that of its slot", () => {
    const early = { ...run("a", "04:00"), startedAtMs: at("04:00") - 1_000 };
    expect(read({ due: slots("a", ["03:00", "04:00"]), artefacts: [run("a", "03:00"), early] })).toEqual([
      "a 08T03:00 ran 1 claimed",
      "a 08T04:00 ran 1 claimed",
    ]);
  });

  it("sets aside runs of unknown tasks, runs from the future, and runs at no instant", () => {
    const artefacts = [run("gone", "04:00"), { ...run("a", "04:00"), startedAtMs: NOON + HOUR }, { ...run("a", "04:00"), startedAtMs: Number.NaN }];
    const { orphans, rows } = slotLedger(input({ due: slots("a", ["04:00"]), artefacts }));
    expect(orphans.map(({ because, artefact }) => `${artefact.taskId} ${because}`).toSorted()).toEqual(["a in-the-future", "a no-instant", "gone unknown-task"]);
    expect(rows.map(({ reading }) => reading)).toEqual(["missed"]);
  });

  it("does not judge runs of a task whose slots are not known, nor runs from before the slots it was handed", () => {
    const old = { ...run("a", "04:00"), startedAtMs: NOON - 9 * DAY };
    const parts = { tasks: [{ taskId: "a", enabled: true }, { taskId: "b", enabled: true, slots: "unknown" as const }] };
    expect(read({ ...parts, artefacts: [old, run("b", "04:00", "scheduled")], claims: [] })).toEqual([
      "a 29T12:00 unjudged 1",
      "b 08T04:00 unjudged 1",
    ]);
    expect(alarms({ ...parts, artefacts: [old, run("b", "04:00", "scheduled")], claims: [] })).toEqual([]);
  });

  it("keeps a slot of the day before that ran again within the window, with all its runs", () => {
    const artefacts = [run("a", "06T11:00"), run("a", "07T11:00"), run("a", "07T23:33", "catch-up")];
    const { rows, outsideWindow, fleet } = slotLedger(input({ due: slots("a", ["06T11:00", "07T11:00"]), artefacts }));
    expect(rows.map(({ reading, runs }) => [reading, runs.length])).toEqual([["duplicate", 2]]);
    expect(outsideWindow.map(({ reading }) => reading)).toEqual(["ran"]);
    expect(fleet).toEqual({ due: 1, claimed: 1, seen: 1, withoutTrace: 0, discarded: 0, unjudged: 0, pending: 0, runs: 2 });
  });

  it("passes over a slot at no instant", () => {
    const due = [{ taskId: "a", slotMs: Number.NaN, enabled: true, graceMs: GRACE }, ...slots("a", ["04:00"])];
    expect(read({ due, artefacts: [run("a", "04:00")] })).toEqual(["a 08T04:00 ran 1 claimed"]);
  });

  it("counts a slot that two stores list once", () => {
    const twice = [...slots("a", ["04:00"]), ...slots("a", ["04:00"], false)];
    const parts = { tasks: [{ taskId: "a", enabled: true }], artefacts: [] };
    expect(read({ ...parts, due: twice })).toEqual(["a 08T04:00 missed 0"]);
    expect(read({ ...parts, due: twice.toReversed() })).toEqual(["a 08T04:00 missed 0"]);
  });
});

describe("a disabled task", () => {
  const due = slots("a", ["07T14:00", "04:00"], false);

  it("that does not run is paused and not due", () => {
    const ledger = slotLedger(input({ due, claims: [] }));
    expect(ledger.rows.map(({ reading }) => reading)).toEqual(["paused", "paused"]);
    expect(ledger.fleet.due).toBe(0);
  });

  it("that ran before it was switched off raises nothing, when the registry knows of the run", () => {
    const parts = { due, claims: [{ taskId: "a", atMs: at("07T14:00") }], artefacts: [run("a", "07T14:00")] };
    expect(read(parts)).toEqual(["a 07T14:00 ran? 1 claimed", "a 08T04:00 paused 0"]);
    expect(alarms(parts)).toEqual([]);
  });

  it("that ran without the registry knowing was disabled when it ran, as far as anybody can tell", () => {
    expect(read({ due, claims: [], artefacts: [run("a", "09:29")] })).toEqual(["a 07T14:00 paused 0", "a 08T04:00 disabled-fired? 1"]);
  });

  it("that ran after the instant since which it is known to be off was disabled, stamped or not", () => {
    const tasks = [{ taskId: "a", enabled: false, disabledSinceMs: at("03:00") }];
    const parts = { due, tasks, claims: [{ taskId: "a", atMs: at("04:00") }], artefacts: [run("a", "04:00")] };
    expect(read(parts)).toEqual(["a 07T14:00 paused 0", "a 08T04:00 disabled-fired 1 claimed"]);
    const atOnce = [{ taskId: "a", enabled: false, disabledSinceMs: at("04:00") }];
    expect(read({ ...parts, tasks: atOnce })).toEqual(["a 07T14:00 paused 0", "a 08T04:00 disabled-fired 1 claimed"]);
  });

  it("that ran is taken to have been enabled where nobody claims anything in this layout", () => {
    expect(read({ due, artefacts: [run("a", "04:00")] })).toEqual(["a 07T14:00 paused 0", "a 08T04:00 ran? 1 claimed"]);
  });

  it("that a scheduler started at no slot was disabled too", () => {
    const artefacts = [run("a", "07T14:00"), run("a", "04:00"), run("a", "09:00", "scheduled")];
    const claims = [{ taskId: "a", atMs: at("04:00") }];
    expect(read({ due, claims, artefacts })).toEqual(["a 07T14:00 ran? 1 claimed", "a 08T04:00 ran? 1 claimed", "a 08T09:00 disabled-fired? 1"]);
    expect(alarms({ due, claims, artefacts })).toEqual(["slot/disabled-fired", "slot/invisible-fire", "slot/wrong-slot"]);
  });

  it("whose slots are not known raises nothing, unless it ran when it is known to have been off", () => {
    const task = { taskId: "a", enabled: false, slots: "unknown" } as const;
    const ran = (tasks: LedgerInput["tasks"]) => alarms({ tasks, claims: [], artefacts: [run("a", "04:00", "scheduled")] });
    expect(ran([task])).toEqual([]);
    expect(ran([{ ...task, disabledSinceMs: at("03:00") }])).toContain("slot/disabled-fired");
  });

  it("that somebody started by hand raises nothing", () => {
    expect(alarms({ due, claims: [], artefacts: [run("a", "09:29", "manual")] })).toEqual([]);
  });

  it("that is a one-shot and was switched off by a success without a run is a ghost", () => {
    expect(read({ due: slots("a", ["04:00"], false), claims: [{ taskId: "a", atMs: at("04:00") }] })).toEqual(["a 08T04:00 ghost-success? 0 claimed"]);
  });
});

describe("what must raise nothing", () => {
  const everyHour = (fromMs: number, toMs: number): DueSlot[] =>
    Array.from({ length: (toMs - fromMs) / HOUR }, (_, hour) => ({ taskId: "hourly", slotMs: fromMs + hour * HOUR, enabled: true, graceMs: GRACE }));
  const monday = Date.parse("2026-07-06T09:10:00Z");
  const friday = Date.parse("2026-07-03T17:00:00Z");
  const weekend: Partial<LedgerInput> = {
    due: everyHour(friday, monday + 50 * 60_000),
    // One run on Friday at five, one catch-up on Monday when the lid was opened.
    artefacts: [{ taskId: "hourly", startedAtMs: friday, trigger: "unknown" }, { taskId: "hourly", startedAtMs: monday + 1_000, trigger: "unknown" }],
    windowFromMs: friday,
    windowToMs: monday + 5 * 60_000,
    nowMs: monday + 5 * 60_000,
    awake: [{ fromMs: friday, toMs: friday + 60_000 }, { fromMs: monday, toMs: monday + 60_000 }],
    claims: [{ taskId: "hourly", atMs: monday + 1_000 }],
  };

  it("a laptop that slept over the weekend, and one catch-up run after it", () => {
    expect(slotLedger(input(weekend)).fleet).toEqual({ due: 65, claimed: 2, seen: 2, withoutTrace: 0, discarded: 63, unjudged: 0, pending: 0, runs: 2 });
    expect(alarms(weekend)).toEqual([]);
  });

  it("a laptop that is known to have slept and has only just woken up", () => {
    const parts = { ...weekend, artefacts: weekend.artefacts?.slice(0, 1) ?? [], asleep: [{ fromMs: friday + HOUR, toMs: monday }], claims: [] };
    const { fleet } = slotLedger(input({ ...parts, claims: undefined }));
    expect([fleet.withoutTrace, fleet.pending, fleet.discarded]).toEqual([0, 64, 0]);
    // Ten minutes later the catch-up is owed: one slot, not all of them.
    const later = slotLedger(input({ ...parts, claims: undefined, nowMs: monday + GRACE })).fleet;
    expect([later.withoutTrace, later.pending, later.discarded]).toEqual([1, 0, 63]);
  });

  it("a run by hand, stamped or not", () => {
    const artefacts = [run("a", "04:00"), run("a", "09:00")];
    for (const time of ["04:00", "09:00"]) {
      expect(alarms({ due: slots("a", ["04:00"]), artefacts, claims: [{ taskId: "a", atMs: at(time) }] })).toEqual([]);
    }
  });

  it("two runs by hand in one instant", () => {
    const artefacts = [run("a", "04:00"), run("a", "09:00", "manual"), run("a", "09:00", "manual")];
    expect(alarms({ due: slots("a", ["04:00"]), artefacts })).toEqual([]);
  });

  it("a change of the clocks: a day of 23 hours and one of 25", () => {
    for (const hours of [23, 25]) {
      const due = [0, hours].map((hour): DueSlot => ({ taskId: "a", slotMs: at("06T04:00") + hour * HOUR, enabled: true, graceMs: GRACE }));
      const artefacts = due.map(({ slotMs }): Artefact => ({ taskId: "a", startedAtMs: slotMs + 5_000, trigger: "unknown" }));
      const parts = { due, artefacts, windowFromMs: NOON - 3 * DAY, claims: [{ taskId: "a", atMs: at("06T04:00") + hours * HOUR }] };
      expect(slotLedger(input(parts)).rows.map(({ reading }) => reading)).toEqual(["ran", "ran"]);
    }
  });
});

describe("one time of the clocks that comes twice in a night", () => {
  // Engines differ on whether that is one slot or two.
  const [first = 0, second = 0] = [at("01:00"), at("02:00")];
  const due = [
    { taskId: "a", slotMs: first, enabled: true, graceMs: GRACE, twinMs: second },
    { taskId: "a", slotMs: second, enabled: true, graceMs: GRACE, twinMs: first },
  ];
  const read = (parts: Partial<LedgerInput>) => slotLedger(input({ due, ...parts })).rows.map(({ slotMs, reading }) => [slotMs, reading]);

  it("is done with one run, whichever of the two has it", () => {
    expect(read({ artefacts: [run("a", "01:00")] })).toEqual([[first, "ran"]]);
    expect(read({ artefacts: [run("a", "02:00")] })).toEqual([[second, "ran"]]);
  });

  it("is done with two runs, and neither is a duplicate", () => {
    expect(read({ artefacts: [run("a", "01:00"), run("a", "02:00")] })).toEqual([[first, "ran"], [second, "ran"]]);
  });

  it("is missed with none, and a claim without a run is one ghost", () => {
    expect(read({})).toEqual([[first, "missed"], [second, "missed"]]);
    for (const time of ["01:00", "02:00"]) {
      expect(read({ claims: [{ taskId: "a", atMs: at(time) }] })).toEqual([[at(time), "ghost-success"]]);
    }
  });
});

describe("any input", () => {
  const instant = fc.integer({ min: NOON - 3 * DAY, max: NOON + HOUR });
  const id = fc.constantFrom("a", "b", "c", "gone");
  const span = fc.record({ fromMs: instant, toMs: instant });
  const anyInput: fc.Arbitrary<LedgerInput> = fc.record({
    tasks: fc.constant(["a", "b", "c"].map((taskId, index) => ({ taskId, enabled: index !== 1 }))),
    due: fc.array(fc.record({ taskId: fc.constantFrom("a", "b", "c"), slotMs: instant, enabled: fc.boolean(), graceMs: fc.integer({ min: 0, max: HOUR }) }), { maxLength: 40 }),
    dueFromMs: instant,
    claims: fc.option(fc.array(fc.record({ taskId: id, atMs: instant }), { maxLength: 4 }), { nil: undefined }),
    artefacts: fc.array(fc.record({ taskId: id, startedAtMs: fc.oneof(instant, fc.constant(Number.NaN)), trigger: fc.constantFrom("scheduled", "catch-up", "manual", "unknown") }), { maxLength: 40 }),
    artefactsReachBackToMs: fc.option(instant, { nil: undefined }),
    awake: fc.array(span, { maxLength: 4 }),
    asleep: fc.array(span, { maxLength: 4 }),
    catchUp: fc.record({ policy: fc.constantFrom("none", "latest-once", "each-missed"), lookBackMs: fc.integer({ min: 0, max: 3 * DAY }) }),
    windowFromMs: fc.constant(NOON - DAY),
    windowToMs: fc.constant(NOON),
    nowMs: fc.constant(NOON),
  });

  it("puts every run in exactly one row or among the orphans, and every slot in one row", () => {
    fc.assert(
      fc.property(anyInput, (facts) => {
        const { rows, outsideWindow, orphans } = slotLedger(facts);
        const all = [...rows, ...outsideWindow];
        const placed = [...all.flatMap(({ runs }) => runs), ...orphans.map(({ artefact }) => artefact)];
        expect(placed).toHaveLength(facts.artefacts?.length ?? 0);
        expect(new Set(placed)).toEqual(new Set(facts.artefacts));
        const named = (list: readonly { taskId: string; slotMs: number }[]) => new Set(list.map(({ taskId, slotMs }) => `${taskId} ${slotMs}`));
        expect(named(all.filter(({ due }) => due))).toEqual(named(facts.due));
        for (const row of all) expect(row.seen).toBe(row.runs.length);
      }),
      { seed: 3, numRuns: 400 },
    );
  });

  it("adds up", () => {
    fc.assert(
      fc.property(anyInput, (facts) => {
        const { rows, tasks, fleet } = slotLedger(facts);
        for (const sum of [...tasks, fleet]) {
          expect(sum.due).toBe((sum.seen ?? 0) + sum.withoutTrace + sum.discarded + sum.unjudged);
          expect(sum.claimed).toBeLessThanOrEqual(sum.due);
        }
        for (const key of ["due", "claimed", "seen", "withoutTrace", "discarded", "unjudged", "pending", "runs"] as const) {
          expect(tasks.reduce((total, sum) => total + (sum[key] ?? 0), 0)).toBe(fleet[key]);
        }
        expect(rows.reduce((total, { seen }) => total + seen, 0)).toBe(fleet.runs);
      }),
      { seed: 4, numRuns: 400 },
    );
  });

  it("gives the same answer in whatever order it comes", () => {
    fc.assert(
      fc.property(anyInput, (facts) => {
        const turned = { ...facts, due: facts.due.toReversed(), artefacts: facts.artefacts?.toReversed(), claims: facts.claims?.toReversed(), tasks: facts.tasks.toReversed() };
        const plain = (parts: LedgerInput) => slotLedger(parts).rows.map(({ runs: _runs, ...row }) => row);
        // Slots listed twice may differ in what they say about themselves; then the order decides, and only then.
        fc.pre(new Set(facts.due.map(({ taskId, slotMs }) => `${taskId} ${slotMs}`)).size === facts.due.length);
        fc.pre(new Set(facts.artefacts?.map(({ taskId, startedAtMs }) => `${taskId} ${startedAtMs}`)).size === facts.artefacts?.length);
        expect(plain(turned)).toEqual(plain(facts));
      }),
      { seed: 5, numRuns: 200 },
    );
  });

  it("is linear enough for a hundred thousand slots and runs", () => {
    const due = Array.from({ length: 100_000 }, (_, index): DueSlot => ({ taskId: "a", slotMs: NOON - (index + 1) * 60_000, enabled: true, graceMs: 20_000 }));
    const artefacts = due.map(({ slotMs }, index): Artefact => ({ taskId: "a", startedAtMs: slotMs + (index % 3) * 20_000, trigger: index % 2 === 0 ? "catch-up" : "unknown" }));
    const awake = due.map(({ slotMs }) => ({ fromMs: slotMs, toMs: slotMs + 1 }));
    const ledger = slotLedger(input({ due, artefacts, awake, dueFromMs: 0, windowFromMs: 0 }));
    expect(ledger.fleet.runs + ledger.orphans.length).toBe(100_000);
  });
});
