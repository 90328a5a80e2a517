/** Forty-one scenarios and thirty-six pairs end as they should, and every fault of each has happened. */
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { CONTROLS, EXTRA_SCENARIOS, PAIRS, playScenario, type Scenario, SCENARIOS, type ScenarioResult, SHAPES } from "./index.ts";

const runner = await findRunner();

async function notPassed(scenarios: readonly Scenario[]): Promise<unknown[]> {
  const results: ScenarioResult[] = [];
  for (const scenario of scenarios) results.push(await playScenario(scenario, { runner }));
  return results.filter(({ verdict }) => verdict !== "pass").map(({ id, verdict, because }) => [id, verdict, because]);
}

describe("a supervised run", () => {
  it("ends as it should under every fault on every shape, and at every point placed by hand: 41", async () => {
    expect(SCENARIOS.length).toBe(9 * SHAPES.length + 5);
    expect(await notPassed(SCENARIOS)).toEqual([]);
  });

  it("ends cleanly under every two of the nine faults: 36", async () => {
    expect(new Set(PAIRS.map(({ id }) => id)).size).toBe((9 * 8) / 2);
    expect(await notPassed(PAIRS)).toEqual([]);
  });

  it("completes on every shape when nothing happens, and says why where a wait cycle, an operator or a slow ledger ends it", async () => {
    expect(await notPassed([...CONTROLS, ...EXTRA_SCENARIOS])).toEqual([]);
  });

  it("is the same run every time", async () => {
    for (const scenario of [SCENARIOS[0], SCENARIOS[24], PAIRS[8]] as Scenario[]) {
      expect((await playScenario(scenario, { runner })).hash).toBe((await playScenario(scenario, { runner })).hash);
    }
  });

  it("of which a fault never fires has no verdict", async () => {
    const [first] = SCENARIOS as [Scenario];
    const result = await playScenario({ ...first, world: { ...first.world, faults: [{ at: "supervisor.after-clam", kind: "kill" }] } }, { runner });
    expect([result.verdict, result.because]).toEqual(["not-run", ["kill at supervisor.after-clam never fired"]]);
  });
});
