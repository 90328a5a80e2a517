/** The search of `two-writers.test.ts` with more for each step: minutes. `CASEBOOK_SOAK_SHARE` (0 to 1) plays a part of it. */
import { explore } from "@casebook/explore";
import { REFERENCE_POLICIES } from "@casebook/receipt-reader";
import { findRunner } from "@casebook/sim/node";
import { expect, it } from "vitest";
import { twoWriters } from "./two-writers.fixture.ts";

const BUDGET = Math.ceil(150 * Number(process.env["CASEBOOK_SOAK_SHARE"] ?? 1));

it("two writers and a reader lose, invent and number twice nothing, whatever happens at any step", async () => {
  const system = twoWriters({
    name: "reference",
    policies: REFERENCE_POLICIES,
    steps: ["kill-restart", "stop-continue", "power-loss", "host-dead", "slow", "clock-jump"],
    armed: [
      { at: "disk.write", kind: "torn-write" },
      { at: "disk.write", kind: "short-write" },
      { at: "disk.write", kind: "error", errno: "ENOSPC" },
      { at: "disk.sync", kind: "error" },
    ],
  });
  const report = await explore(system, await findRunner(), { strategy: "sampled", budget: BUDGET, seed: 1 });
  console.log(`${report.planned} arms, ${report.executions} executions, ${report.steps} steps`);
  expect(report.findings.map(({ check, says, token }) => ({ check, says, token }))).toEqual([]);
  expect(report.notRun).toBe(0);
}, 1_800_000);
