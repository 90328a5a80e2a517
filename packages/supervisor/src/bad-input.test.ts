/** What a run meets beside the nine faults. Whatever it is: one terminal record, nothing held, nothing lost, and nobody waits for ever. */
import { findRunner } from "@casebook/sim/node";
import { journalText, readJournal, replayJournal } from "@casebook/supervisor/judge";
import { judgeRun, type PlayedRun, playRun, recordsOf, RUN_ID, type RunWorld, specOf, THREE_SPEEDS, waitsForEver } from "@casebook/supervisor/scenarios";
import { describe, expect, it } from "vitest";
import { POINTS, resumedSpec, type Supervised, superviseRun } from "./index.ts";

const runner = await findRunner();
const spec = specOf("one-agent");

/** `completed, 3 done by supervisor`, and what the guards and the process table have against it. */
async function endOf(world: RunWorld): Promise<{ end: string; against: string[] }> {
  const played = await playRun(world, runner);
  const { snapshot, threw, fired } = played;
  if (snapshot === undefined) return { end: played.ending, against: threw.slice() };
  const run = world.spec.id;
  const end = recordsOf(run, snapshot).map(({ cause, done, writtenBy }) => `${cause}, ${done.length} done by ${writtenBy}`);
  const against = [...judgeRun(run, snapshot).map(({ guard, message }) => `${guard}: ${message}`), ...threw, ...waitsForEver(played), ...fired.flatMap((count, at) => (count === 0 ? [`fault ${at + 1} never fired`] : []))];
  return { end: end.join("; "), against };
}

const clean = (end: string) => ({ end, against: [] });

