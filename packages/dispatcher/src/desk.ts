/** What the parts of one dispatcher share, and the small writes that all of them make. */
import { claim, type Lease } from "@casebook/ports";
import type { DispatcherConfig, DispatcherPorts } from "./config.ts";
import { type Attempt, type DispatchState, taskOf } from "./judge/index.ts";
import type { Held, Ledger } from "./ledger.ts";

export interface Desk {
  readonly ports: DispatcherPorts;
  readonly config: DispatcherConfig;
  readonly ledger: Ledger;
  /** Leases that this life took and has not given up, by task. A new life has none, whatever the ledger says. */
  readonly mine: Map<string, Held>;
  /** Sessions whose start was answered when nobody waited any more, by attempt. The next look writes them down, under the lease of then. */
  readonly late: Map<string, string>;
}

export type Taken<T> = { readonly held: Held; readonly isFirst: boolean } | { readonly refused: T | { readonly heldBy: string } };

/** Takes the lease of a task for an attempt, with the next epoch. `objection` is asked on the state that the claim would follow. */
export async function takeLease<T>(desk: Desk, attempt: Pick<Attempt, "id" | "task" | "agent">, objection: (now: DispatchState) => T | undefined): Promise<Taken<T>> {
  const { ledger, config, mine } = desk;
  const { task } = attempt;
  let lease!: Lease;
  let isFirst = false;
  const claimed = await ledger.append<T | { heldBy: string }>((now, nowMs) => {
    const against = objection(now);
    if (against !== undefined) return { refused: against };
    const current = taskOf(now, task).lease;
    const isFree = config.policies.leaseCheck === "none" && current !== undefined ? { ...current, expiresAtMs: nowMs } : current;
    const answer = claim(isFree, config.name, nowMs, config.leaseMs);
    if ("refused" in answer) return { refused: { heldBy: answer.by.owner } };
    lease = answer.lease;
    isFirst = now.attempts.get(attempt.id)?.claims === 0;
    return { kind: "claimed", task, attempt: attempt.id, agent: attempt.agent, owner: lease.owner, epoch: lease.epoch, expiresAtMs: lease.expiresAtMs };
  });
  if ("refused" in claimed) return { refused: claimed.refused };
  const held = { task, attempt: attempt.id, lease };
  mine.set(task, held);
  return { held, isFirst };
}

/** Ends the lease and leaves the attempt open. Who lost it has nothing to give back. */
export async function giveBack({ ledger, mine }: Desk, held: Held, because: string): Promise<void> {
  mine.delete(held.task);
  await ledger.appendUnder(held, () => ({ kind: "given-back", task: held.task, epoch: held.lease.epoch, because: because.slice(0, 2_000) }));
}

/** Writes down why nothing was started, once for each change of the reasons. */
export async function note({ ledger, config }: Desk, task: string, kind: "blocked" | "refused", reasons: readonly string[]): Promise<void> {
  if (config.policies.blocks === "silent") return;
  await ledger.append((now) => (taskOf(now, task)[kind].join("\n") === reasons.join("\n") ? { refused: "known" } : { kind, task, reasons: [...reasons] }));
}
