/**
 * How fast the search finds bugs that are known, and that it covers what it says. The averages are over 100 seeds, so that no lucky
 * seed carries them; the limits stand in the design, with room for none.
 */
import type { ArmedFault } from "@casebook/sim/kernel";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import type { Reduction } from "../exhaustive.ts";
import { searchArm } from "../search.ts";
import type { System } from "../system.ts";
import { gluedAppend, renameWithoutDirectorySync, type WithFault } from "./disk-models.ts";
import { claimRace, depthThree, doubleDispatch, lostUpdate, zombie } from "./models.ts";

const SEEDS = 100;

async function averageToFind<Facts>(system: System<Facts>, strategy: "random" | "sampled", faults: readonly ArmedFault[] = []): Promise<{ average: number; missed: number }> {
  const runner = await findRunner();
  let total = 0;
  let missed = 0;
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const { failure } = await searchArm(system, faults, runner, { strategy, seed, budget: 200 });
    if (failure?.check !== system.checks[0]?.id) missed += 1;
    total += failure?.found ?? 200;
  }
  return { average: total / SEEDS, missed };
}

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

describe("random schedules and random priorities in turn", () => {
  it.each<readonly [string, System<never>, number]>([
    ["a lost update beside three noisy processes", lostUpdate({ processes: 3, steps: 10 }) as unknown as System<never>, 10],
    ["a zombie that works after a task of 30 steps, beside two noisy ones", zombie(30) as unknown as System<never>, 10],
    ["a double dispatch beside six noisy processes", doubleDispatch({ processes: 6, steps: 20 }) as unknown as System<never>, 10],
    ["a window of three orderings", depthThree() as unknown as System<never>, 30],
  ])("find %s", async (_what, system, limit) => {
    const { average, missed } = await averageToFind(system, "sampled");
    console.log(`${system.name}: ${average} schedules on average over ${SEEDS} seeds, ${missed} missed`);
    expect(missed).toBe(0);
    expect(average).toBeLessThanOrEqual(limit);
  });

  it.each<readonly [string, WithFault<never>]>([
    ["a rename without a sync of its directory, beside three noisy processes", renameWithoutDirectorySync({ processes: 3, steps: 10 }) as unknown as WithFault<never>],
    ["an append that is glued to a torn one, beside three noisy processes", gluedAppend({ processes: 3, steps: 10 }) as unknown as WithFault<never>],
  ])("find %s", async (_what, { system, fault }) => {
    const { average, missed } = await averageToFind(system, "sampled", [fault]);
    console.log(`${system.name}: ${average} schedules on average over ${SEEDS} seeds, ${missed} missed`);
    expect(missed).toBe(0);
    expect(average).toBeLessThanOrEqual(10);
  });

  it("are better than random alone, which never meets the zombie", async () => {
    expect((await averageToFind(zombie(30), "random")).missed).toBe(SEEDS);
  });
});

describe("an exhaustive search", () => {
  it.each<readonly [string, System<never>]>([
    ["a lost update and one noisy process", lostUpdate({ processes: 1, steps: 3 }) as unknown as System<never>],
    ["a double dispatch and one noisy process", doubleDispatch({ processes: 1, steps: 4 }) as unknown as System<never>],
    ["a window of three orderings", depthThree() as unknown as System<never>],
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