describe("a supervised run", () => {
  it.each(["service-full", "service-refuses", "service-stale", "service-away"] as const)("completes when the ledger is troubled for 60 s by %s", async (kind) => {
    expect(await endOf({ spec, faults: [{ at: POINTS.afterClaim, kind, service: "ledger", forMs: 60_000, nth: 2 }] })).toEqual(clean("completed, 3 done by supervisor"));
  });

  it("writes one record where the answer to the first one is lost", async () => {
    const faults = [{ at: POINTS.beforeCompletion, kind: "slow", forMs: 1 }, { at: "ledger.transition", kind: "lost-answer", after: 0 }] as const;
    expect(await endOf({ spec, faults })).toEqual(clean("completed, 3 done by supervisor"));
    const { log } = await playRun({ spec, faults }, runner);
    // It knows its own record again when it looks, and does not take itself for the loser.
    expect(log.filter(({ event }) => event === "supervisor.record-written").map(({ process }) => process)).toEqual(["supervisor"]);
  });

  it("is counted on its record as its items stand, also where one is finished between the reading and the writing", async () => {
    // The operator reads at 20 s, and the write arrives at 50 s, within the grace; the agent is not told, and at 40 s the first item is done.
    const faults = [{ at: "ledger.transition", kind: "slow", process: "operator", forMs: 30_000 }, { at: "network.operator->worker-1", kind: "drop" }] as const;
    const world: RunWorld = { spec, faults, operatorCancelsAtMs: 20_000, settings: { recordMs: 60_000, graceMs: 60_000 } };
    expect(await endOf(world)).toEqual(clean("cancelled_by_operator, 1 done by operator"));
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])("ends cleanly where the answer to transition %i is lost", async (nth) => {
    expect(await endOf({ spec, faults: [{ at: "ledger.transition", kind: "lost-answer", nth }] })).toMatchObject({ against: [] });
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])("is charged once for each item where the answer to transition %i is lost: a budget of just as much as it needs is enough", async (nth) => {
    const calls = spec.items.length;
    const world: RunWorld = { spec: { ...spec, budget: { ...spec.budget, toolCalls: calls } }, faults: [{ at: "ledger.transition", kind: "lost-answer", nth }] };
    const { snapshot } = await playRun(world, runner);
    expect(snapshot === undefined ? [] : recordsOf(RUN_ID, snapshot).map(({ cause, used }) => [cause, used.toolCalls])).toEqual([["completed", calls]]);
  });

  it.each(["one-agent", "spawn-tree"] as const)("of the shape %s spends the same and takes seconds longer, whichever answer of its ledger is lost", { timeout: 120_000 }, async (shape) => {
    const endsOf = ({ snapshot }: PlayedRun) => (snapshot === undefined ? [] : recordsOf(RUN_ID, snapshot));
    const control = await playRun({ spec: specOf(shape) }, runner);
    const [end] = endsOf(control);
    if (end === undefined) throw new Error("no record");
    for (const at of ["ledger.transition", "ledger.list", "ledger.read"]) {
      let fired = 1;
      for (let nth = 1; fired > 0; nth += 1) {
        const played = await playRun({ spec: specOf(shape), faults: [{ at, kind: "lost-answer", nth }] }, runner);
        fired = played.fired[0] as number;
        const ends = endsOf(played).map(({ cause, used, startedAtMs, atMs }) => [cause, used, atMs - startedAtMs <= end.atMs - end.startedAtMs + 10_000]);
        expect([at, nth, ends, played.threw, waitsForEver(played)]).toEqual([at, nth, [["completed", end.used, true]], [], []]);
      }
    }
  });

  it("does not take an agent for silent whose report waits while the ledger is waited for", async () => {
    const faults = [{ at: "ledger.list", kind: "lost-answer", nth: 7 }, { at: "store.put", kind: "lost-answer" }] as const;
    const { snapshot, fired } = await playRun({ spec: specOf("pipeline"), faults }, runner);
    expect([fired, snapshot && recordsOf(RUN_ID, snapshot).map(({ cause, used }) => [cause, used.agents])]).toEqual([[1, 1], [["completed", 2]]]);
  });

  it.each([1, 2])("completes where worker-%i is killed at any of its port calls: what it had begun for its children is given back", { timeout: 120_000 }, async (worker) => {
    let fired = 1;
    for (let nth = 1; fired > 0; nth += 1) {
      const world: RunWorld = { spec: specOf("spawn-tree"), faults: [{ at: "step", kind: "kill", process: `worker-${worker}`, nth }] };
      const { snapshot, fired: counts } = await playRun(world, runner);
      fired = counts[0] as number;
      const ends = snapshot === undefined ? [] : recordsOf(RUN_ID, snapshot).map(({ cause, startedAtMs, atMs }) => [cause, atMs - startedAtMs < 600_000]);
      expect([nth, ends]).toEqual([nth, [["completed", true]]]);
    }
  });

  it("completes where the ledger answers from before the run, from its first call on for up to 300 s", async () => {
    for (const [at, forMs] of [["ledger.transition", 60_000], ["ledger.read", 60_000], ["ledger.transition", 300_000]] as const) {
      expect(await endOf({ spec, faults: [{ at, kind: "service-stale", forMs }] })).toEqual(clean("completed, 3 done by supervisor"));
    }
  });

  it("is ended where the ledger answers from before the run until its deadline is over", async () => {
    expect(await endOf({ spec, faults: [{ at: "ledger.transition", kind: "service-stale", forMs: 1_000_000 }], lookLateMs: 120_000 })).toEqual(clean("unclassified, 0 done by supervisor"));
  });

  it("completes where the ledger takes 6 s for each call, longer than anybody waits at first, for the first 100 s", async () => {
    expect(await endOf({ spec, faults: [{ at: "ledger.transition", kind: "service-slow", byMs: 6_000, forMs: 100_000 }] })).toEqual(clean("completed, 3 done by supervisor"));
  });

  it.each(["service-refuses", "service-full", "service-away"] as const)("costs seconds and not its time where the ledger is troubled by %s when its agents are begun", async (kind) => {
    for (const [forMs, mostMs] of [[1_000, 10_000], [20_000, 40_000], [60_000, 120_000]] as const) {
      for (const nth of [2, 3, 4]) {
        const { snapshot } = await playRun({ spec, faults: [{ at: "ledger.transition", kind, nth, forMs }] }, runner);
        // Three items of 40 s each without a fault.
        const ends = snapshot === undefined ? [] : recordsOf(RUN_ID, snapshot).map(({ cause, atMs, startedAtMs, used }) => [cause, used.agents, atMs - startedAtMs <= 120_000 + mostMs]);
        expect([forMs, nth, ends]).toEqual([forMs, nth, [["completed", 1, true]]]);
      }
    }
  });

  it("begins an agent that found no free slot when a lease is over", async () => {
    const others: RunWorld["others"] = (space, portsOf) =>
      space.process("neighbour", async (raw) => {
        const { ledger, clock } = portsOf(raw);
        await ledger.transition("agent.admitted", [{ table: "slots", id: "worker-1", when: { run: null }, set: { run: "run-2", agent: "other", owner: "other-1" } }]);
        await clock.sleep(30_000);
        await ledger.transition("slot.freed", [{ table: "slots", id: "worker-1", when: {}, set: { run: null, agent: null, owner: null } }]);
      });
    // The neighbour is quicker.
    const world: RunWorld = { spec, slots: 1, others, faults: [{ at: "ledger.transition", kind: "slow", process: "supervisor", forMs: 1_000 }] };
    expect(await endOf(world)).toEqual(clean("completed, 3 done by supervisor"));
    const { log, beganAtMs } = await playRun(world, runner);
    // Behind the second that its own begin took.
    expect(log.filter(({ event }) => event === "supervisor.agent-spawned").map(({ atMs }) => Math.round((atMs - beganAtMs) / 1_000))).toEqual([91]);
  });

  it("completes where the store takes an artefact and the answer is lost", async () => {
    expect(await endOf({ spec, faults: [{ at: "store.put", kind: "lost-answer" }] })).toEqual(clean("completed, 3 done by supervisor"));
  });

  it("is supervised by one of two: the other leaves it alone", async () => {
    let rival: Supervised | undefined;
    const others: RunWorld["others"] = (space, portsOf, settings) => space.process("rival", async (ports) => void (rival = await superviseRun(portsOf(ports), settings, spec)));
    expect(await endOf({ spec, others })).toEqual(clean("completed, 3 done by supervisor"));
    expect(rival).toEqual({ outcome: "lost" });
    const { log } = await playRun({ spec, others }, runner);
    expect(log.filter(({ event }) => event === "supervisor.agent-spawned").map(({ process }) => process)).toEqual(["supervisor"]);
  });

  it("completes where an agent's clock jumps an hour: it takes its lease for expired, and another one goes on", async () => {
    expect(await endOf({ spec, faults: [{ at: POINTS.afterClaim, kind: "clock-jump" }] })).toEqual(clean("completed, 3 done by supervisor"));
  });

  it("is cancelled too early where the supervisor's clock jumps an hour, and by the successor where it is set back", async () => {
    const at = POINTS.afterChildRecord;
    expect(await endOf({ spec, faults: [{ at, kind: "clock-jump" }] })).toEqual(clean("deadline, 0 done by supervisor"));
    const hung = { at: POINTS.inTool, kind: "hang", nth: 2 } as const;
    expect(await endOf({ spec, faults: [{ at, kind: "clock-back" }, hung] })).toEqual(clean("deadline, 1 done by successor"));
  });

  it("takes a begin that is reported twice for one", async () => {
    expect(await endOf({ spec, faults: [{ at: "network.worker-1->supervisor", kind: "duplicate" }] })).toEqual(clean("completed, 3 done by supervisor"));
  });

  it("ignores what is no message, what belongs to a run that nobody knows, and a report of an item that was never begun", async () => {
    const from = { owner: "stranger", name: "stranger" };
    const bodies = [null, "hello", { kind: "next" }, { kind: "done", run: "run-9", item: "run-9/part", ...from }, { kind: "done", run: RUN_ID, item: `${RUN_ID}/nothing`, ...from }];
    const others: RunWorld["others"] = (space) =>
      space.process("stranger", async ({ network }) => {
        for (const body of bodies) await network.send("supervisor", body);
      });
    expect(await endOf({ spec, others })).toEqual(clean("completed, 3 done by supervisor"));
  });

  it("has failed for good where a tool fails as often as it may be tried, and drops nothing of the rest", async () => {
    const faults = [{ at: POINTS.inTool, kind: "error", times: 3 }] as const;
    expect(await endOf({ spec, faults })).toEqual(clean("failed, 2 done by supervisor"));
  });

  it("that its supervisor left at once is ended by the successor", async () => {
    expect(await endOf({ spec, faults: [{ at: POINTS.afterAdmitted, kind: "kill", process: "supervisor" }] })).toEqual(clean("deadline, 0 done by successor"));
  });

  it.each([POINTS.afterClassify, POINTS.afterRecord])("is brought to its end by the successor where the supervisor is killed at %s", async (at) => {
    const faults = [{ at: POINTS.inTool, kind: "hang", nth: 2 }, { at, kind: "kill", process: "supervisor" }] as const;
    expect(await endOf({ spec, faults })).toEqual(clean(`deadline, 1 done by ${at === POINTS.afterRecord ? "supervisor" : "successor"}`));
  });

  it.each([POINTS.afterAdmitted, POINTS.afterChildRecord])("completes where a parent is killed at %s: what it had begun for its child is given back", async (at) => {
    expect(await endOf({ spec: specOf("spawn-tree"), faults: [{ at, kind: "kill", process: "worker-1" }] })).toEqual(clean("completed, 8 done by supervisor"));
  });
});

