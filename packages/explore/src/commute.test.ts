/** Steps that count as independent are: any order of them is the same to every process. And a net for systems in which they are not. */
import { createStream } from "@casebook/sim/kernel";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { randomSystem } from "./calibration/random-system.ts";
import { orderDifference } from "./commute.ts";
import { playAlone } from "./replay.ts";
import { simulationOf } from "./search.ts";
import { randomly } from "./strategies.ts";

describe("steps that touch nothing in common", () => {
  it("come in any order in random systems with faults, messages, locks and clocks, and no process can tell", async () => {
    const runner = await findRunner();
    const found: string[] = [];
    let played = 0;
    for (let seed = 1; seed <= 200; seed += 1) {
      const { system, faults } = randomSystem(seed);
      const simulation = simulationOf(system, randomly(createStream(seed, "schedule")), faults);
      await playAlone(simulation.execution, runner);
      played += 1;
      const says = await orderDifference(system, simulation, runner, { randomOrders: 2 });
      if (says !== undefined) found.push(`seed ${seed}: ${says}`);
    }
    expect({ played, found }).toEqual({ played: 200, found: [] });
  });
});
