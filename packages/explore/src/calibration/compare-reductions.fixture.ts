/** A plain search beside the reduced ones, over random systems: all have to reach the same final states. */
import { type ArmedFault, conflict, type Runner } from "@casebook/sim/kernel";
import { expect } from "vitest";
import type { Reduction } from "../exhaustive.ts";
import type { Conflicts } from "../races.ts";
import { searchArm } from "../search.ts";
import type { System } from "../system.ts";
import type { RandomSystem } from "./random-system.ts";

type Draw = (seed: number) => RandomSystem;

/** `budget`: systems with more plain schedules are not compared. */
export async function searchStates<Facts>(runner: Runner, { system, faults }: { readonly system: System<Facts>; readonly faults: readonly ArmedFault[] }, reduction: Reduction, budget: number, conflicts: Conflicts = conflict) {
  const states = new Set<string>();
  const report = await searchArm(system, faults, runner, {
    strategy: "exhaustive",
    reduction,
    conflicts,
    goOn: true,
    budget,
    onJudged: (judged, { execution, facts }) => {
      if (judged.verdict !== "given-up") states.add(`${judged.verdict} ${execution.ending?.how} ${JSON.stringify(facts())}`);
    },
  });
  // Too large is a reason to skip a system; that it could not be judged is none.
  if (conflicts === conflict) expect(report.notRun, `${system.name}, ${reduction}`).toBeUndefined();
  return { ...report, states: [...states].sort() };
}

/** What the systems of the seeds from 1 on added up to. */
export async function compareReductions(runner: Runner, draw: Draw, seeds: number, plainLimit: number) {
  const totals = { systems: 0, withFaults: 0, powerLosses: 0, plain: 0, reduced: 0, blocked: 0 };
  for (let seed = 1; seed <= seeds; seed += 1) {
    const plain = await searchStates(runner, draw(seed), "plain", plainLimit);
    if (!plain.isExhausted) continue;
    const sleeping = await searchStates(runner, draw(seed), "sleep-sets", plainLimit);
    const races = await searchStates(runner, draw(seed), "races", plainLimit);
    expect(sleeping.states, `seed ${seed}, sleep sets`).toEqual(plain.states);
    expect(races.states, `seed ${seed}, races`).toEqual(plain.states);
    // Both play each class of schedules once; fewer would be luck, not skill.
    expect(races.complete, `seed ${seed}`).toBe(sleeping.complete);
    totals.systems += 1;
    totals.withFaults += plain.faults.length;
    if (plain.faults[0]?.kind === "power-loss") totals.powerLosses += 1;
    totals.plain += plain.complete;
    totals.reduced += races.complete;
    totals.blocked += races.blocked;
  }
  return totals;
}
