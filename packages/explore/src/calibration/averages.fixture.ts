/** How many schedules it takes to find bugs that are known, on average over seeds; the limits stand in the design, with room for none. */
import type { ArmedFault, Runner } from "@casebook/sim/kernel";
import { describe, expect, it } from "vitest";
import { searchArm } from "../search.ts";
import type { System } from "../system.ts";
import { gluedAppend, renameWithoutDirectorySync, type WithFault } from "./disk-models.ts";
import { depthThree, doubleDispatch, lostUpdate, zombie } from "./models.ts";

export function describeAverages(runner: Runner, seeds: number): void {
  describe("random schedules and random priorities in turn", () => {
    it.each<readonly [string, System<never>, number]>([
      ["a lost update beside three noisy processes", lostUpdate({ processes: 3, steps: 10 }) as unknown as System<never>, 10],
      ["a zombie that works after a task of 30 steps, beside two noisy ones", zombie(30) as unknown as System<never>, 10],
      ["a double dispatch beside six noisy processes", doubleDispatch({ processes: 6, steps: 20 }) as unknown as System<never>, 10],
      ["a window of three orderings", depthThree() as unknown as System<never>, 30],
    ])("find %s", async (_what, system, limit) => {
      const { average, missed } = await averageToFind(runner, system, "sampled", seeds);
      expect(missed).toBe(0);
      expect(average).toBeLessThanOrEqual(limit);
    });

    it.each<readonly [string, WithFault<never>]>([
      ["a rename without a sync of its directory, beside three noisy processes", renameWithoutDirectorySync({ processes: 3, steps: 10 }) as unknown as WithFault<never>],
      ["an append that is glued to a torn one, beside three noisy processes", gluedAppend({ processes: 3, steps: 10 }) as unknown as WithFault<never>],
    ])("find %s", async (_what, { system, fault }) => {
      const { average, missed } = await averageToFind(runner, system, "sampled", seeds, [fault]);
      expect(missed).toBe(0);
      expect(average).toBeLessThanOrEqual(10);
    });

    it("are better than random alone, which never meets the zombie", async () => {
      expect((await averageToFind(runner, zombie(30), "random", seeds)).missed).toBe(seeds);
    });
  });
}

async function averageToFind<Facts>(runner: Runner, system: System<Facts>, strategy: "random" | "sampled", seeds: number, faults: readonly ArmedFault[] = []): Promise<{ average: number; missed: number }> {
  let total = 0;
  let missed = 0;
  for (let seed = 1; seed <= seeds; seed += 1) {
    const { failure } = await searchArm(system, faults, runner, { strategy, seed, budget: 200 });
    if (failure?.check !== system.checks[0]?.id) missed += 1;
    total += failure?.found ?? 200;
  }
  return { average: total / seeds, missed };
}
