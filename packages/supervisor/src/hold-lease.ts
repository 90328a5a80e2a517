/**
 * Keeps the lease on an item while it is worked on, and fences its own holder: one that cannot renew stops itself at its expiry, by its
 * own clock, and needs nobody to tell it.
 */
import { type Lease, renew } from "@casebook/ports";
import { attempt, type Stop } from "./bounded.ts";
import type { ItemRow } from "./judge/index.ts";
import { POINTS } from "./points.ts";
import type { SupervisorPorts } from "./supervisor-ports.ts";
import type { SupervisorSettings } from "./settings.ts";

/** Between two tries at a renewal that failed. */
const RETRY_MS = 2_000;

export function leaseOf({ owner, epoch, expiresAtMs }: ItemRow): Lease | undefined {
  return owner === null ? undefined : { owner, epoch, expiresAtMs };
}

/** Runs beside the work until `until` stops; stops `agent` when the lease is lost. */
export async function holdLease(ports: SupervisorPorts, settings: SupervisorSettings, item: ItemRow, first: Lease, until: Stop, agent: Stop): Promise<void> {
  let held = first;
  let pauseMs = settings.heartbeatMs;
  const leftMs = (): number => held.expiresAtMs - ports.clock.now();
  while (until.reason === undefined) {
    await ports.clock.sleep(Math.max(0, Math.min(pauseMs, leftMs())), until.signal);
    if (until.reason !== undefined) return;
    if (leftMs() > 0) {
      await ports.faults.reach(POINTS.beforeRenewal);
      const renewed = await attempt(ports, Math.min(settings.callMs, leftMs()), () => renewOnce(ports, settings, item, held));
      if (until.reason !== undefined) return;
      const answer = renewed.outcome === "done" ? renewed.value : "unknown";
      if (answer === "closed") return;
      if (typeof answer === "object") held = answer;
      pauseMs = typeof answer === "object" ? settings.heartbeatMs : RETRY_MS;
      if (answer !== "refused" && leftMs() > 0) continue;
    }
    if (settings.policies.agentStops === "when-told") return;
    ports.log.write("warning", "supervisor.agent-fenced", { item: item.id, owner: held.owner, epoch: held.epoch, expiredAtMs: held.expiresAtMs });
    return agent.stop("fenced");
  }
}

/** `refused`: nothing will bring it back. `closed`: the work beside it has just ended the item under this very claim. */
async function renewOnce(ports: SupervisorPorts, settings: SupervisorSettings, { id, run }: ItemRow, held: Lease): Promise<Lease | "refused" | "closed"> {
  const refusal = (row: ItemRow | undefined): "refused" | "closed" => ((row?.status === "done" || row?.status === "failed") && row.epoch === held.epoch ? "closed" : "refused");
  const row = (await ports.ledger.read("items", id)) as ItemRow | undefined;
  if (row === undefined || row.status !== "claimed") return refusal(row);
  const renewed = renew(leaseOf(row), held, ports.clock.now(), settings.leaseMs);
  if (!("lease" in renewed)) return "refused";
  const { owner, epoch, expiresAtMs } = renewed.lease;
  const answer = await ports.ledger.transition("lease.renewed", [
    { table: "items", id, when: { status: "claimed", owner, epoch }, set: { expiresAtMs } },
    { table: "runs", id: run, when: { state: "running" } },
  ]);
  if (answer.outcome === "applied") return renewed.lease;
  return answer.at === 0 ? refusal(answer.row as ItemRow | undefined) : "refused";
}
