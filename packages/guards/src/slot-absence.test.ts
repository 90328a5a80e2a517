import { describe, expect, it } from "vitest";
import { fleetSilent, fleetSilentFacts, type LedgerInput, type LedgerRow, type Reading, slotGhostSuccess, slotLedger, slotMissed } from "./index.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FOUR = Date.parse("2026-07-08T04:00:00Z");
const NOON = FOUR + 8 * HOUR;

const row = (taskId: string, reading: Reading, hours = 0, parts: Partial<LedgerRow> = {}): LedgerRow => ({
  taskId,
  slotMs: FOUR + hours * HOUR,
  enabled: true,
  due: true,
  claimed: reading === "ran" || reading === "ghost-success",
  seen: reading === "ran" ? 1 : 0,
  reading,
  confidence: "measured",
  kind: "recurring",
  runs: [],
  lateMs: undefined,
  ...parts,
});

/** Everything that is neither. */
const quiet: readonly LedgerRow[] = (["ran", "discarded", "pending", "unjudged"] as const).map((reading, hour) => row("quiet", reading, hour));

describe("slot/ghost-success", () => {
  it("alarms on slots that are claimed and were not seen, among those that are claimed and could be judged", () => {
    expect(slotGhostSuccess([...quiet, row("digest", "ghost-success"), row("late", "unjudged", 0, { claimed: true })])).toEqual({
      guard: "slot/ghost-success",
      subject: "digest",
      message: "1 of 2 claimed slots left no trace of a run: digest at 2026-07-08T04:00:00.000Z",
      counts: { claimed: 2, ghosts: 1 },
    });
  });

  it("is silent on a healthy ledger, on a missed slot and on nothing", () => {
    for (const rows of [quiet, [row("a", "missed")], []]) expect(slotGhostSuccess(rows)).toBeUndefined();
  });

  it("can be fooled by a session that was born and did nothing", () => {
    expect(slotGhostSuccess([row("a", "ran")])).toBeUndefined();
  });
});

describe("slot/missed", () => {
  it("says of each task whether it is frozen, overdue, stuck or has gaps, and where the machine may have slept", () => {
    const rows = [
      row("frozen", "missed", 0, { confidence: "inferred" }),
      row("frozen", "missed", 1),
      row("overdue", "ran", 0),
      row("overdue", "missed", 1),
      row("once", "missed", 0, { kind: "once" }),
      row("gaps", "missed", 0),
      row("gaps", "ran", 1),
      ...quiet,
    ];
    expect(slotMissed(rows)).toEqual({
      guard: "slot/missed",
      subject: "fleet",
      message:
        "5 of 9 due slots left neither a claim nor a trace: frozen at 2026-07-08T04:00:00.000Z, frozen at 2026-07-08T05:00:00.000Z, " +
        "overdue at 2026-07-08T05:00:00.000Z and 2 more; stuck one-shot: once (1 of 1); frozen: frozen (2 of 2); " +
        "overdue: overdue (1 of 2); gaps: gaps (1 of 2); nothing proves that the machine was awake at 1 of them",
      counts: { slots: 9, missed: 5, inferred: 1 },
    });
  });

  it("is silent on a healthy ledger, on a ghost and on nothing", () => {
    for (const rows of [quiet, [row("a", "ghost-success")], []]) expect(slotMissed(rows)).toBeUndefined();
  });

  it("names the first few of many tasks", () => {
    expect(slotMissed(["a", "b", "c", "d"].map((id) => row(id, "missed")))?.message).toContain("overdue: a (1 of 1), b (1 of 1), c (1 of 1) and 1 more");
  });

  it("can be fooled by a run that did nothing, and by a machine that nobody saw awake and that ran later", () => {
    expect(slotMissed([row("a", "ran"), row("b", "discarded")])).toBeUndefined();
  });
});

