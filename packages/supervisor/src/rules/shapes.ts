/** The shapes of runs that the scenarios play. Each begins its agents by spawn, so that every fault has a place. */
import { DEFAULT_BUDGET, type ItemSpec, type RunSpec } from "./run-spec.ts";

export const SHAPES = ["one-agent", "three-vendors", "pipeline", "spawn-tree"] as const;
export type Shape = (typeof SHAPES)[number];

/** Half a minute and a bit: longer than a heartbeat, so that every item renews its lease once. */
const TOOL_MS = 40_000;

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at + 1);

const SPECS: Readonly<Record<Shape, Pick<RunSpec, "items" | "agents">>> = {
  "one-agent": {
    agents: [{ name: "solo" }],
    items: numbers(3).map((n) => ({ name: `part-${n}`, toolMs: TOOL_MS, locks: ["report"] })),
  },
  // Fifteen sections of three vendors; a vendor takes one question at a time.
  "three-vendors": {
    agents: numbers(3).map((n) => ({ name: `vendor-${n}` })),
    items: numbers(5).flatMap((section) => numbers(3).map((vendor) => ({ name: `section-${vendor}-${section}`, toolMs: TOOL_MS, locks: [`vendor-${vendor}`] }))),
  },
  pipeline: {
    agents: numbers(2).map((n) => ({ name: `stage-${n}` })),
    items: [
      { name: "fetch", toolMs: TOOL_MS },
      { name: "extract-1", needs: ["fetch"], toolMs: TOOL_MS },
      { name: "extract-2", needs: ["fetch"], toolMs: TOOL_MS },
      { name: "merge", needs: ["extract-1", "extract-2"], toolMs: TOOL_MS, locks: ["report"] },
      { name: "check", needs: ["merge"], toolMs: TOOL_MS, locks: ["report"] },
    ],
  },
  "spawn-tree": {
    agents: [{ name: "lead", children: [{ name: "reader", children: [{ name: "clerk" }] }, { name: "writer" }] }],
    items: numbers(8).map((n) => ({ name: `task-${n}`, toolMs: TOOL_MS, locks: n === 8 ? ["report"] : [] })),
  },
};

export const RUN_ID = "run-1";

export function specOf(shape: Shape): RunSpec {
  return { id: RUN_ID, budget: DEFAULT_BUDGET, ...SPECS[shape] };
}

/** Locks that items of a spec name. */
export function locksOf({ items }: { readonly items: readonly Pick<ItemSpec, "locks">[] }): readonly string[] {
  return [...new Set(items.flatMap(({ locks = [] }) => locks))].sort();
}
