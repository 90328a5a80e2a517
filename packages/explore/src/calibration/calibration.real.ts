/** What `calibration.test.ts` has no time for: the averages over 100 seeds, so that no lucky seed carries them, and a large plain search. */
import { findRunner } from "@casebook/sim/node";
import { expect, it } from "vitest";
import { describeAverages } from "./averages.fixture.ts";
import { searchStates } from "./compare-reductions.fixture.ts";
import { depthThree } from "./models.ts";

const runner = await findRunner();

describeAverages(runner, 100);

it("covers a window of three orderings with fewer schedules and the same final states and findings", async () => {
  const drawn = { system: depthThree(), faults: [] };
  const plain = await searchStates(runner, drawn, "plain", 150_000);
  const reduced = await searchStates(runner, drawn, "races", 150_000);
  expect(reduced.states).toEqual(plain.states);
  expect([...reduced.failures.keys()]).toEqual([...plain.failures.keys()]);
  expect([plain.isExhausted, reduced.isExhausted]).toEqual([true, true]);
  expect([plain.complete, reduced.complete]).toEqual([18_480, 10]);
});
