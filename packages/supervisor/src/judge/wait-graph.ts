/**
 * Who waits for whom, as a graph of owners, and the cycle in it, if there is one. An owner waits for who holds the lock, or has claimed
 * the item, that it waits for. Leaves out waits for things outside of the ledger, such as a tool.
 */
import type { ItemRow, LockRow, WaitRow } from "./rows.ts";

export interface WaitEdge {
  readonly from: string;
  readonly to: string;
  /** `lock left`, `item plan`. */
  readonly over: string;
  readonly sinceMs: number;
}

export function waitEdges(waits: readonly WaitRow[], locks: readonly LockRow[], items: readonly ItemRow[]): readonly WaitEdge[] {
  return waits.flatMap(({ kind, owner, target, sinceMs }) => {
    const holder = kind === "lock" ? locks.find(({ id }) => id === target)?.holder : kind === "item" ? items.find(({ id, status }) => id === target && status === "claimed")?.owner : undefined;
    return holder === undefined || holder === null || holder === owner ? [] : [{ from: owner, to: holder, over: `${kind} ${target}`, sinceMs }];
  });
}

/** Participants of the first cycle, beginning with the smallest name, each waiting for the next; empty without one. */
export function waitCycle(edges: readonly WaitEdge[]): readonly string[] {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to].sort());
  for (const start of [...next.keys()].sort()) {
    const cycle = pathBack(start, next);
    if (cycle !== undefined) return cycle;
  }
  return [];
}

/** Depth first; a node that led nowhere is not tried again. */
function pathBack(start: string, next: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const seen = new Set<string>();
  const walk = (at: string, path: readonly string[]): readonly string[] | undefined => {
    for (const to of next.get(at) ?? []) {
      if (to === start) return path;
      if (seen.has(to)) continue;
      seen.add(to);
      const found = walk(to, [...path, to]);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return walk(start, [start]);
}
