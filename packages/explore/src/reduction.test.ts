/** The reductions lose nothing: what plain search finds, they find, faults and locks and messages and clocks included. */
import { conflict } from "@casebook/sim/kernel";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { randomSystem } from "./calibration/random-system.ts";
import { type Conflicts } from "./races.ts";
import { searchArm } from "./search.ts";
import type { Reduction } from "./exhaustive.ts";

const PLAIN_LIMIT = 3_000;

interface Found {
  readonly states: ReadonlySet<string>;
  readonly complete: number;
  readonly blocked: number;
  readonly isExhausted: boolean;
}

async function finalStates(seed: number, reduction: Reduction, conflicts: Conflicts = conflict): Promise<Found> {
  const { system, faults } = randomSystem(seed);
  const states = new Set<string>();
  const report = await searchArm(system, faults, await findRunner(), {
    strategy: "exhaustive",
    reduction,
    conflicts,
    goOn: true,
    budget: PLAIN_LIMIT,
    onJudged: (judged, { execution, facts }) => {
      if (judged.verdict !== "given-up") states.add(`${judged.verdict} ${execution.ending?.how} ${String(facts())}`);
    },
  });
  return { states, complete: report.complete, blocked: report.blocked, isExhausted: report.isExhausted };
}

describe("a reduced search", () => {
  it("reaches the same final states as a plain one on random systems", async () => {
    const totals = { systems: 0, plain: 0, "sleep-sets": 0, races: 0, blocked: 0 };
    for (let seed = 1; seed <= 250; seed += 1) {
      const plain = await finalStates(seed, "plain");
      if (!plain.isExhausted) continue;
      totals.systems += 1;
      totals.plain += plain.complete;
      for (const reduction of ["sleep-sets", "races"] as const) {
        const reduced = await finalStates(seed, reduction);
        expect([...reduced.states].sort(), `seed ${seed}, ${reduction}`).toEqual([...plain.states].sort());
        totals[reduction] += reduced.complete;
        if (reduction === "races") totals.blocked += reduced.blocked;
      }
    }
    console.log(totals);
    expect(totals.systems).toBeGreaterThan(150);
    expect(totals.races).toBeLessThan(totals.plain / 2);
  });
});