describe("a run that was cancelled at three minutes", () => {
  it("says 2 done, 0 failed, 13 not finished; and the run that resumes it does the 13 only", async () => {
    const cancelled = await playRun({ spec: THREE_SPEEDS, operatorCancelsAtMs: 180_000 }, runner);
    const [record] = recordsOf(RUN_ID, cancelled.snapshot as NonNullable<typeof cancelled.snapshot>);
    if (record === undefined) throw new Error("no record");
    expect([record.done.length, record.failed.length, record.notFinished.length]).toEqual([2, 0, 13]);

    const again = resumedSpec({ ...THREE_SPEEDS, budget: { ...THREE_SPEEDS.budget, wallClockMs: 1_800_000 } }, record, "run-2");
    const resumed = await playRun({ spec: again, artefacts: record.done.map(({ uri }) => uri) }, runner);
    const snapshot = resumed.snapshot as NonNullable<typeof resumed.snapshot>;
    const begun = new Set(snapshot.journal.filter(({ reason, outcome }) => reason === "item.claimed" && outcome === "applied").map(({ changes }) => changes[0]?.id));
    expect([begun.size, record.done.filter(({ item }) => begun.has(`run-2/${item}`)).length]).toEqual([13, 0]);
    expect([judgeRun("run-2", snapshot), recordsOf("run-2", snapshot).map(({ cause, done }) => [cause, done.length])]).toEqual([[], [["completed", 15]]]);
  });
});

