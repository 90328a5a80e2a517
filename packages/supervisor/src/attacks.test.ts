/** Bad input from every side that a run has one: its ledger, its messages, its clocks, its rivals, and rows that belong to nobody. */
import type { LedgerRow } from "@casebook/ports";
import { findRunner } from "@casebook/sim/node";
import { EXTRA_SCENARIOS, judgeRun, playRun, recordsOf, RUN_ID, type RunWorld, type Scenario, specOf, waitsForEver } from "@casebook/supervisor/scenarios";
import { describe, expect, it } from "vitest";
import { POINTS, succeedRun, type Succession, type Supervised, superviseRun } from "./index.ts";

const runner = await findRunner();
const spec = specOf("one-agent");

/** How the run ended, and what there is against it. */
async function endOf(world: RunWorld): Promise<{ ends: readonly string[]; against: readonly string[] }> {
  const played = await playRun(world, runner);
  const { snapshot, threw, fired, ending } = played;
  if (snapshot === undefined) return { ends: [ending], against: threw };
  const against = [...judgeRun(RUN_ID, snapshot).map(({ guard, message }) => `${guard}: ${message}`), ...threw, ...waitsForEver(played), ...(fired.includes(0) ? ["a fault never fired"] : [])];
  return { ends: recordsOf(RUN_ID, snapshot).map(({ cause, done }) => `${cause} ${done.length}`), against };
}

const clean = (end: string) => ({ ends: [end], against: [] });

describe("a ledger", () => {
  it.each([1_000, 6_000, 20_000])("that takes %i ms longer for each call, for ten minutes, costs time and nothing else", async (byMs) => {
    const { ends, against } = await endOf({ spec, faults: [{ at: POINTS.afterClaim, kind: "service-slow", service: "ledger", byMs, forMs: 600_000 }], lookLateMs: 60_000 });
    expect([ends.length, against]).toEqual([1, []]);
  });

  it.each(["service-slow", "service-refuses", "service-full", "service-stale", "service-away"] as const)("in trouble by %s from the first call on, for longer than the supervisor tries, leaves no run that nobody ends", async (kind) => {
    const { ends, against } = await endOf({ spec, faults: [{ at: "ledger.transition", kind, forMs: 300_000, byMs: 100_000 }] });
    // A slow one begins it when nobody waits for the answer any more; a stale one takes what it is told.
    const expected = { "service-slow": ["deadline 0"], "service-stale": ["completed 3"] };
    expect([ends, against]).toEqual([expected[kind as keyof typeof expected] ?? [], []]);
  });

  it.each(["service-refuses", "service-full", "service-stale", "service-away", "service-slow"] as const)("in trouble by %s while the end is written has one record when it is over", async (kind) => {
    const hung = { at: POINTS.inTool, kind: "hang", nth: 2 } as const;
    const { ends, against } = await endOf({ spec, faults: [hung, { at: POINTS.afterClassify, kind, service: "ledger", forMs: 60_000, byMs: 10_000 }], lookLateMs: 120_000 });
    expect([ends, against]).toEqual([["deadline 1"], []]);
  });

  it("that is full for a second when items are handed out is asked again with a pause, and costs the run two", async () => {
    const pipeline = { spec: specOf("pipeline"), faults: [{ at: "ledger.transition", kind: "service-full", nth: 15, forMs: 1_000 }] } as const;
    expect(await endOf(pipeline)).toEqual(clean("completed 5"));
    // The claims that it refused before the pause and the ones behind it, and not one for each millisecond between.
    const { snapshot } = await playRun(pipeline, runner);
    expect(snapshot?.journal.filter(({ reason }) => reason === "item.claimed").length).toBeLessThan(10);
  });

  it("that answers from before the charges while the run is cancelled has a record of what was charged", async () => {
    const faults = [{ at: POINTS.afterClaim, kind: "service-stale", service: "ledger", forMs: 200_000 }] as const;
    const { snapshot } = await playRun({ spec, faults, operatorCancelsAtMs: 20_000, lookLateMs: 200_000 }, runner);
    expect(snapshot === undefined ? [] : recordsOf(RUN_ID, snapshot).map(({ cause, used }) => [cause, used])).toEqual([["cancelled_by_operator", { tokens: 110, toolCalls: 1, agents: 1 }]]);
  });

  it("that is full while an attempt is given up does not take its late result for the item's", async () => {
    // Given up at 60 s, and again in vain until 61.5 s; at 61.8 s there is room, and at 62 s the tool answers.
    const faults = [
      { at: POINTS.inTool, kind: "slow", forMs: 22_000 },
      { at: POINTS.beforeRenewal, kind: "service-full", service: "ledger", forMs: 31_800 },
    ] as const;
    expect(await endOf({ spec, faults, settings: { toolMs: 60_000 } })).toEqual(clean("completed 3"));
  });

  it.each([2, 3, 4])("that takes note of a wait late, the %i. transition of an agent, has nobody waiting in a run that is over", async (nth) => {
    const [crossed] = EXTRA_SCENARIOS;
    const late = { at: "ledger.transition", kind: "slow", process: "worker-1", nth, forMs: 4_000 } as const;
    const { snapshot, fired } = await playRun({ ...(crossed as Scenario).world, operatorCancelsAtMs: 3_000, faults: [...((crossed as Scenario).world.faults ?? []), late] }, runner);
    expect(fired).toEqual([1, 1, 1]);
    expect(snapshot?.tables.get("waits")?.filter(({ kind }) => kind !== "none") ?? []).toEqual([]);
  });

  it("whose answers take so long that reports wait in a queue all the time does not keep a lost claim from being found", async () => {
    const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at + 1);
    const busy = { ...spec, budget: { ...spec.budget, tokens: 10_000, toolCalls: 1_000 }, agents: numbers(8).map((n) => ({ name: `agent-${n}` })), items: numbers(150).map((n) => ({ name: `part-${n}`, toolMs: 1_000 })) };
    const faults = [
      { at: POINTS.inTool, kind: "host-unreachable", process: "worker-3", forMs: 3_600_000 },
      { at: POINTS.afterClaim, kind: "service-slow", service: "ledger", byMs: 300, forMs: 3_600_000 },
    ] as const;
    const { snapshot, beganAtMs, fired } = await playRun({ spec: busy, slots: 9, faults }, runner);
    const [found] = snapshot?.journal.filter(({ reason }) => reason.startsWith("item.reassigned")) ?? [];
    expect([fired, found?.reason]).toEqual([[1, 1], "item.reassigned lease-expired"]);
    // A lease, and a report of each agent that is heard before the look.
    expect(((found?.atMs ?? Infinity) - beganAtMs) / 1_000).toBeLessThan(120);
  });

  it("that carries out the end, and the giving back, and loses both answers has one record", async () => {
    const hung = { at: POINTS.inTool, kind: "hang", nth: 2 } as const;
    expect(await endOf({ spec, faults: [hung, { at: POINTS.afterClassify, kind: "slow", forMs: 1 }, { at: "ledger.transition", kind: "lost-answer", after: 1, times: 2 }], lookLateMs: 60_000 })).toEqual(clean("deadline 1"));
  });
});

