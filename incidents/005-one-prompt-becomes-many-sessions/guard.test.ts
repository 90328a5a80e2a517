/** The guard for case 005: one prompt id, one session, whoever else was handed the prompt and whatever came between. */
import { explore } from "@casebook/explore";
import { play, protects, subject } from "@casebook/repro/vitest";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { everyDelivery, lookThenClaim, oneHost, repro, systemOf, watched } from "./repro.ts";

const system = subject(repro);

describe("case 005: one prompt, and every host that answers for the account", () => {
  it("shows the lie: three hosts answer, each for one session of its own, and one prompt took effect three times", async () => {
    const { facts } = await play(repro, everyDelivery);
    expect(facts).toMatchObject({ prompts: 1, answered: "3/3", sessions: 3, effects: 3, alarms: [] });
  });

  protects("gives a prompt one session and one effect", async () => {
    const { facts } = await system.play();
    expect(facts).toMatchObject({ deliveries: 3, answered: "3/3", sessions: 1, effects: 1, open: [] });
  });

  protects("starts nothing when an answer is lost and the prompt is delivered again", async () => {
    const { facts } = await system.play({ fault: "answer-lost" });
    expect(facts).toMatchObject({ deliveries: 4, answered: "3/3", sessions: 1, effects: 1 });
  });

  protects("takes two prompts of one text for two", async () => {
    const { facts } = await system.play({ texts: ["deploy the release", "deploy the release"] });
    expect(facts).toMatchObject({ prompts: 2, sessions: 2, effects: 2, open: [] });
  });

  protects("holds in every schedule of two hosts, without a fault and with each single one", async () => {
    // 250: every arm but the two that deliver a prompt twice has fewer schedules that differ. Those two are covered in the soak.
    const report = await explore(systemOf(system.name), await findRunner(), { strategy: "exhaustive", budget: 250 });
    expect(report.findings.map(({ check, says }) => `${check}: ${says}`)).toEqual([]);
    expect(report).toMatchObject({ planned: 83, exhausted: 81, sampled: 2, failed: 0, notRun: 0 });
    expect(report.sometimes.filter(({ executions }) => executions === 0)).toEqual([]);
  });

  it("shows that a look before the claim is none: green in a plain run, and two sessions after one switch", async () => {
    const { facts } = await play(repro, lookThenClaim);
    expect(facts).toMatchObject({ sessions: 1, alarms: [] });
    const { findings } = await explore(systemOf("look-then-claim"), await findRunner(), { faults: "none" });
    expect(findings.map(({ check, faults, shrunk }) => [check, faults, shrunk.preemptions, shrunk.isLeast])).toEqual([["dispatch/duplicate-session", [], 1, true]]);
  });

  it("alarms on three sessions of one prompt, and is quiet where one host answers", async () => {
    expect((await play(repro, watched)).facts.alarms).toEqual(["dispatch/duplicate-session"]);
    expect((await play(repro, oneHost)).facts).toMatchObject({ sessions: 1, alarms: [] });
  });
});
