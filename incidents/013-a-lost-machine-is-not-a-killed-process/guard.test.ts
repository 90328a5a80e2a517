/** The guard for case 013: what is lost without a word comes back when its lease runs out, and not when somebody happens to close something. */
import { explore } from "@casebook/explore";
import { play, protects, subject } from "@casebook/repro/vitest";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { killed, machineLost, repro, systemOf } from "./repro.ts";

const system = subject(repro);

describe("case 013: a machine that is gone, and says nothing", () => {
  it("shows the bug: the connection never ends, the item never comes back, and nobody is told", async () => {
    const { facts } = await play(repro, machineLost);
    expect(facts).toMatchObject({ connection: "never", broker: "60.000s", lease: "90.000s", takenBack: "never", finished: "never", alarms: [] });
  });

  it("is green with a kill, whatever the supervisor goes by: that test shows the fast way only", async () => {
    for (const evidence of ["connection-end", "connection-end-or-expiry"] as const) {
      expect((await play(repro, killed, { evidence })).facts).toMatchObject({ connection: "0.000s", takenBack: "0.000s", finished: "claim 2", alarms: [] });
    }
  });

  protects("takes the item of a lost machine back when its lease runs out, and no sooner", async () => {
    const { facts } = await system.play({ lost: "machine", watcher: "guard" });
    expect(facts).toMatchObject({ connection: "never", takenBack: "90.000s", finished: "claim 2", alarms: [] });
  });

  protects("takes the item of an agent back that is cut off and runs on, which stops itself at that very moment", async () => {
    const { facts } = await system.play({ lost: "network" });
    expect(facts).toMatchObject({ connection: "never", takenBack: "90.000s", stoppedItself: "90.000s", finished: "claim 2" });
  });

  protects("finishes the item under each single loss of an agent in a search", async () => {
    const { evidence } = system.name === "machine" ? machineLost.with : { evidence: "connection-end-or-expiry" };
    // 30: a sample of the schedules of each arm.
    const report = await explore(systemOf(evidence), await findRunner(), { budget: 30 });
    expect(report.findings.map(({ check, says }) => `${check}: ${says}`)).toEqual([]);
    expect(report).toMatchObject({ planned: 17, failed: 0, notRun: 0 });
    expect(report.sometimes.filter(({ executions }) => executions === 0)).toEqual([]);
  });
});
