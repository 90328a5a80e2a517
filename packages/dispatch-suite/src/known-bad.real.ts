/** Every known-bad dispatcher against every scenario: it fails what is written down, and passes everything else. Minutes. */
import { KNOWN_BAD_DISPATCHERS } from "@casebook/dispatcher/known-bad";
import { findRunner } from "@casebook/sim/node";
import { expect, it } from "vitest";
import { playScenario, SCENARIOS } from "./index.ts";

it.each(KNOWN_BAD_DISPATCHERS.map((bad) => [bad.name, bad] as const))("%s fails what is written down, and nothing else", { timeout: 300_000 }, async (_name, bad) => {
  const runner = await findRunner();
  const failed: string[] = [];
  for (const scenario of SCENARIOS) {
    const { checks } = await playScenario(scenario, bad, runner, { schedules: 3 });
    failed.push(...checks.filter(({ verdict }) => verdict === "fail").map(({ id }) => id));
  }
  const expected = [...bad.breaks, ...Object.keys(bad.unexpected ?? {})].filter((check) => bad.unbroken?.[check] === undefined);
  expect(failed.toSorted()).toEqual(expected.toSorted());
});