describe("two supervisors of one run", () => {
  it.each([1, 2, 3, 4, 5])("begin it once, whatever the order of their calls: seed %i", async (schedule) => {
    const ends: Supervised[] = [];
    const others: RunWorld["others"] = (space, portsOf, settings) => space.process("rival", async (ports) => void ends.push(await superviseRun(portsOf(ports), settings, spec)));
    const { ends: records, against } = await endOf({ spec, others, schedule });
    expect([records, against]).toEqual([["completed 3"], []]);
  });

  it("are one and its own restart: the second leaves the run alone, and the successor ends it", async () => {
    expect(await endOf({ spec, faults: [{ at: POINTS.afterChildRecord, kind: "kill-restart", process: "supervisor" }] })).toEqual(clean("deadline 0"));
  });

  it("with two successors leave one record", async () => {
    const seen: Succession[] = [];
    const others: RunWorld["others"] = (space, portsOf, settings) => {
      for (const name of ["second", "third"]) {
        space.process(name, async (ports) => void seen.push(await succeedRun(portsOf(ports), settings, { id: RUN_ID, deadlineAtMs: ports.clock.now() + spec.budget.wallClockMs })));
      }
    };
    const faults = [{ at: POINTS.inTool, kind: "hang", nth: 2 }, { at: POINTS.afterPropagate, kind: "kill", process: "supervisor" }] as const;
    expect(await endOf({ spec, others, faults, schedule: "in-turn" })).toEqual(clean("deadline 1"));
    expect(seen.length).toBe(2);
  });
});

