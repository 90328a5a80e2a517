import { explore, type ExploreReport } from "@casebook/explore";
import { type ReceiptPolicies, REFERENCE_POLICIES } from "@casebook/receipt-reader";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { twoWriters, type TwoWritersOptions } from "./two-writers.fixture.ts";

/** A few for each step of each process; the soak plays more. */
const BUDGET = 3;

async function searched(options: TwoWritersOptions, budget = BUDGET): Promise<ExploreReport> {
  return explore(twoWriters(options), await findRunner(), { strategy: "sampled", budget, seed: 1 });
}

const careless = (policy: Partial<ReceiptPolicies>): ReceiptPolicies => ({ ...REFERENCE_POLICIES, ...policy });

describe("two writers and a reader, searched", () => {
  it("lose, invent and number twice nothing when they are killed, stopped or lose the power at any step", async () => {
    const report = await searched({ name: "reference", policies: REFERENCE_POLICIES, steps: ["kill-restart", "stop-continue", "power-loss"], armed: [{ at: "disk.write", kind: "torn-write" }] });
    console.log(`${report.planned} arms, ${report.executions} executions, ${report.steps} steps, sometimes ${report.sometimes.map(({ name, executions }) => `${name} ${executions}`).join(", ")}`);
    expect(report.findings).toEqual([]);
    expect([report.verdict, report.notRun]).toEqual(["sampled", 0]);
    expect(report.planned).toBeGreaterThan(120);
    // What was never reached was not searched.
    expect(report.sometimes.filter(({ executions }) => executions === 0)).toEqual([]);
  });

  it.each([
    ["an acknowledgement before the sync", { acknowledge: "before-sync" }, { steps: ["power-loss"] }, ["receipts/acknowledged-is-there"]],
    ["an append that is glued to a torn tail", { append: "glue" }, { steps: [], armed: [{ at: "disk.write", process: "writer-a", kind: "torn-write" }] }, ["receipts/acknowledged-is-there"]],
  ] as const)("finds %s", async (_what, policy, faults, checks) => {
    const { findings } = await searched({ name: "careless", policies: careless(policy), expect: "fails", ...faults }, 20);
    expect(findings.map(({ check }) => check)).toEqual(expect.arrayContaining([...checks]));
  });
});
