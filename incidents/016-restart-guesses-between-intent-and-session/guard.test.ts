/** The guard for case 016: a life that takes over asks what became of the intent, and writes down what it decided. */
import { explore } from "@casebook/explore";
import { play, protects, subject } from "@casebook/repro/vitest";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { assumeRunning, noCrash, repro, startAgain, systemOf, watchedAgain, watchedAssumed } from "./repro.ts";

const system = subject(repro);

describe("case 016: a restart that finds an intent without a session", () => {
  it("shows the lie: one attempt with one session on record, and two that run", async () => {
    expect((await play(repro, startAgain)).facts).toMatchObject({ attempts: 1, onRecord: ["session-0002"], sessions: 2, alarms: [] });
  });

  it("shows the opposite one: a session on record, and none that runs", async () => {
    expect((await play(repro, assumeRunning)).facts).toMatchObject({ attempts: 1, onRecord: ["unknown"], sessions: 0 });
  });

  protects("starts no second session when it died after the start", async () => {
    const { facts } = await system.play();
    expect(facts).toMatchObject({ crashes: 1, sessions: 1, onRecord: ["session-0001"] });
  });

  protects("goes on with the session that it found, and has that on record", async () => {
    const { facts } = await system.play();
    expect(facts.decisions).toEqual(["continue"]);
  });

  protects("asks a person where the runtime cannot be asked, and starts nothing", async () => {
    const { facts } = await system.play({ keys: "none" });
    expect(facts).toMatchObject({ decisions: ["needs-human"], asked: "LEAD", sessions: 1 });
  });

  protects("holds for a crash at every moment that the dispatcher names", async () => {
    const report = await explore(systemOf(system.name), await findRunner(), { strategy: "sampled", budget: 1 });
    expect(report.findings.map(({ check, says }) => `${check}: ${says}`)).toEqual([]);
    expect(report).toMatchObject({ failed: 0, notRun: 0 });
    expect(report.sometimes.filter(({ executions }) => executions === 0)).toEqual([]);
  });

  it("starts once in the other window, under the same intent: there was none to find", async () => {
    expect((await system.play({ crash: "after-intent" })).facts).toMatchObject({ attempts: 1, sessions: 1, decisions: ["retry"] });
  });

  it("alarms on both guesses, and is quiet where nothing died", async () => {
    for (const scene of [watchedAgain, watchedAssumed]) expect((await play(repro, scene)).facts.alarms).toEqual(["dispatch/guessed-restart"]);
    expect((await play(repro, noCrash)).facts).toMatchObject({ sessions: 1, decisions: [], alarms: [] });
  });
});
