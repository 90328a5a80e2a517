/**
 * The search around each window, in bounds that are printed: all scenarios in fifty orders, all windows × faults on all shapes, and every
 * kind of fault at every point that is reached. Minutes, not seconds.
 */
import { explore, type System } from "@casebook/explore";
import { findRunner } from "@casebook/sim/node";
import type { FaultKind } from "@casebook/sim/kernel";
import { describe, expect, it } from "vitest";
import { POINTS } from "../index.ts";
import { buildRun, CONTROLS, judgeRun, PAIRS, playScenario, RUN_ID, type RunFacts, SCENARIOS, SHAPES, specOf, sweep } from "./index.ts";

const runner = await findRunner({ silenceMs: 60_000 });
const share = Number(process.env["CASEBOOK_SOAK_SHARE"] ?? 1);
const SEEDS = Math.max(1, Math.round(50 * share));

/** Their schedule is part of them: two who write side by side. */
const OWN_ORDER: readonly string[] = ["placed/cancel-against-completion"];

describe("the ends of supervised runs", () => {
  it("are clean in many orders", { timeout: 3_600_000 }, async () => {
    const scenarios = [...CONTROLS, ...SCENARIOS, ...PAIRS].filter(({ id }) => !OWN_ORDER.includes(id));
    const failed: unknown[] = [];
    let notRun = 0;
    for (let schedule = 1; schedule <= SEEDS; schedule += 1) {
      for (const scenario of scenarios) {
        const { id, verdict, because } = await playScenario({ ...scenario, world: { ...scenario.world, schedule } }, { runner });
        if (verdict === "fail") failed.push([schedule, id, because]);
        if (verdict === "not-run") notRun += 1;
      }
    }
    print(`${scenarios.length} scenarios in ${SEEDS} orders: ${failed.length} failed, ${notRun} in which a fault never fired`);
    expect(failed).toEqual([]);
  });

  it.each(SHAPES)("are clean with every fault at every window: %s", { timeout: 3_600_000 }, async (shape) => {
    for (const nth of [1, 2]) {
      const cells = await sweep({ shape, nth, runner, schedule: "in-turn" });
      print(`${shape}, reach ${nth}: ${cells.filter(({ verdict }) => verdict !== "not-run").length} of ${cells.length} cells ran`);
      expect(cells.filter(({ verdict }) => verdict === "fail")).toEqual([]);
    }
  });

  it.each([
    ["one-agent", "singles", 20],
    ["spawn-tree", "singles", 4],
    ["one-agent", "pairs", 1],
  ] as const)("are clean with every kind at every point that is reached: %s, %s, %i orders each", { timeout: 3_600_000 }, async (shape, faults, budget) => {
    const kinds: readonly FaultKind[] = ["kill", "stop-continue", "host-unreachable", "slow", "lost-answer"];
    const system: System<RunFacts> = {
      name: `supervisor/${shape}`,
      claim: "A run ends cleanly.",
      build: buildRun({ spec: specOf(shape), lookLateMs: 300_000 }),
      checks: [{ id: "clean-end", when: "end", alarm: ({ snapshot }) => (snapshot === undefined ? "nobody looked" : judgeRun(RUN_ID, snapshot).map(({ guard, message }) => `${guard}: ${message}`).join("; ") || undefined) }],
      faults: { points: Object.values(POINTS), kinds },
      maxSteps: 60_000,
    };
    const report = await explore(system, runner, { faults, budget: Math.max(1, Math.round(budget * share)), strategy: "sampled", seed: 1 });
    print(`${shape}, ${faults}: ${report.planned} arms, ${report.executions} executions, ${report.failed} failed, ${report.notRun} not run`);
    expect(report.findings.map(({ check, says, faults: armed }) => [check, says, armed])).toEqual([]);
  });
});

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
