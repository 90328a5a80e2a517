/**
 * The successor: looks after the deadline and the grace whether the run was ended, and ends it under the same predicate if nobody did.
 * It knows nothing but the ledger. It may be one too many: then it loses, and writes nothing.
 */
import { persist } from "./bounded.ts";
import { cancelRun } from "./cancel-run.ts";
import { settleRun } from "./end-run.ts";
import type { RunRow } from "./judge/index.ts";
import type { SupervisorPorts } from "./supervisor-ports.ts";
import type { SupervisorSettings } from "./settings.ts";

export type Succession = "was-in-order" | "settled" | "ended" | "unknown-run" | "gave-up";

/** `deadlineAtMs`: of the run, as whoever began it said; the successor may be there before the run is. */
export async function succeedRun(ports: SupervisorPorts, settings: SupervisorSettings, run: { readonly id: string; readonly deadlineAtMs: number }): Promise<Succession> {
  if (settings.policies.succession === "none") return "was-in-order";
  const { clock, ledger } = ports;
  await clock.sleep(Math.max(0, run.deadlineAtMs + settings.graceMs - clock.now()));
  const untilMs = run.deadlineAtMs + settings.patienceMs;
  const read = await persist(ports, { callMs: settings.callMs, untilMs }, async () => ({ row: (await ledger.read("runs", run.id)) as RunRow | undefined }));
  if (read === undefined) return "gave-up";
  const { row } = read;
  if (row === undefined) return "unknown-run";
  if (row.state !== "running") {
    if (row.isSettled) return "was-in-order";
    return (await settleRun(ports, settings, row)) === "settled" ? "settled" : "gave-up";
  }
  const { outcome } = await cancelRun(ports, settings, row, { kind: "deadline" }, []);
  return outcome === "not-written" ? "gave-up" : "ended";
}
