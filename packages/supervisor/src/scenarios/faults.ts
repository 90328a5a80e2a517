/**
 * The nine faults of the table, as data: where each is armed, what it changes about the run, how a run may end under it, and what is to be
 * seen beyond the invariants. A tenth row is the control.
 */
import type { ArmedFault } from "@casebook/sim/kernel";
import { type BudgetSpec, POINTS, type SupervisorSettings } from "../index.ts";
import type { Cause } from "../judge/index.ts";
import { atText, type Observation, type Seen } from "./observe.ts";
import type { Shape } from "../rules/index.ts";

export const FAULTS = [
  "kill_mid_task",
  "stop_past_lease",
  "drop_message",
  "duplicate_message",
  "tool_hang",
  "late_tool_result",
  "ledger_blackhole",
  "host_loss",
  "budget_exhausted_in_spawn",
] as const;
export type FaultName = (typeof FAULTS)[number];

export interface FaultRow {
  readonly name: FaultName | "none";
  /** Where and how long, for people. */
  readonly window: string;
  readonly arm: readonly ArmedFault[];
  /** Counted from another fault on: aimed at the recovery from it. */
  readonly armSecond: readonly ArmedFault[];
  readonly settings?: Partial<SupervisorSettings>;
  readonly budget?: Partial<BudgetSpec>;
  readonly causes: readonly Cause[];
  observe(seen: Seen): Observation;
}

/** The reach of a point at which the first round of items is over: 40 s into the run, with work done and work to do. */
const SECOND_ROUND: Readonly<Record<Shape, number>> = { "one-agent": 2, "three-vendors": 4, pipeline: 2, "spawn-tree": 5 };

const REPORT = "network.worker-1->supervisor";
/** Behind a first fault, which mostly strikes worker-1. */
const OTHER_REPORT = "network.worker-2->supervisor";
/** Its first question for work, then its first report. */
const FIRST_REPORT = 2;

/** From 40 s on until 910 s: ten seconds behind the deadline. */
const BLACKHOLE_MS = 870_000;
const LEASE_MS = 90_000;

export function controlRow(): FaultRow {
  return {
    name: "none",
    window: "-",
    arm: [],
    armSecond: [],
    causes: ["completed"],
    observe: (seen) => {
      const retried = seen.items.filter(({ epoch }) => epoch !== 1).length;
      return { holds: seen.record?.done.length === seen.items.length && retried === 0, says: `${seen.record?.done.length ?? 0} of ${seen.items.length} items done, ${retried} tried again` };
    },
  };
}

export function faultRow(name: FaultName, shape: Shape): FaultRow {
  return { name, ...ROWS[name](shape) };
}

