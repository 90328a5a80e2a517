/** The right writer under every pair of faults: a crash in the recovery from a crash, a power loss behind any answer of the disk. Minutes. */
import { explore } from "@casebook/explore";
import { findRunner } from "@casebook/sim/node";
import { expect, it } from "vitest";
import { commitSystem } from "./crash-systems.fixture.ts";

it("survives every pair of faults", { timeout: 600_000 }, async () => {
  const { verdict, findings, planned, exhausted, executions, notRunBecause, pairsNotMet } = await explore(commitSystem("reference"), await findRunner(), { faults: "pairs" });
  console.log(`${planned} arms, ${executions} executions, ${pairsNotMet} pairs that cannot meet`);
  expect({ verdict, findings, notRunBecause, exhausted }).toEqual({ verdict: "exhausted", findings: [], notRunBecause: [], exhausted: planned });
});
