/** Why a run that did not complete stands still, from its rows alone. */
import type { Cause } from "../rules/index.ts";
import type { AgentRow, ItemRow, LockRow, RunRow, WaitRow } from "./rows.ts";
import { waitCycle, waitEdges } from "./wait-graph.ts";

export interface RunPicture {
  readonly run: RunRow;
  readonly items: readonly ItemRow[];
  readonly agents: readonly AgentRow[];
  readonly locks: readonly LockRow[];
  readonly waits: readonly WaitRow[];
}

export interface Classification {
  readonly cause: Cause;
  readonly stuckAgent: string | null;
  readonly stuckItem: string | null;
  readonly cycle: readonly string[];
}

export const UNCLASSIFIED: Classification = { cause: "unclassified", stuckAgent: null, stuckItem: null, cycle: [] };

/** `unclassified` where the picture lacks items of the run; `completed` where everything is done and only the record is missing; `deadlock` before `deadline`, because it names the reason. */
export function classify({ run, items, agents, locks, waits }: RunPicture): Classification {
  // A stale picture: of no items at all every one would be done.
  if (items.length < run.itemsTotal) return UNCLASSIFIED;
  if (items.every(({ status }) => status === "done")) return { cause: "completed", stuckAgent: null, stuckItem: null, cycle: [] };
  if (items.every(({ status }) => status === "done" || status === "failed")) return { cause: "failed", stuckAgent: null, stuckItem: null, cycle: [] };
  const nameOf = (owner: string): string => agents.find((agent) => agent.owner === owner)?.name ?? owner;
  const cycle = waitCycle(waitEdges(waits, locks, items)).map(nameOf);
  // By the claim and not by the expiry: an agent whose tool hangs renews its lease like any other.
  const stuck = items.filter(({ status }) => status === "claimed").toSorted((one, two) => one.claimedAtMs - two.claimedAtMs || (one.id < two.id ? -1 : 1))[0];
  const owner = stuck?.owner ?? null;
  return {
    cause: cycle.length > 0 ? "deadlock" : "deadline",
    stuckAgent: owner === null ? null : nameOf(owner),
    stuckItem: stuck?.name ?? null,
    cycle,
  };
}