const ROWS: Readonly<Record<FaultName, (shape: Shape) => Omit<FaultRow, "name">>> = {
  kill_mid_task: (shape) => ({
    window: "agent killed after its claim",
    arm: [{ at: POINTS.afterClaim, kind: "kill", nth: SECOND_ROUND[shape] }],
    armSecond: [{ at: POINTS.afterClaim, kind: "kill" }],
    causes: ["completed"],
    observe: (seen) => {
      const [one] = seen.reassigned();
      const tookMs = one === undefined ? Number.NaN : one.atMs - one.claimedAtMs;
      return { holds: one?.why === "connection-closed" && tookMs <= 1_000 && one.item.epoch === 2, says: `taken back ${atText(tookMs)} after the claim by ${one?.why ?? "nobody"}, epoch ${one?.item.epoch ?? 0}` };
    },
  }),
  stop_past_lease: () => ({
    window: "agent stopped behind its artefact for 200 s, lease 90 s",
    arm: [{ at: POINTS.afterArtefact, kind: "stop-continue", forMs: 200_000 }],
    armSecond: [{ at: POINTS.afterArtefact, kind: "stop-continue", forMs: 200_000 }],
    causes: ["completed"],
    observe: (seen) => {
      const taken = seen.reassigned();
      const [one] = taken;
      const late = seen.snapshot.journal.filter(({ outcome, reason, changes }) => outcome === "refused" && reason === "item.done" && changes[0]?.id === one?.item.id).length;
      const through = seen.entries("item.done").filter(({ changes }) => changes[0]?.id === one?.item.id).length;
      return { holds: taken.length === 1 && late >= 1 && through === 1 && one?.item.uri?.endsWith("/2") === true, says: `reassigned ${taken.length} time, ${late} late write refused, artefact of epoch ${one?.item.uri?.split("/").at(-1) ?? "none"} stands` };
    },
  }),
  drop_message: () => ({
    window: "the first report of worker-1 is lost",
    arm: [{ at: REPORT, kind: "drop", nth: FIRST_REPORT }],
    armSecond: [{ at: OTHER_REPORT, kind: "drop" }],
    causes: ["completed", "deadline"],
    observe: (seen) => {
      const lateMs = Math.max(...reportDelays(seen));
      return { holds: lateMs >= 5_000 && lateMs <= 10_000, says: `sent again: the obligation is closed ${lateMs} ms behind its item` };
    },
  }),
  duplicate_message: () => ({
    window: "the first report of worker-1 comes twice",
    arm: [{ at: REPORT, kind: "duplicate", nth: FIRST_REPORT }],
    armSecond: [{ at: OTHER_REPORT, kind: "duplicate" }],
    causes: ["completed"],
    observe: (seen) => {
      const refused = seen.entries("obligation.closed", "refused");
      const closed = seen.entries("obligation.closed").filter(({ changes }) => changes[0]?.id === refused[0]?.changes[0]?.id).length;
      return { holds: refused.length === 1 && closed === 1, says: `closed ${closed} time, ${refused.length} duplicate refused` };
    },
  }),
  tool_hang: (shape) => ({
    window: "a tool never answers, longer than the run",
    arm: [{ at: POINTS.inTool, kind: "hang", nth: SECOND_ROUND[shape] }],
    armSecond: [{ at: POINTS.inTool, kind: "hang" }],
    causes: ["deadline"],
    observe: (seen) => {
      const { stuckAgent, stuckItem, done } = seen.record ?? { stuckAgent: null, stuckItem: null, done: [] };
      const blocked = seen.items.filter(({ status }) => status !== "done").map(({ name }) => name);
      const isBehind = (name: string): boolean => name === stuckItem || (seen.items.find((item) => item.name === name)?.needs.some((need) => blocked.includes(need.slice(need.indexOf("/") + 1))) ?? false);
      // Behind the hung one are what needs it, what needs its lock, and in a run of one agent the rest of its work.
      const lock = seen.items.find(({ name }) => name === stuckItem)?.locks ?? [];
      const sharesLock = (name: string): boolean => seen.items.find((item) => item.name === name)?.locks.some((one) => lock.includes(one)) === true;
      const idle = blocked.filter((name) => !isBehind(name) && !sharesLock(name));
      return { holds: stuckAgent !== null && stuckItem !== null && idle.length === 0, says: `${stuckAgent ?? "nobody"} named with ${stuckItem ?? "nothing"}, ${done.length} of ${seen.items.length} done, ${idle.length} left that did not wait for it` };
    },
  }),
  late_tool_result: () => ({
    window: "a tool answers 130 s behind its limit of 60 s",
    arm: [{ at: POINTS.inTool, kind: "slow", forMs: 150_000 }],
    armSecond: [{ at: POINTS.inTool, kind: "slow", forMs: 150_000 }],
    settings: { toolMs: 60_000 },
    causes: ["completed"],
    observe: (seen) => {
      const late = seen.entries("item.late-result", "refused");
      const item = seen.items.find(({ id }) => id === late[0]?.changes[0]?.id);
      return { holds: late.length === 1 && item?.status === "done" && item.uri?.endsWith("/2") === true, says: `${late.length} late result refused, artefact of epoch ${item?.uri?.split("/").at(-1) ?? "none"} stands` };
    },
  }),
  ledger_blackhole: (shape) => ({
    window: "the ledger is away from 40 s to 910 s, deadline 900 s",
    arm: [{ at: POINTS.afterClaim, kind: "service-away", service: "ledger", forMs: BLACKHOLE_MS, nth: SECOND_ROUND[shape] }],
    armSecond: [{ at: POINTS.afterClaim, kind: "service-away", service: "ledger", forMs: BLACKHOLE_MS }],
    causes: ["unclassified"],
    observe: (seen) => {
      const toldMs = seen.since(seen.logged("cancel-told")[0]?.atMs);
      const writtenMs = seen.since(seen.record?.atMs);
      return { holds: toldMs <= 901_000 && writtenMs >= 910_000 && writtenMs <= 920_000, says: `agents told at ${atText(toldMs)}, record written at ${atText(writtenMs)}` };
    },
  }),
  host_loss: (shape) => ({
    window: "agent's host unreachable for 300 s behind its claim, nothing closed",
    arm: [{ at: POINTS.afterClaim, kind: "host-unreachable", forMs: 300_000, nth: SECOND_ROUND[shape] }],
    armSecond: [{ at: POINTS.afterClaim, kind: "host-unreachable", forMs: 300_000 }],
    causes: ["completed"],
    observe: (seen) => {
      const [one] = seen.reassigned();
      const behindMs = one === undefined ? Number.NaN : one.atMs - one.expiresAtMs;
      const fenced = seen.logged("agent-fenced").filter(({ facts }) => facts["owner"] === one?.owner)[0];
      const fencedMs = fenced === undefined ? Number.NaN : fenced.atMs - Number(fenced.facts["expiredAtMs"]);
      return {
        holds: behindMs >= 0 && behindMs <= 1_000 && one?.expiresAtMs === one!.claimedAtMs + LEASE_MS && fencedMs >= 0 && fencedMs <= 1_000,
        says: `taken back ${atText(behindMs)} behind the expiry by ${one?.why ?? "nobody"}; the cut-off agent stopped itself ${atText(fencedMs)} behind it`,
      };
    },
  }),
  budget_exhausted_in_spawn: (shape) => ({
    window: isOfTokens(shape) ? "a spawn admitted at the limit of the tokens" : "a spawn admitted at the limit of the agents",
    arm: [],
    armSecond: [],
    // A spawn costs 100: of one agent the first call of its tool is too much, of a pipeline the second spawn.
    budget: shape === "one-agent" ? { tokens: 100 } : shape === "pipeline" ? { tokens: 150 } : { agents: { "three-vendors": 2, "spawn-tree": 3 }[shape] },
    causes: [isOfTokens(shape) ? "budget_tokens" : "budget_agents"],
    observe: (seen) => {
      const agents = (seen.snapshot.tables.get("agents") ?? []) as unknown as readonly { readonly owner: string; readonly parent: string }[];
      const orphans = agents.filter(({ parent }) => parent !== "supervisor" && !agents.some(({ owner }) => owner === parent)).length;
      const over = seen.snapshot.journal.filter(({ outcome, why }) => outcome === "refused" && why?.startsWith("over") === true).length;
      return { holds: over >= 1 && orphans === 0 && seen.record?.exhaustedCounter !== null, says: `${over} refused over the limit, counter ${seen.record?.exhaustedCounter ?? "none"} named, ${orphans} children without a parent record` };
    },
  }),
};

function isOfTokens(shape: Shape): boolean {
  return shape === "one-agent" || shape === "pipeline";
}

/** How long behind each finished item its obligation was closed. */
function reportDelays(seen: Seen): readonly number[] {
  return seen.entries("item.done").flatMap(({ atMs, changes }) => {
    const closed = seen.entries("obligation.closed").find((entry) => entry.changes[0]?.id === changes[0]?.id);
    return closed === undefined ? [] : [closed.atMs - atMs];
  });
}
