/** The comparison of `reduction.test.ts` with systems that have up to a thousand plain schedules. */
import { findRunner } from "@casebook/sim/node";
import { expect, it } from "vitest";
import { compareReductions } from "./calibration/compare-reductions.fixture.ts";
import { randomDiskSystem } from "./calibration/random-disk-system.fixture.ts";
import { randomSystem } from "./calibration/random-system.ts";

const PLAIN_LIMIT = 1_000;

it.each([
  ["", randomSystem, 120, 3],
  [" that share a disk", randomDiskSystem, 80, 2],
] as const)("reaches the final states of a plain search on larger random systems%s", async (_what, draw, seeds, saves) => {
  const { systems, plain, reduced } = await compareReductions(await findRunner(), draw, seeds, PLAIN_LIMIT);
  expect(systems).toBeGreaterThan(60);
  expect(reduced).toBeLessThan(plain / saves);
});
