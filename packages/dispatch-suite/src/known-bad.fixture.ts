/** Every known-bad dispatcher against every scenario: it fails what is written down, and passes everything else. Minutes, so in two files that two workers play. */
import { KNOWN_BAD_DISPATCHERS } from "@casebook/dispatcher/known-bad";
import type { Runner } from "@casebook/sim/kernel";
import { expect, it } from "vitest";
import { playScenario, SCENARIOS } from "./index.ts";

const HALF = Math.ceil(KNOWN_BAD_DISPATCHERS.length / 2);

export function defineHalf(half: "first" | "second", runner: Runner): void {
  const bad = half === "first" ? KNOWN_BAD_DISPATCHERS.slice(0, HALF) : KNOWN_BAD_DISPATCHERS.slice(HALF);
  it.each(bad.map((one) => [one.name, one] as const))("%s fails what is written down, and nothing else", { timeout: 300_000 }, async (_name, one) => {
    const failed: string[] = [];
    for (const scenario of SCENARIOS) {
      const { checks } = await playScenario(scenario, one, runner, { schedules: 3 });
      failed.push(...checks.filter(({ verdict }) => verdict === "fail").map(({ id }) => id));
    }
    const expected = [...one.breaks, ...Object.keys(one.unexpected ?? {})].filter((check) => one.unbroken?.[check] === undefined);
    expect(failed.toSorted()).toEqual(expected.toSorted());
  });
}
