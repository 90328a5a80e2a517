/** Other orders of the same calls, and faults at windows that nobody chose for them: what must hold under every one of them. */
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { POINTS, REFERENCE_POLICIES } from "../index.ts";
import { FAULT_SCENARIOS, playScenario, scenarioCalled, sweep, type SweepCell } from "./index.ts";

const runner = await findRunner();

describe("a supervised run in another order of its calls", () => {
  it.each([1, 2, 3])("ends as it should under each of the nine faults: seed %i", async (schedule) => {
    const failed: unknown[] = [];
    for (const scenario of FAULT_SCENARIOS.filter(({ shape }) => shape === "one-agent")) {
      const { id, verdict, because } = await playScenario({ ...scenario, world: { ...scenario.world, schedule } }, { runner });
      if (verdict !== "pass") failed.push([id, because]);
    }
    expect(failed).toEqual([]);
  });

  it("does not take its own agent for lost where a renewal meets an attempt that was given back", async () => {
    // Both come at 60 s: the second heartbeat, and the limit of the tool.
    const scenario = scenarioCalled("late_tool_result/one-agent");
    const { observation } = await playScenario({ ...scenario, world: { ...scenario.world, schedule: 1 } }, { runner });
    expect(observation).toBe("1 late result refused, artefact of epoch 2 stands");
  });
});

describe("a sweep over windows", () => {
  const points = [POINTS.afterLastObligation, POINTS.afterRecord] as const;
  const inWords = (cells: readonly SweepCell[]) => [...new Set(cells.map(({ point, kind, verdict }) => `${point} ${kind} ${verdict}`))];

  it("passes at the windows around the end", async () => {
    const cells = await sweep({ points, runner });
    expect(cells.filter(({ verdict }) => verdict !== "pass")).toEqual([]);
    expect(cells.every(({ fired }) => fired > 0)).toBe(true);
  });

  it("fails where the supervisor dies and nobody comes behind it", async () => {
    const cells = await sweep({ points: [POINTS.afterLastObligation], runner, policies: { ...REFERENCE_POLICIES, succession: "none" } });
    expect(inWords(cells.filter(({ verdict }) => verdict === "fail"))).toEqual([`${POINTS.afterLastObligation} kill fail`, `${POINTS.afterLastObligation} host-dead fail`]);
  });

  it("has no verdict at a window that no run comes by", async () => {
    const cells = await sweep({ points: [POINTS.afterReassign], nth: 5, runner });
    expect(new Set(cells.map(({ verdict }) => verdict))).toEqual(new Set(["not-run"]));
  });
});
