/** More random systems, and larger ones, than every commit has time for. */
import { findRunner } from "@casebook/sim/node";
import { expect, it } from "vitest";
import { randomDiskSystem } from "./calibration/random-disk-system.fixture.ts";
import { randomSystem } from "./calibration/random-system.ts";
import { randomWatchers } from "./calibration/random-watchers.ts";
import type { Reduction } from "./exhaustive.ts";
import { searchArm } from "./search.ts";

const SHARE = Number(process.env["CASEBOOK_SOAK_SHARE"] ?? 1);
const SYSTEMS = Math.ceil(4_000 * SHARE);
const FIRST_SEED = 100_000;
const PLAIN_LIMIT = 20_000;

it.each([
  ["", randomSystem],
  [", with a disk, crashes and all that a power loss can leave", randomDiskSystem],
  [", with watchers of a directory", randomWatchers],
] as const)("loses no final state to reduction%s", { timeout: 3_600_000 }, async (_, draw) => {
  const runner = await findRunner();
  const search = async (seed: number, reduction: Reduction) => {
    const { system, faults } = draw(seed);
    const states = new Set<string>();
    const report = await searchArm(system, faults, runner, {
      strategy: "exhaustive",
      reduction,
      goOn: true,
      budget: PLAIN_LIMIT,
      onJudged: (judged, { execution, facts }) => {
        if (judged.verdict !== "given-up") states.add(`${judged.verdict} ${execution.ending?.how} ${String(facts())}`);
      },
    });
    return { ...report, states: [...states].sort() };
  };
  const totals = { systems: 0, withFaults: 0, tooLarge: 0, plain: 0, reduced: 0, blocked: 0 };
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SYSTEMS; seed += 1) {
    const plain = await search(seed, "plain");
    if (!plain.isExhausted) {
      totals.tooLarge += 1;
      continue;
    }
    const sleeping = await search(seed, "sleep-sets");
    const races = await search(seed, "races");
    expect([sleeping.states, races.states, races.complete], `seed ${seed}`).toEqual([plain.states, plain.states, sleeping.complete]);
    totals.systems += 1;
    totals.withFaults += plain.faults.length;
    totals.plain += plain.complete;
    totals.reduced += races.complete;
    totals.blocked += races.blocked;
  }
  console.log(`${JSON.stringify(totals)}, seeds ${FIRST_SEED}..${FIRST_SEED + SYSTEMS - 1}`);
  expect(totals.systems).toBeGreaterThan(SYSTEMS / 2);
});
