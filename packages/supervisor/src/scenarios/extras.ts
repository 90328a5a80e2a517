/** Scenarios beyond the forty-one: what a supervisor has to get right on a healthy ledger, and where the telling comes before the asking. */
import { DEFAULT_BUDGET, POINTS, type RunSpec } from "../index.ts";
import { atText } from "./observe.ts";
import { RUN_ID, specOf } from "../rules/index.ts";
import type { Scenario } from "./scenarios.ts";

/** Two agents, each with one lock and in want of the other's. */
const CROSSED: RunSpec = {
  id: RUN_ID,
  budget: DEFAULT_BUDGET,
  agents: [{ name: "left" }, { name: "right" }],
  items: [
    { name: "join", toolMs: 40_000, locks: ["index", "report"] },
    { name: "split", toolMs: 40_000, locks: ["report", "index"] },
  ],
};

/** Three vendors of different speed: at three minutes two sections of fifteen are done. */
export const THREE_SPEEDS: RunSpec = { ...specOf("three-vendors"), items: specOf("three-vendors").items.map((item, at) => ({ ...item, toolMs: [100_000, 170_000, 190_000][at % 3] as number })) };

export const EXTRA_SCENARIOS: readonly Scenario[] = [
  {
    id: "extra/wait-cycle",
    kind: "extra",
    faults: ["none"],
    shape: "pipeline",
    window: "two agents wait for each other's lock, the ledger is healthy",
    // Both stop for a second behind their claims, so that neither has both locks before the other has one.
    world: { spec: CROSSED, schedule: "in-turn", faults: ["worker-1", "worker-2"].map((process) => ({ at: POINTS.afterClaim, kind: "slow", forMs: 1_000, process })) },
    causes: ["deadlock"],
    observe: ({ record, snapshot }) => ({
      holds: record?.cycle.join() === "left,right" && snapshot.artefacts.has(record.trace ?? ""),
      says: `cycle: ${record?.cycle.join(", ") ?? "none"}, rows kept at ${record?.trace ?? "no address"}`,
    }),
  },
  {
    id: "extra/cancelled-at-three-minutes",
    kind: "extra",
    faults: ["operator_cancels"],
    shape: "three-vendors",
    window: "an operator cancels at 180 s",
    world: { spec: THREE_SPEEDS, operatorCancelsAtMs: 180_000 },
    causes: ["cancelled_by_operator"],
    observe: ({ record }) => {
      const counts = [record?.done.length, record?.failed.length, record?.notFinished.length];
      return { holds: counts.join() === "2,0,13", says: `${counts[0]} done, ${counts[1]} failed, ${counts[2]} not finished` };
    },
  },
  {
    id: "extra/slow-ledger-at-the-deadline",
    kind: "extra",
    faults: ["tool_hang", "ledger_slow"],
    shape: "three-vendors",
    window: "a tool hangs; from the deadline on each call takes 5 s longer, for 15 s",
    world: {
      spec: specOf("three-vendors"),
      ledger: { capacity: 4 },
      faults: [{ at: POINTS.inTool, kind: "hang", nth: 4 }, { at: POINTS.beforeCancel, kind: "service-slow", service: "ledger", byMs: 5_000, forMs: 15_000 }],
    },
    causes: ["unclassified"],
    observe: (seen) => {
      const toldMs = seen.since(seen.logged("cancel-told")[0]?.atMs);
      return { holds: toldMs <= 901_000, says: `agents told at ${atText(toldMs)}` };
    },
  },
  {
    id: "extra/hang-below-the-first-agent",
    kind: "extra",
    faults: ["tool_hang"],
    shape: "spawn-tree",
    window: "the tool of an agent hangs that another agent began",
    world: { spec: specOf("spawn-tree"), faults: [{ at: POINTS.inTool, kind: "hang", process: "worker-3" }] },
    causes: ["deadline"],
    observe: ({ record }) => ({ holds: record?.stuckAgent !== null && record?.stuckAgent !== "lead", says: `${record?.stuckAgent ?? "nobody"} named` }),
  },
];