describe("fleet/silent", () => {
  const facts = { enabledTasks: 7, medianIntervalMs: DAY, newestRunMs: NOON - 80 * HOUR, watchedFromMs: 0, asleepMs: 0, nowMs: NOON };

  it("alarms when nothing has run for more than three median intervals", () => {
    expect(fleetSilent(facts)).toEqual({
      guard: "fleet/silent",
      subject: "fleet",
      message: "0 of 7 enabled tasks ran for 80.0 h, 3 median intervals of 24.0 h; the last at 2026-07-05T04:00:00.000Z",
      counts: { enabledTasks: 7, silentMs: 80 * HOUR, medianIntervalMs: DAY, intervals: 3 },
    });
  });

  it("is silent at three, where the machine slept, where nothing is enabled, and where traces are kept for less than that", () => {
    expect(fleetSilent({ ...facts, newestRunMs: NOON - 72 * HOUR })).toBeUndefined();
    expect(fleetSilent({ ...facts, asleepMs: 8 * HOUR })).toBeUndefined();
    expect(fleetSilent({ ...facts, enabledTasks: 0 })).toBeUndefined();
    expect(fleetSilent({ ...facts, newestRunMs: undefined, watchedFromMs: NOON - 72 * HOUR })).toBeUndefined();
  });

  it("alarms when no run was ever seen, and on a time that is no number", () => {
    expect(fleetSilent({ ...facts, newestRunMs: undefined, watchedFromMs: NOON - 80 * HOUR })?.message).toContain("none seen since traces are kept");
    expect(fleetSilent({ ...facts, medianIntervalMs: Number.NaN })).toBeDefined();
  });

  it("can be fooled by one task that runs while all others are dead", () => {
    expect(fleetSilent({ ...facts, newestRunMs: NOON })).toBeUndefined();
  });
});

describe("the facts of fleet/silent", () => {
  const days = [1, 2, 3, 4, 5, 6];
  const due = [
    ...days.map((day) => ({ taskId: "daily", slotMs: FOUR - day * DAY, enabled: true, graceMs: HOUR })),
    ...Array.from({ length: 100 }, (_, minute) => ({ taskId: "often", slotMs: FOUR - minute * 60_000, enabled: true, graceMs: 20_000 })),
    ...days.map((day) => ({ taskId: "another", slotMs: NOON - day * DAY, enabled: true, graceMs: HOUR })),
    { taskId: "off", slotMs: FOUR, enabled: false, graceMs: HOUR },
  ];
  const input: LedgerInput = {
    tasks: ["daily", "often", "another", "off"].map((taskId) => ({ taskId, enabled: taskId !== "off" })),
    due,
    dueFromMs: NOON - 8 * DAY,
    claims: undefined,
    artefacts: [{ taskId: "daily", startedAtMs: FOUR - 5 * DAY, trigger: "unknown" }],
    artefactsReachBackToMs: 0,
    awake: undefined,
    asleep: [{ fromMs: FOUR - 6 * DAY, toMs: FOUR - 4 * DAY }, { fromMs: NOON - HOUR, toMs: NOON + DAY }],
    catchUp: { policy: "latest-once", lookBackMs: 7 * DAY },
    windowFromMs: NOON - DAY,
    windowToMs: NOON,
    nowMs: NOON,
  };

  it("come from a ledger: each task counts once, however often it is due", () => {
    expect(fleetSilentFacts(input, slotLedger(input))).toEqual({
      enabledTasks: 3,
      medianIntervalMs: DAY,
      newestRunMs: FOUR - 5 * DAY,
      watchedFromMs: NOON - 8 * DAY,
      // A day after the last run, and the hour until now.
      asleepMs: DAY + HOUR,
      nowMs: NOON,
    });
  });

  it("are not there when nobody could look, when no trace says how far back, and when nothing recurs", () => {
    const once = [{ taskId: "daily", slotMs: FOUR, enabled: true, graceMs: HOUR, kind: "once" as const }];
    for (const parts of [{ artefacts: undefined }, { artefactsReachBackToMs: undefined }, { due: once }, { due: [] }]) {
      const changed = { ...input, ...parts };
      expect(fleetSilentFacts(changed, slotLedger(changed))).toBeUndefined();
    }
  });
});
