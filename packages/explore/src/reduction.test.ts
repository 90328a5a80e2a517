/** The reductions lose nothing: what a plain search finds, they find, with faults, locks, messages, clocks and deaths in it. */
import { conflict } from "@casebook/sim/kernel";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { compareReductions, searchStates } from "./calibration/compare-reductions.fixture.ts";
import { claimRace } from "./calibration/models.ts";
import { randomDiskSystem } from "./calibration/random-disk-system.fixture.ts";
import { randomSystem } from "./calibration/random-system.ts";
import type { Conflicts } from "./races.ts";
import { searchArm } from "./search.ts";

/** Systems with more plain schedules are left to the real tier, which draws the same ones, and the largest to the soak. */
const PLAIN_LIMIT = 60;

describe("a reduced search", () => {
  it("reaches the final states of a plain one on random systems, with one schedule for each that is told apart", async () => {
    const totals = await compareReductions(await findRunner(), randomSystem, 120, PLAIN_LIMIT);
    console.log(JSON.stringify(totals));
    expect(totals.systems).toBeGreaterThan(60);
    expect(totals.withFaults).toBeGreaterThan(20);
    expect(totals.reduced).toBeLessThan(totals.plain / 3);
  });

  it("reaches them on random systems that share a disk, with crashes at any call and all that a power loss can leave", async () => {
    const totals = await compareReductions(await findRunner(), randomDiskSystem, 80, PLAIN_LIMIT);
    console.log(JSON.stringify(totals));
    expect(totals.systems).toBeGreaterThan(50);
    expect(totals.powerLosses).toBeGreaterThan(8);
    expect(totals.reduced).toBeLessThan(totals.plain / 2);
  });

  it("is caught by that comparison when it takes a shared object for a private one", async () => {
    const wrong: Conflicts = (one, other) =>
      one.process.index === other.process.index || (one.plan.shared !== "cell-0" && conflict(one, other));
    let lost = 0;
    let systems = 0;
    for (let seed = 1; seed <= 40; seed += 1) {
      const plain = await searchStates(await findRunner(), randomSystem(seed), "plain", PLAIN_LIMIT);
      if (!plain.isExhausted) continue;
      systems += 1;
      const reduced = await searchStates(await findRunner(), randomSystem(seed), "races", PLAIN_LIMIT, wrong);
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
