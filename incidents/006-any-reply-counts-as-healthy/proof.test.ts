/** What case 006 rests on: other numbers, the operator's cell, the mutants of its guard, and how it could be fooled. */
import { watchdogFalseGreen, type WatchdogFalseGreenFacts } from "@casebook/guards";
import { firstDifference, play } from "@casebook/repro";
import { describe, expect, it } from "vitest";
import { anyReply, disk, finished, healthy, LOG, loopAlive, repro, threeAnswers, twoAnswers, twoHeartbeats, watched } from "./repro.ts";

describe("the mechanism of case 006", () => {
  it("is not a matter of two in twelve: with every one of five sessions idle the answer is the same green", async () => {
    const numbers = { sessions: 5, orphans: 5, runs: 7 };
    const { facts } = await play(repro, anyReply, numbers);
    expect(facts).toMatchObject({ runs: 7, green: 7, replies: "35/35", said: [] });
    expect(facts.idle).toHaveLength(5);
    expect((await play(repro, threeAnswers, numbers)).facts).toMatchObject({ green: 0, bad: 6, notMeasured: 1, said: facts.idle });
  });

  it("needs the orphans: without them the same watchdog says the same thing, and it is true", async () => {
    const { facts } = await play(repro, anyReply, { orphans: 0 });
    expect(firstDifference({ ...anyReply.expect, idle: [] }, facts)).toBeUndefined();
  });

  it("costs a second opinion, not a better question: counting what is finished finds both", async () => {
    expect((await play(repro, finished)).facts).toMatchObject({ bad: 22, said: ["session-11", "session-12"] });
  });

  it("turns into its opposite with two answers only: what cannot be read is called an orphan, 22 times in a row", async () => {
    expect((await play(repro, twoAnswers)).facts).toMatchObject({ bad: 22, said: ["session-12"], idle: [] });
  });

  it("hides behind a heartbeat as well: the loop is fresh, and nothing is finished", async () => {
    expect((await play(repro, loopAlive)).facts).toMatchObject({ green: 22, idle: ["session-11", "session-12"] });
    expect((await play(repro, loopAlive, { spinning: 0, orphans: 2 })).facts).toMatchObject({ bad: 22 });
    expect((await play(repro, twoHeartbeats)).facts).toMatchObject({ green: 0, bad: 21 });
  });

  it("takes its green back when the planted one works: a control that somebody has healed proves nothing", async () => {
    expect((await play(repro, healthy, { planted: "healed" })).facts).toMatchObject({ green: 0, bad: 0, notMeasured: 22, alarms: [] });
    expect((await play(repro, watched, { planted: "healed" })).facts).toMatchObject({ green: 22, plantedFound: "0/22" });
  });

  it("takes its counts from the log that the watchdog wrote", async () => {
    const { volume } = await play(repro, watched);
    const lines = (volume().readFileSync(LOG, "utf8") as string).trimEnd().split("\n");
    expect(lines).toHaveLength(22);
    expect(lines[0]).toBe('{"at":"2026-08-15T06:11:00.000Z","verdict":"ok","asked":13,"replies":13,"orphans":[]}');
  });

  it("gives another trace when one byte of its input is another", async () => {
    const { traceHash } = await play(repro, anyReply);
    const volume = () => {
      const changed = disk(anyReply.with);
      // A heartbeat that is one millisecond younger, and as old as the world for everybody who looks.
      changed.writeFileSync("/fleet/session-12/looped", "1");
      return changed;
    };
    const other = await play(repro, { ...anyReply, disk: volume });
    expect(firstDifference(anyReply.expect, other.facts)).toBeUndefined();
    expect(other.traceHash).not.toBe(traceHash);
  });
});

describe("the guard over two heartbeats", () => {
  it("alarms on a loop that is alive and finishes nothing, whatever the watchdog takes for health", async () => {
    const judge = { judge: "guards-with-evidence" } as const;
    expect((await play(repro, loopAlive, judge)).facts.alarms).toEqual(["heartbeat/loops-without-success", "watchdog/false-green"]);
    expect((await play(repro, twoHeartbeats)).facts.alarms).toEqual(["heartbeat/loops-without-success"]);
  });

  it("is silent on the control, on a session without a worker, whose loop is not alive either, and on a record it cannot read", async () => {
    expect((await play(repro, healthy)).facts.alarms).toEqual([]);
    expect((await play(repro, threeAnswers)).facts.alarms).toEqual([]);
    expect((await play(repro, twoHeartbeats, { spinning: 0, unreadable: 1 })).facts.alarms).toEqual([]);
  });
});

describe("the false-green guard", () => {
  it("alarms in the operator's cell: the watchdog stays bad, and somebody planted one, or looked at the work", async () => {
    expect((await play(repro, watched)).facts.alarms).toEqual(["watchdog/false-green"]);
    expect((await play(repro, anyReply, { judge: "guards-with-evidence" })).facts.alarms).toEqual(["watchdog/false-green"]);
  });

  it("alarms on the broken scene when nobody does either: 22 greens are no proof of anything", async () => {
    expect((await play(repro, anyReply, { judge: "guards" })).facts.alarms).toEqual(["watchdog/false-green"]);
    expect((await play(repro, anyReply, { judge: "guards", runs: 19 })).facts.alarms).toEqual([]);
  });

  it("still alarms after the fix on a healthy fleet, when nothing is planted and nobody looks", async () => {
    // 21 of 22: the first run measures nothing.
    const { facts } = await play(repro, healthy, { planted: "none", judge: "guards" });
    expect(facts).toMatchObject({ green: 21, alarms: ["watchdog/false-green"] });
  });

  it("is silent on the control, and on a fixed watchdog that says that something is bad", async () => {
    expect((await play(repro, healthy)).facts.alarms).toEqual([]);
    expect((await play(repro, threeAnswers)).facts.alarms).toEqual([]);
  });

  it("would be noticed if it never alarmed, and if it always did", () => {
    const lie: WatchdogFalseGreenFacts = { watchdog: "w", runs: 22, greenRuns: 22, evidence: undefined, planted: { runs: 22, found: 0 } };
    const truth = { ...lie, planted: { runs: 22, found: 22 } };
    const tells = (guard: (facts: WatchdogFalseGreenFacts) => unknown) => guard(lie) !== undefined && guard(truth) === undefined;
    expect(tells(watchdogFalseGreen)).toBe(true);
    expect(tells(() => undefined)).toBe(false);
    expect(tells(() => ({ guard: "watchdog/false-green" }))).toBe(false);
  });

  it("is fooled by what breaks in another way than the planted one: a loop check finds that, and misses two", async () => {
    const { facts } = await play(repro, loopAlive, { planted: "one", judge: "guards" });
    expect(facts).toMatchObject({ green: 22, idle: ["session-11", "session-12"], plantedFound: "22/22", alarms: [] });
  });
});
