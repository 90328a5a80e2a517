/** Steps that count as independent are: any order of them is the same to every process. And a net for systems in which they are not. */
import { type ArmedFault, createStream } from "@casebook/sim/kernel";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { randomSystem } from "./calibration/random-system.ts";
import { orderDifference } from "./commute.ts";
import { playAlone } from "./replay.ts";
import { searchArm, simulationOf } from "./search.ts";
import { randomly } from "./strategies.ts";
import type { System } from "./system.ts";

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

  it("never come between a power loss and what is left of the disk: the hosts share nothing, and nobody is told that they do", async () => {
    const system: System<string> = {
      name: "commute/two-hosts",
      claim: "For comparing orders.",
      durability: "posix-min",
      checks: [],
      build(space) {
        space.process("loses", ({ disk, process }) => (process.life === 1 ? disk.mkdir("/d") : Promise.resolve()));
        space.process("goes-on", async ({ disk }) => {
          await disk.mkdir("/e");
          await disk.mkdir("/f");
        });
        return { facts: () => `${space.files("loses").list("/")} ${space.files("goes-on").list("/")}` };
      },
    };
    const powerLoss: ArmedFault = { at: "step", process: "loses", nth: 1, kind: "power-loss" };
    const { notRun, isExhausted } = await searchArm(system, [powerLoss], await findRunner(), { strategy: "exhaustive", reduction: "plain" });
    expect({ notRun, isExhausted }).toEqual({ notRun: undefined, isExhausted: true });
  });
});
