/** The same choices under two barriers: equal, unless code escaped through something real. */
import { createStream } from "@casebook/sim/kernel";
import { findRunner, immediates, watchingRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { randomSystem } from "./calibration/random-system.ts";
import { compareBarriers, recordingOf } from "./repeat.ts";
import { playAlone } from "./replay.ts";
import { simulationOf } from "./search.ts";
import { randomly } from "./strategies.ts";
import type { System } from "./system.ts";

const strict = watchingRunner(immediates);

describe("the comparison of barriers", () => {
  it("finds no difference in random systems", async () => {
    const runner = await findRunner();
    const found: string[] = [];
    for (let seed = 1; seed <= 60; seed += 1) {
      const { system, faults } = randomSystem(seed);
      const { execution } = simulationOf(system, randomly(createStream(seed, "schedule")), faults);
      await playAlone(execution, runner);
      const difference = await compareBarriers(system, recordingOf(execution), runner, strict);
      if (difference !== undefined) found.push(`seed ${seed}: ${difference}`);
    }
    expect(found).toEqual([]);
  });

  it("names the step at which code that waits for the event loop goes on under the stricter one only", async () => {
    const turn = setImmediate;
    const system: System<object> = {
      name: "test/escapes",
      claim: "For the comparison.",
      build(space) {
        const row = space.cell("row", 0);
        space.process("worker", async (ports) => {
          await ports.cell(row).read();
          await new Promise((resolve) => void turn(resolve));
          await ports.cell(row).write(1);
        });
        space.process("other", async (ports) => {
          for (let count = 0; count < 5; count += 1) await ports.cell(row).read();
        });
        return { facts: () => ({}) };
      },
      checks: [],
    };
    const difference = await compareBarriers(system, { faults: [], choices: [] }, await findRunner(), strict);
    expect(difference).toMatch(/^under checkpoint and setImmediate: step \d was .*, and then `worker: cell\.write "row" ok 1`$/);
  });
});
