/** What case 016 rests on: the window, the search in each system, the operator's cell, the mutants, and how it could be fooled. */
import { readFileSync } from "node:fs";
import { explore, type ExploreReport, readToken, replay, searchArm } from "@casebook/explore";
import { dispatchGuessedRestart, type RecoveredAttempt } from "@casebook/guards";
import { firstDifference, play } from "@casebook/repro";
import type { Told } from "@casebook/dispatch-suite";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { assumeRunning, findByKey, foundNone, honoured, keylessIntent, keylessStart, luckyAgain, luckyAssumed, noCrash, repro, startAgain, systemOf, systems, watchedAgain } from "./repro.ts";

const runner = await findRunner();
/** One schedule of each arm, for a test of seconds: one process, so that there is little to order. The soak covers every one. */
const reports = new Map<string, ExploreReport>();
for (const system of systems) reports.set(system.name, await explore<Told>(system, runner, { strategy: "sampled", budget: 1 }));
const reportOf = (name: string) => reports.get(`016/${name}`) as ExploreReport;

describe("the mechanism of case 016", () => {
  it("is the window and not the guess: each guess is right in one of the two", async () => {
    expect((await play(repro, startAgain)).facts.sessions).toBe(2);
    expect((await play(repro, luckyAgain)).facts).toMatchObject({ sessions: 1, alarms: [] });
    expect((await play(repro, assumeRunning)).facts.sessions).toBe(0);
    expect((await play(repro, luckyAssumed)).facts.sessions).toBe(1);
  });

  it("needs the crash: nobody guesses where nothing died", async () => {
    for (const recovery of ["start-again", "assume-running", "find-by-key"] as const) {
      expect(firstDifference(noCrash.expect, (await play(repro, noCrash, { recovery })).facts)).toBeUndefined();
    }
  });

  it("has one answer for both windows only where the runtime is asked", async () => {
    expect((await play(repro, findByKey)).facts).toMatchObject({ decisions: ["continue"], sessions: 1 });
    expect((await play(repro, foundNone)).facts).toMatchObject({ decisions: ["retry"], sessions: 1 });
  });

  it("has a price where it cannot be asked: the two windows look alike, and both wait for a person", async () => {
    const [started, intended] = [(await play(repro, keylessStart)).facts, (await play(repro, keylessIntent)).facts];
    expect([started.sessions, intended.sessions]).toEqual([1, 0]);
    expect({ ...started, sessions: 0 }).toEqual(intended);
  });

  it("does no harm where the runtime honours the key, although it is a guess all the same", async () => {
    expect((await play(repro, honoured)).facts).toMatchObject({ decisions: ["retry"], sessions: 1, alarms: [] });
  });

  it("gives another trace when its input is another", async () => {
    const [one, other] = [await play(repro, findByKey), await play(repro, findByKey, { keys: "honoured" })];
    expect(firstDifference(one.facts, other.facts)).toBeUndefined();
    expect((await play(repro, foundNone)).traceHash).not.toBe(one.traceHash);
  });
});

describe("the search over case 016", () => {
  it("says what the page says of each system", () => {
    const rows = systems.map(({ name, claim }) => {
      const { findings, planned } = reports.get(name) as ExploreReport;
      const found = findings.map(({ check, faults, shrunk }) => `\`${check}\`: ${faults.join(" and ") || "no fault"}, switches: ${shrunk.preemptions}`);
      return `| \`${name}\` | ${claim} | ${found.join("; ") || `nothing in ${planned} arms`} |`;
    });
    const page = readFileSync(new URL("README.md", import.meta.url), "utf8");
    expect(page.split("\n").filter((line) => line.startsWith("| `016/"))).toEqual(rows);
  });

  it("finds in each what was expected of it, fired every fault at every point, and met everything that has to happen sometimes", () => {
    for (const { name, expect: expected } of systems) {
      const { findings, cells, sometimes, planned, exhausted, sampled, failed, notRun } = reports.get(name) as ExploreReport;
      expect([name, findings.length > 0 ? "fails" : "holds"]).toEqual([name, expected]);
      expect([name, cells.filter(({ fired }) => fired === 0)]).toEqual([name, []]);
      if (expected === "holds") expect([name, sometimes.filter((fact) => fact.executions === 0)]).toEqual([name, []]);
      expect([exhausted + sampled + failed + notRun, notRun]).toEqual([planned, 0]);
    }
  });

  it("covers every schedule of the two windows", async () => {
    for (const at of ["dispatcher.after-intent", "dispatcher.after-start"]) {
      const arm = await searchArm<Told>(systemOf("find-by-key"), [{ at, kind: "kill-restart" }], runner, { strategy: "exhaustive", budget: 50 });
      expect([at, arm.isExhausted, arm.failure?.says]).toEqual([at, true, undefined]);
    }
  });

  it.each(["start-again", "assume-running"])("plays its counterexample in %s again from one line", async (name) => {
    const [finding] = reportOf(name).findings;
    const read = readToken(finding?.token ?? "");
    if (read.outcome !== "token") throw new Error(read.message);
    const played = await replay<Told>(systemOf(name), read.token, runner);
    expect(played).toMatchObject({ outcome: "replayed", judged: { verdict: "fails", check: "dispatch/guessed-restart", says: finding?.says } });
  });
});

describe("the guessed-restart guard", () => {
  const row: RecoveredAttempt = { attempt: "a", task: "TASK-1", claims: 2, decisions: 1, sessions: ["s1"], recorded: "s1" };

  it("alarms in the operator's cell: the dispatcher stays as it is, and somebody holds its record against the runtime's list", async () => {
    expect((await play(repro, watchedAgain)).facts).toMatchObject({ sessions: 2, alarms: ["dispatch/guessed-restart"] });
  });

  it("is silent on a recovery from evidence, in either window, and on one that waits for a person", async () => {
    for (const scene of [findByKey, foundNone, noCrash, keylessStart, keylessIntent]) expect([scene.name, (await play(repro, scene)).facts.alarms]).toEqual([scene.name, []]);
  });

  it("alarms on a right guess as well, when the record names a session that was never started", async () => {
    expect((await play(repro, luckyAssumed)).facts).toMatchObject({ sessions: 1, alarms: ["dispatch/guessed-restart"] });
  });

  it("would be noticed if it never alarmed, and if it always did", () => {
    const bad = [{ ...row, sessions: ["s1", "s2"] }, { ...row, recorded: "unknown" }, { ...row, decisions: 0 }];
    const tells = (guard: (rows: readonly RecoveredAttempt[]) => unknown) => bad.every((one) => guard([one]) !== undefined) && guard([row]) === undefined;
    expect(tells(dispatchGuessedRestart)).toBe(true);
    expect(tells(() => undefined)).toBe(false);
    expect(tells(() => ({ guard: "dispatch/guessed-restart" }))).toBe(false);
  });

  it("is fooled by a runtime that names no key: a second session that belongs to no attempt is none of its rows", () => {
    expect(dispatchGuessedRestart([{ ...row, sessions: ["s2"], recorded: "s2" }])).toBeUndefined();
  });

  it("is fooled by a guess that happened to be right, where it was written down as a decision", async () => {
    expect((await play(repro, luckyAgain)).facts).toMatchObject({ decisions: ["retry"], alarms: [] });
  });
});
