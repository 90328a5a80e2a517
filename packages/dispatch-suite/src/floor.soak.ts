/** The floor of the search at length: every failure prints the line that plays it again. `CASEBOOK_SOAK_SHARE` (0 to 1) plays a part of it. */
import { findRunner } from "@casebook/sim/node";
import { expect, it } from "vitest";
import { searchFloor } from "./index.ts";

const share = Number(process.env["CASEBOOK_SOAK_SHARE"] ?? 1);

it.each([1, 2, 3, 4])("the reference starts each task once, whatever call is the last (seed %i)", { timeout: 900_000 }, async (seed) => {
  const { findings, fired, bound, executions } = await searchFloor({ name: "reference", policies: {} }, await findRunner(), { executions: Math.max(8, Math.round(1_000 * share)), seed });
  console.log(`${bound}: fired in ${fired}`);
  expect(findings).toEqual([]);
  // A draw beyond what a dispatcher does in its life fires nothing.
  expect(fired).toBeGreaterThan(executions * 0.9);
});