describe("a clock that jumps an hour", () => {
  it.each([
    ["early, ends it early", -3_600_000, "deadline 0"],
    ["late, finds it over", 3_600_000, "completed 3"],
  ])("of a second successor, which comes an hour %s, makes no second end", async (_name, byMs, end) => {
    const others: RunWorld["others"] = (space, portsOf, settings) =>
      space.process("second", async (ports) => void (await succeedRun(portsOf(ports), settings, { id: RUN_ID, deadlineAtMs: ports.clock.now() + spec.budget.wallClockMs + byMs })));
    // It looks when the run has begun.
    expect(await endOf({ spec, others, schedule: "in-turn", faults: [{ at: "ledger.read", kind: "slow", forMs: 1_000, process: "second" }] })).toEqual(clean(end));
  });

  it.each([1, 2, 3, 4, 5, 6])("of an agent, at its %i. port call, costs its lease and nothing else", async (nth) => {
    const { ends, against } = await endOf({ spec, faults: [{ at: "step", process: "worker-1", kind: "clock-jump", nth }] });
    expect([ends.length, against]).toEqual([1, []]);
  });
});

describe("messages", () => {
  it.each([1, 2, 3, 4, 5, 6, 7])("of an agent are one each: the %i. comes twice", async (nth) => {
    expect(await endOf({ spec, faults: [{ at: "network.worker-1->supervisor", kind: "duplicate", nth }] })).toEqual(clean("completed 3"));
  });

  it.each([1, 2, 3, 4, 5, 6, 7])("of an agent are sent again: the %i. is lost", async (nth) => {
    expect(await endOf({ spec, faults: [{ at: "network.worker-1->supervisor", kind: "drop", nth }] })).toEqual(clean("completed 3"));
  });
});

describe("an agent that nobody told of the end", () => {
  const tree = specOf("spawn-tree");
  /** When each agent stopped, in seconds after the beginning, and why. */
  async function stops(faults: RunWorld["faults"], operatorCancelsAtMs: number): Promise<readonly [atSeconds: number, why: string][]> {
    const { log, beganAtMs, fired } = await playRun({ spec: tree, operatorCancelsAtMs, ...(faults === undefined ? {} : { faults }) }, runner);
    expect(fired).not.toContain(0);
    return log.filter(({ event }) => event === "supervisor.agent-ended").map(({ atMs, facts }) => [(atMs - beganAtMs) / 1_000, String(facts["why"])]);
  }

  it("asks the ledger when it is not answered, and stops within two minutes of it", async () => {
    const lost = ["worker-1", "worker-2", "worker-3", "worker-4"].flatMap((name) => ["operator", "supervisor"].map((from) => ({ at: `network.${from}->${name}`, kind: "drop" as const, times: 10 })));
    const ended = await stops(lost, 60_000);
    expect(ended.length).toBe(4);
    for (const [atSeconds] of ended) expect(atSeconds).toBeLessThan(180);
  });
});

describe("rows of a run that nobody knows", () => {
  const owed: LedgerRow = { id: "run-9/part", run: "run-9", debtor: "part", creditor: "supervisor", kind: "item", status: "open", why: null };
  const others: RunWorld["others"] = (space, portsOf) => {
    space.process("stranger", async (raw) => {
      const { id, ...set } = owed;
      await portsOf(raw).ledger.transition("obligation.opened", [{ table: "obligations", id, when: "absent", set }]);
    });
  };

  it("are left as they are by the run beside them, and found by whoever asks for theirs", async () => {
    expect(await endOf({ spec, others })).toEqual(clean("completed 3"));
    const { snapshot } = await playRun({ spec, others }, runner);
    if (snapshot === undefined) throw new Error("nobody looked");
    expect(snapshot.tables.get("obligations")?.filter(({ run }) => run === "run-9")).toEqual([owed]);
    expect(judgeRun("run-9", snapshot).map(({ guard }) => guard)).toEqual(["supervision/one-terminal-record", "supervision/no-open-obligation"]);
  });

  it("are nothing where there are none: a run that was never begun has no end", async () => {
    const { snapshot } = await playRun({ spec }, runner);
    expect(judgeRun("run-8", snapshot as NonNullable<typeof snapshot>)).toEqual([]);
  });

  it("do not keep a successor: it says that it knows no such run", async () => {
    let said: Succession | undefined;
    const asks: RunWorld["others"] = (space, portsOf, settings) => space.process("asks", async (ports) => void (said = await succeedRun(portsOf(ports), settings, { id: "run-9", deadlineAtMs: ports.clock.now() })));
    expect(await endOf({ spec, others: asks })).toEqual(clean("completed 3"));
    expect(said).toBe("unknown-run");
  });
});