describe("a run that an operator cancels from another process", () => {
  const operatorCancelsAtMs = 180_000;

  it("begins no agent anew for those who stop because they were told, and nobody works on behind its record", async () => {
    const { snapshot, log } = await playRun({ spec: THREE_SPEEDS, operatorCancelsAtMs }, runner);
    const [record] = recordsOf(RUN_ID, snapshot as NonNullable<typeof snapshot>);
    const endedLate = log.filter(({ event, atMs }) => event === "supervisor.agent-ended" && atMs > (record?.atMs ?? 0));
    expect({ ...record?.used, attempts: record?.notFinished.map(({ attempts }) => attempts).filter((count) => count > 0), endedLate }).toEqual({ agents: 3, tokens: 350, toolCalls: 5, attempts: [1, 1, 1], endedLate: [] });
  });

  it("is ended by its supervisor where the operator's command dies behind the telling", async () => {
    const faults = [{ at: POINTS.afterPropagate, kind: "kill", process: "operator" }] as const;
    expect(await endOf({ spec: THREE_SPEEDS, operatorCancelsAtMs, faults })).toEqual(clean("cancelled_by_operator, 2 done by supervisor"));
  });

  it("is ended by the operator where its supervisor is not told, because the message is lost", async () => {
    const faults = [{ at: "network.operator->supervisor", kind: "drop" }] as const;
    expect(await endOf({ spec: THREE_SPEEDS, operatorCancelsAtMs, faults })).toEqual(clean("cancelled_by_operator, 2 done by operator"));
  });
});

describe("the journal of a run", () => {
  it("as lines gives back every row of the run", async () => {
    const { snapshot } = await playRun({ spec: specOf("spawn-tree") }, runner);
    if (snapshot === undefined) throw new Error("no snapshot");
    const { entries, damaged, missing } = readJournal(journalText(snapshot.journal));
    expect([damaged, missing]).toEqual([[], 0]);
    const replayed = replayJournal(entries);
    for (const table of ["runs", "items", "agents", "obligations", "records"]) {
      expect([...(replayed.get(table)?.values() ?? [])]).toEqual(snapshot.tables.get(table));
    }
  });
});
