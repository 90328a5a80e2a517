/** The reductions lose nothing: what a plain search finds, they find, with faults, locks, messages, clocks and deaths in it. */
import { conflict } from "@casebook/sim/kernel";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { claimRace } from "./calibration/models.ts";
import { randomDiskSystem } from "./calibration/random-disk-system.fixture.ts";
import { type RandomSystem, randomSystem } from "./calibration/random-system.ts";
import type { Reduction } from "./exhaustive.ts";
import type { Conflicts } from "./races.ts";
import { searchArm } from "./search.ts";

/** Systems with more plain schedules are left to the soak. */
const PLAIN_LIMIT = 1_000;

async function search(seed: number, reduction: Reduction, conflicts: Conflicts = conflict, draw: (seed: number) => RandomSystem = randomSystem) {
  const { system, faults } = draw(seed);
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
  // Too large is a reason to skip a system; that it could not be judged is none.
  if (conflicts === conflict) expect(report.notRun, `seed ${seed}, ${reduction}`).toBeUndefined();
  return { ...report, states: [...states].sort() };
}

describe("a reduced search", () => {
  it("reaches the final states of a plain one on random systems, with one schedule for each that is told apart", async () => {
    const totals = { systems: 0, withFaults: 0, plain: 0, reduced: 0, blocked: 0 };
    for (let seed = 1; seed <= 120; seed += 1) {
      const plain = await search(seed, "plain");
      if (!plain.isExhausted) continue;
      const sleeping = await search(seed, "sleep-sets");
      const races = await search(seed, "races");
      expect(sleeping.states, `seed ${seed}, sleep sets`).toEqual(plain.states);
      expect(races.states, `seed ${seed}, races`).toEqual(plain.states);
      // Both play each class of schedules once; fewer would be luck, not skill.
      expect(races.complete, `seed ${seed}`).toBe(sleeping.complete);
      totals.systems += 1;
      totals.withFaults += plain.faults.length;
      totals.plain += plain.complete;
      totals.reduced += races.complete;
      totals.blocked += races.blocked;
    }
    console.log(JSON.stringify(totals));
    expect(totals.systems).toBeGreaterThan(60);
    expect(totals.withFaults).toBeGreaterThan(20);
    expect(totals.reduced).toBeLessThan(totals.plain / 3);
  });

  it("reaches them on random systems that share a disk, with crashes at any call and all that a power loss can leave", async () => {
    const totals = { systems: 0, powerLosses: 0, plain: 0, reduced: 0, blocked: 0 };
    for (let seed = 1; seed <= 80; seed += 1) {
      const plain = await search(seed, "plain", conflict, randomDiskSystem);
      if (!plain.isExhausted) continue;
      const sleeping = await search(seed, "sleep-sets", conflict, randomDiskSystem);
      const races = await search(seed, "races", conflict, randomDiskSystem);
      expect(sleeping.states, `seed ${seed}, sleep sets`).toEqual(plain.states);
      expect(races.states, `seed ${seed}, races`).toEqual(plain.states);
      expect(races.complete, `seed ${seed}`).toBe(sleeping.complete);
      totals.systems += 1;
      if (plain.faults[0]?.kind === "power-loss") totals.powerLosses += 1;
      totals.plain += plain.complete;
      totals.reduced += races.complete;
      totals.blocked += races.blocked;
    }
    console.log(JSON.stringify(totals));
    expect(totals.systems).toBeGreaterThan(60);
    expect(totals.powerLosses).toBeGreaterThan(15);
    expect(totals.reduced).toBeLessThan(totals.plain / 2);
  });

  it("is caught by that comparison when it takes a shared object for a private one", async () => {
    const wrong: Conflicts = (one, other) =>
      one.process.index === other.process.index || (one.plan.shared !== "cell-0" && conflict(one, other));
    let lost = 0;
    let systems = 0;
    for (let seed = 1; seed <= 40; seed += 1) {
      const plain = await search(seed, "plain");
      if (!plain.isExhausted) continue;
      systems += 1;
      const reduced = await search(seed, "races", wrong);
      if (reduced.states.length < plain.states.length) lost += 1;
    }
    console.log(`${lost} of ${systems} systems lost final states`);
    expect(lost).toBeGreaterThan(systems / 10);
  });

  it("plays exactly 126 of the 588,210 schedules of three dispatchers that race for a claim, and sees all 72 final states", async () => {
    const counts: Record<string, unknown> = {};
    for (const reduction of ["sleep-sets", "races"] as const) {
      const states = new Set<string>();
      const report = await searchArm(claimRace(3), [], await findRunner(), {
        strategy: "exhaustive",
        reduction,
        goOn: true,
        budget: 1_000,
        onJudged: (judged, { facts }) => void (judged.verdict !== "given-up" && states.add(JSON.stringify(facts()))),
      });
      counts[reduction] = [report.complete, report.blocked, states.size, report.isExhausted];
    }
    expect(counts).toEqual({ "sleep-sets": [126, 113, 72, true], races: [126, 0, 72, true] });
  });
});
