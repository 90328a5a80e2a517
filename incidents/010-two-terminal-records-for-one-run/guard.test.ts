/** The guard for case 010: whoever writes the end of a run, there is one. */
import { explore } from "@casebook/explore";
import { play, protects, subject } from "@casebook/repro/vitest";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { nobodyCancels, repro, secondPath, systemOf } from "./repro.ts";

const system = subject(repro);

describe("case 010: a completion and a cancellation in one instant", () => {
  it("shows the bug: one run, two records, and a state that says what the later one says", async () => {
    const { facts } = await play(repro, secondPath);
    expect(facts).toMatchObject({ records: ["cancelled_by_operator by operator", "completed by supervisor"], state: "completed", refused: 0, alarms: [] });
  });

  protects("leaves one record, refuses the other end, and the run's state is the record's", async () => {
    const { facts } = await system.play({ watcher: "guard" });
    expect(facts).toMatchObject({ records: ["cancelled_by_operator by operator"], state: "cancelled", refused: 1, alarms: [] });
  });

  protects("holds in a search over orders of the two, without a fault and under each single one", async () => {
    const completion = system.name === "conditional" ? "conditional" : "completion-without-predicate";
    const report = await explore(systemOf(completion), await findRunner(), { strategy: "exhaustive", budget: 200 });
    expect(report.findings.map(({ check, says }) => `${check}: ${says}`)).toEqual([]);
    expect(report).toMatchObject({ planned: 13, exhausted: 11, sampled: 2, failed: 0, notRun: 0 });
    expect(report.sometimes.filter(({ executions }) => executions === 0)).toEqual([]);
  });

  it("leaves one record either way when nobody cancels", async () => {
    for (const completion of ["conditional", "completion-without-predicate"] as const) {
      expect((await play(repro, nobodyCancels, { completion })).facts).toMatchObject({ records: ["completed by supervisor"], state: "completed", alarms: [] });
    }
  });
});
