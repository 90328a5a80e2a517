/** Looks after what this life has started: renews its leases while the sessions run, and finishes what has ended. */
import { isHeld, renew } from "@casebook/ports";
import { askRuntime } from "./ask-runtime.ts";
import type { Desk } from "./desk.ts";
import { finishAttempt } from "./finish-attempt.ts";
import { decideRecovery, taskOf } from "./judge/index.ts";
import type { Held } from "./ledger.ts";

export async function tendAttempt(desk: Desk, held: Held): Promise<void> {
  const { ports, config, ledger, mine } = desk;
  const { task } = held;
  const state = await ledger.load();
  const attempt = state.attempts.get(held.attempt);
  if (taskOf(state, task).unsupported !== undefined) return;
  if (attempt === undefined || !isHeld(taskOf(state, task).lease, held.lease, ports.clock.now())) return void mine.delete(task);
  // Claimed and not started: a call for the task goes on from there.
  if (attempt.status !== "running") return;
  const { says } = await askRuntime(desk, attempt);
  if (says === "ended") return void (await finishAttempt(desk, held, attempt.id));
  const { outcome, because, mayDecide } = decideRecovery(attempt, says, config.trust.reviewers);
  const known = taskOf(state, task).decision;
  const isAsked = known?.attempt === attempt.id && known.outcome === "needs-human";
  // That it runs is no news, unless somebody was asked what became of it.
  if (says === "running" && !isAsked) return keep(desk, held);
  if (known?.attempt !== attempt.id || known.because !== because) {
    await ledger.appendUnder(held, () => ({ kind: "decided", task, attempt: attempt.id, outcome, because, mayDecide }));
  }
  if (says === "running") return keep(desk, held);
  if (outcome !== "stop") return;
  await ledger.appendUnder(held, () => ({ kind: "ended", task, attempt: attempt.id, epoch: held.lease.epoch, status: "session_failed", because }));
  mine.delete(task);
}

/** At half of its time. */
async function keep({ ports, config, ledger, mine }: Desk, held: Held): Promise<void> {
  const nowMs = ports.clock.now();
  if (held.lease.expiresAtMs - nowMs > config.leaseMs / 2) return;
  const { lease } = held;
  const renewed = await ledger.append<string>((now, atMs) => {
    const answer = renew(taskOf(now, held.task).lease, lease, atMs, config.leaseMs);
    return "refused" in answer ? { refused: answer.refused } : { kind: "renewed", task: held.task, epoch: lease.epoch, expiresAtMs: answer.lease.expiresAtMs };
  });
  if ("refused" in renewed) {
    mine.delete(held.task);
    return ports.log.write("warning", "dispatcher.late-write-refused", { task: held.task, attempt: held.attempt, epoch: lease.epoch });
  }
  const { record } = renewed;
  if (record.kind === "renewed") mine.set(held.task, { ...held, lease: { ...lease, expiresAtMs: record.expiresAtMs } });
}
