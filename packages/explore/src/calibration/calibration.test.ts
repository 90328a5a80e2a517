/** How fast the search finds bugs that are known, and that it covers what it says. */
import type { ArmedFault } from "@casebook/sim/kernel";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import type { Reduction } from "../exhaustive.ts";
import { searchArm } from "../search.ts";
import type { System } from "../system.ts";
import { describeAverages } from "./averages.fixture.ts";
import { gluedAppend, renameWithoutDirectorySync, type WithFault } from "./disk-models.ts";
import { claimRace, doubleDispatch, lostUpdate } from "./models.ts";

// A lucky seed among few could carry them: the real tier takes the averages over 100.
describeAverages(await findRunner(), 20);

async function exhaust<Facts>(system: System<Facts>, reduction: Reduction, faults: readonly ArmedFault[] = []) {
  const states = new Set<string>();
  const { complete, blocked, isExhausted, failures } = await searchArm(system, faults, await findRunner(), {
    strategy: "exhaustive",
    reduction,
    goOn: true,
    budget: 150_000,
    onJudged: (judged, { facts }) => void (judged.verdict !== "given-up" && states.add(JSON.stringify(facts()))),
  });
  return { complete, blocked, isExhausted, finalStates: states.size, checks: [...failures.keys()] };
}

describe("an exhaustive search", () => {
  it.each<readonly [string, System<never>]>([
    ["a lost update and one noisy process", lostUpdate({ processes: 1, steps: 3 }) as unknown as System<never>],
    ["a double dispatch and one noisy process", doubleDispatch({ processes: 1, steps: 4 }) as unknown as System<never>],
    ["two dispatchers that race for a claim", claimRace(2) as unknown as System<never>],
  ])("covers %s with fewer schedules and the same final states and findings", async (_what, system) => {
    const plain = await exhaust(system, "plain");
    const reduced = await exhaust(system, "races");
    console.log(`${system.name}: plain ${plain.complete}, complete ${reduced.complete}, blocked ${reduced.blocked}, final states ${reduced.finalStates}`);
    expect(plain.isExhausted && reduced.isExhausted).toBe(true);
    expect([reduced.finalStates, reduced.checks]).toEqual([plain.finalStates, plain.checks]);
    expect(reduced.complete).toBeLessThan(plain.complete);
    expect(reduced.checks).toEqual(system.checks.map(({ id }) => id));
  });

  it.each<readonly [string, WithFault<never>]>([
    ["a rename without a sync of its directory and one noisy process", renameWithoutDirectorySync({ processes: 1, steps: 4 }) as unknown as WithFault<never>],
    ["a glued append and one noisy process", gluedAppend({ processes: 1, steps: 4 }) as unknown as WithFault<never>],
  ])("covers %s, with its fault and every disk that it can leave", async (_what, { system, fault }) => {
    const plain = await exhaust(system, "plain", [fault]);
    const reduced = await exhaust(system, "races", [fault]);
    console.log(`${system.name}: plain ${plain.complete}, complete ${reduced.complete}, blocked ${reduced.blocked}, final states ${reduced.finalStates}`);
    expect(plain.isExhausted && reduced.isExhausted).toBe(true);
    expect([reduced.finalStates, reduced.checks]).toEqual([plain.finalStates, plain.checks]);
    expect(reduced.complete).toBeLessThan(plain.complete);
    expect(reduced.checks).toEqual(system.checks.map(({ id }) => id));
  });
});
