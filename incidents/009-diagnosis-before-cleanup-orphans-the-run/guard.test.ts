/** The guard for case 009: whatever the ledger does, a run whose time is over has told its agents, and has one terminal record. */
import { explore } from "@casebook/explore";
import { play, protects, subject } from "@casebook/repro/vitest";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { five, repro, systems, twoHundred, unitTest } from "./repro.ts";

const system = subject(repro);
const own = await system.play();

describe("case 009: a cancellation that asks a ledger first which it makes slow", () => {
  it("shows the bug: 195 of 200 runs have no record, and nobody told their agents", async () => {
    const { facts } = await play(repro, twoHundred);
    expect(facts).toMatchObject({ runs: 200, records: 5, killed: 195, executing: 195, leases: "3/5", cause: "none", alarms: [] });
    expect(facts.clock).toEqual(["+0.004 first query of the diagnosis", "+30.004 query timeout", "+60.010 query timeout", "+65.550 killed by its watchdog"]);
  });

  it("is green in a unit test before a healthy ledger, and with five runs, in both orders", async () => {
    for (const order of [{}, { order: "propagate-first", classification: "bounded" }] as const) {
      expect((await play(repro, unitTest, order)).facts).toMatchObject({ told: 1, records: 1, executing: 0, cause: "deadlock", alarms: [] });
      expect((await play(repro, five, order)).facts).toMatchObject({ told: 5, records: 5, executing: 0, cause: "deadlock", alarms: [] });
    }
  });

  protects("tells the agents of all runs within two seconds of their deadlines", () => {
    expect(own.facts.told).toBe(own.facts.runs);
    expect(Number.parseFloat(own.facts.toldWithin)).toBeLessThanOrEqual(2);
  });

  protects("leaves one terminal record of every run, and nobody executing", () => {
    expect(own.facts).toMatchObject({ records: 200, executing: 0, killed: 0, leases: "0/5" });
  });

  protects("tells the agents in time under each single trouble of the ledger", async () => {
    const [diagnosisFirst, toldFirst] = systems;
    // 40: every schedule of most arms; a ledger that refuses is asked so often that its arm is a sample.
    const report = await explore(system.name === "told-first" ? toldFirst : diagnosisFirst, await findRunner(), { strategy: "exhaustive", budget: 40 });
    expect(report.findings.map(({ check, says }) => `${check}: ${says}`)).toEqual([]);
    expect(report).toMatchObject({ planned: 22, failed: 0, notRun: 0 });
    expect(report.cells.filter(({ fired }) => fired === 0)).toEqual([]);
    expect(report.sometimes.filter(({ executions }) => executions === 0)).toEqual([]);
  });
});
