/** What case 014 rests on: other numbers, what the search finds in each system, the operator's cell, the mutants, and how it could be fooled. */
import { readFileSync } from "node:fs";
import { explore, type ExploreReport, readToken, replay } from "@casebook/explore";
import { dispatchUnseenTask, type UnseenTaskFacts } from "@casebook/guards";
import { firstDifference, play } from "@casebook/repro";
import type { Told } from "@casebook/dispatch-suite";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { lost, PERIOD_MS, plain, plainAndScan, readLost, readPlain, readTwice, repro, systemOf, systems, twice, watchedLost, watchedPlain, watchedTwice, wokenLost, wokenTwice } from "./repro.ts";

const runner = await findRunner();
/** Few, for a test of seconds. */
const reports = new Map<string, ExploreReport>();
for (const system of systems) reports.set(system.name, await explore<Told>(system, runner, { strategy: "sampled", budget: 3 }));
const reportOf = (name: string) => reports.get(`014/${name}`) as ExploreReport;

describe("the mechanism of case 014", () => {
  it("is found as late as the period says, when nothing is heard", async () => {
    // Looks at 0, 25 and 50 s; published at 30 s.
    expect((await play(repro, readLost, { periodMs: 25_000 })).facts.foundAfterS).toBe(20);
    expect((await play(repro, readLost, { periodMs: 7_000 })).facts.foundAfterS).toBe(5);
  });

  it("is not the number of looks: the events of the own move are heard too, and start nothing", async () => {
    expect((await play(repro, readTwice)).facts).toMatchObject({ heard: 2, attempts: 1, sessions: 1 });
    expect((await play(repro, wokenTwice)).facts).toMatchObject({ heard: 3, attempts: 1, sessions: 1 });
  });

  it("gets worse with a scan beside it: the event starts, the scan starts, and the scan's own move is an event", async () => {
    expect((await play(repro, plainAndScan)).facts).toMatchObject({ heard: 2, attempts: 1, sessions: 3 });
  });

  it("needs the fault: an event that comes once starts once", async () => {
    expect((await play(repro, plain)).facts.sessions).toBe(1);
    expect((await play(repro, readPlain)).facts.sessions).toBe(1);
  });

  it.each(["late", "overflow", "broken"] as const)("does not mind which of the things happens that can: %s", async (event) => {
    expect((await play(repro, readTwice, { event })).facts).toMatchObject({ attempts: 1, sessions: 1, alarms: [] });
  });

  it("gives another trace when its input is another", async () => {
    const [one, other] = [await play(repro, readTwice), await play(repro, readTwice, { event: "none" })];
    expect(firstDifference(one.facts, other.facts)).toBeUndefined();
    expect(other.traceHash).not.toBe(one.traceHash);
  });
});

describe("the search over case 014", () => {
  it("says what the page says of each system", () => {
    const rows = systems.map(({ name, claim }) => {
      const { findings, planned } = reports.get(name) as ExploreReport;
      const found = findings.map(({ check, faults, shrunk }) => `\`${check}\`: ${faults.join(" and ") || "no fault"}, switches: ${shrunk.preemptions}`);
      return `| \`${name}\` | ${claim} | ${found.join("; ") || `nothing in ${planned} arms`} |`;
    });
    const page = readFileSync(new URL("README.md", import.meta.url), "utf8");
    expect(page.split("\n").filter((line) => line.startsWith("| `014/"))).toEqual(rows);
  });

  it("finds in each what was expected of it, fired every fault, and met everything that has to happen sometimes", () => {
    for (const { name, expect: expected } of systems) {
      const { findings, cells, sometimes, notRun } = reports.get(name) as ExploreReport;
      expect([name, findings.length > 0 ? "fails" : "holds"]).toEqual([name, expected]);
      expect([name, notRun, cells.filter(({ fired }) => fired === 0), sometimes.filter(({ executions }) => executions === 0)]).toEqual([name, 0, [], []]);
    }
  });

  it.each([["event-starts", "dispatch/duplicate-session"], ["event-starts", "dispatch/unseen-task"], ["event-wakes", "dispatch/unseen-task"]])("plays the counterexample of %s to %s again from one line", async (name, check) => {
    const finding = reportOf(name).findings.find((one) => one.check === check);
    const read = readToken(finding?.token ?? "");
    if (read.outcome !== "token") throw new Error(read.message);
    expect(await replay<Told>(systemOf(name), read.token, runner)).toMatchObject({ outcome: "replayed", judged: { verdict: "fails", check, says: finding?.says } });
  });
});

describe("the unseen-task guard", () => {
  const facts = (ageMs: number, isOnRecord: boolean): UnseenTaskFacts => ({ tasks: [{ task: "TASK-1", ageMs, isOnRecord }], periodMs: PERIOD_MS });

  it("alarms in the operator's cell: the dispatcher stays as it is, and somebody holds the inbox against the record", async () => {
    expect((await play(repro, watchedLost)).facts).toMatchObject({ sessions: 0, alarms: ["dispatch/unseen-task"] });
    expect((await play(repro, wokenLost)).facts).toMatchObject({ sessions: 0, alarms: ["dispatch/unseen-task"] });
  });

  it("is silent wherever events and scan go together", async () => {
    for (const event of ["none", "twice", "lost", "late", "overflow", "broken"] as const) expect([event, (await play(repro, readTwice, { event })).facts.alarms]).toEqual([event, []]);
  });

  it("has a companion that sees the two sessions, and one that sees that nothing on record explains the one", async () => {
    expect((await play(repro, watchedTwice)).facts.alarms).toEqual(["dispatch/duplicate-session", "dispatch/unattributed-start", "dispatch/unseen-task"]);
    expect((await play(repro, watchedPlain)).facts.alarms).toEqual(["dispatch/unattributed-start", "dispatch/unseen-task"]);
    for (const scene of [twice, lost]) expect((await play(repro, scene)).facts.alarms).toEqual([]);
  });

  it("would be noticed if it never alarmed, and if it always did", () => {
    const tells = (guard: (one: UnseenTaskFacts) => unknown) => guard(facts(PERIOD_MS + 1, false)) !== undefined && guard(facts(PERIOD_MS, false)) === undefined && guard(facts(PERIOD_MS + 1, true)) === undefined;
    expect(tells(dispatchUnseenTask)).toBe(true);
    expect(tells(() => undefined)).toBe(false);
    expect(tells(() => ({ guard: "dispatch/unseen-task" }))).toBe(false);
  });

  it("is fooled by a dispatcher that starts without a record: a session runs, and it calls the task unseen", async () => {
    expect((await play(repro, watchedPlain)).facts).toMatchObject({ sessions: 1, alarms: ["dispatch/unattributed-start", "dispatch/unseen-task"] });
  });

  it("is fooled by a record that a scan left long ago: it says that somebody looked once, and not that anybody looks now", () => {
    expect(dispatchUnseenTask(facts(999 * PERIOD_MS, true))).toBeUndefined();
  });
});
