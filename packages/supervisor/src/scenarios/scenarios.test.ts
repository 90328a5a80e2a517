/** Forty-one scenarios and thirty-six pairs end as they should, and every fault of each has happened. */
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { REFERENCE_POLICIES } from "../index.ts";
import { readTerminalRecord } from "../judge/index.ts";
import { CONTROLS, EXTRA_SCENARIOS, PAIRS, playRun, playScenario, type Scenario, scenarioCalled, SCENARIOS, type ScenarioResult, SHAPES } from "./index.ts";

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

  it("says of every pair the shape, and of each fault where and how long", () => {
    const untold = PAIRS.filter(({ window, shape, world: { faults = [] } }) => !window.startsWith(`${shape}, `) || faults.some(({ at, kind, forMs }) => !window.includes(`${kind} at ${at}`) || (forMs !== undefined && !window.includes(` for ${forMs} ms`))));
    expect(untold.map(({ id }) => id)).toEqual([]);
    expect(PAIRS[7]?.window).toBe("three-vendors, kill at supervisor.after-claim at reach 4, with 400 tokens for the run");
  });

  it("completes on every shape when nothing happens, and says why where a wait cycle, an operator or a slow ledger ends it", async () => {
    expect(await notPassed([...CONTROLS, ...EXTRA_SCENARIOS])).toEqual([]);
  });

  it("is the same run every time", async () => {
    for (const scenario of [SCENARIOS[0], SCENARIOS[24], PAIRS[8]] as Scenario[]) {
      expect((await playScenario(scenario, { runner })).hash).toBe((await playScenario(scenario, { runner })).hash);
    }
  });

  it("leaves a record that its own reader reads, with a trace that is there and rows that are whole wherever it was cancelled on a ledger that answers", async () => {
    const wrong: unknown[] = [];
    for (const { id, world } of [...CONTROLS, ...EXTRA_SCENARIOS, ...SCENARIOS]) {
      const { snapshot } = await playRun(world, runner);
      const [record] = (snapshot?.tables.get("records") ?? []).map((row) => readTerminalRecord(row));
      if (record?.outcome !== "ok") {
        wrong.push([id, record?.says]);
        continue;
      }
      const { cause, trace, state } = record.record;
      const rows = trace === null ? undefined : (JSON.parse(snapshot?.artefacts.get(trace) ?? "{}") as Record<string, unknown>);
      const isKept = rows === undefined ? state !== "cancelled" || cause === "unclassified" : Object.keys(rows).join() === "run,items,agents,locks,waits";
      if (!isKept) wrong.push([id, cause, trace]);
    }
    expect(wrong).toEqual([]);
  });

  it("that has somebody waiting when nothing can happen any more is none that passes", async () => {
    const policies = { ...REFERENCE_POLICIES, cancelOrder: "classify-first", classification: "unbounded" } as const;
    const { because, verdict } = await playScenario(scenarioCalled("ledger_blackhole/one-agent"), { policies, runner });
    expect([verdict, because.at(-1)]).toEqual(["fail", expect.stringMatching(/^waits for ever: .+ and \d+ more calls$/)]);
  });

  it("of which a fault never fires has no verdict", async () => {
    const [first] = SCENARIOS as [Scenario];
    const result = await playScenario({ ...first, world: { ...first.world, faults: [{ at: "supervisor.after-clam", kind: "kill" }] } }, { runner });
    expect([result.verdict, result.because]).toEqual(["not-run", ["kill at supervisor.after-clam never fired"]]);
  });
});
