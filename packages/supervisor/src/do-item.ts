/**
 * What an agent does with one item: claim, locks, tool, artefact, transition, release. Every write carries the epoch of the claim, and
 * holds only while the run runs. Leaves out what the tool is.
 */
import { claim, type Lease, type LedgerChange, type LedgerFields, type TransitionAnswer } from "@casebook/ports";
import { attempt, createStop, fewCalls, persist, type Stop } from "./bounded.ts";
import { holdLease, leaseOf } from "./hold-lease.ts";
import type { Counter, ItemRow, LockRow, RunRow } from "./judge/index.ts";
import { POINTS } from "./points.ts";
import type { SupervisorPorts } from "./supervisor-ports.ts";
import type { SupervisorSettings } from "./settings.ts";

export interface Worker {
  readonly ports: SupervisorPorts;
  readonly settings: SupervisorSettings;
  readonly run: RunRow;
  readonly owner: string;
  readonly name: string;
  readonly stop: Stop;
}

export type ItemEnd =
  | { readonly outcome: "done" | "failed" }
  | { readonly outcome: "exhausted"; readonly counter: Counter }
  /** Somebody else has it, the run is over, the agent was stopped, or this attempt was given up. */
  | { readonly outcome: "left"; readonly why: string };

export const NOT_CLAIMED = "not-claimed";

/** Between two looks at a lock that another holds. */
const LOCK_POLL_MS = 5_000;

export async function doItem(worker: Worker, id: string): Promise<ItemEnd> {
  const { ports, settings, stop } = worker;
  const claimed = await claimItem(worker, id);
  if (claimed === undefined) return { outcome: "left", why: NOT_CLAIMED };
  const { item, lease } = claimed;
  const over = createStop();
  try {
    await ports.faults.reach(POINTS.afterClaim);
    void holdLease(ports, settings, item, lease, over, stop);
    return await Promise.race([work(worker, item, lease, over), stop.stopped.then((): ItemEnd => ({ outcome: "left", why: "stopped" }))]);
  } finally {
    over.stop("over");
  }
}

async function claimItem({ ports, settings, run, owner, stop }: Worker, id: string): Promise<{ item: ItemRow; lease: Lease } | undefined> {
  const { ledger, clock } = ports;
  const read = await attempt(ports, settings.callMs, () => ledger.read("items", id));
  const row = read.outcome === "done" ? (read.value as ItemRow | undefined) : undefined;
  if (row === undefined || row.status !== "open") return undefined;
  const taken = claim(leaseOf({ ...row, expiresAtMs: 0, owner: row.owner ?? "nobody" }), owner, clock.now(), settings.leaseMs);
  if (!("lease" in taken)) return undefined;
  const set = { status: "claimed", ...taken.lease, claimedAtMs: clock.now() };
  const { epoch } = taken.lease;
  const options = { ...fewCalls(ports, settings, run), signal: stop.signal };
  const written = await persist(ports, options, () => ledger.transition("item.claimed", [{ table: "items", id, when: { status: "open", epoch: row.epoch }, set: set as unknown as LedgerFields }, whileRunning(run)]));
  // Nobody knows whether it was carried out: then the claim is left to expire.
  if (written === undefined) return undefined;
  const isOwn = written.outcome === "applied" || (written.at === 0 && written.row?.["status"] === "claimed" && written.row["owner"] === owner && written.row["epoch"] === epoch);
  if (!isOwn) return undefined;
  ports.log.write("info", "supervisor.item-claimed", { item: id, owner, epoch });
  return { item: { ...row, ...set } as ItemRow, lease: taken.lease };
}

async function work(worker: Worker, item: ItemRow, lease: Lease, over: Stop): Promise<ItemEnd> {
  const { ports, settings, stop } = worker;
  for (const lock of item.locks) if (!(await takeLock(worker, lock))) return { outcome: "left", why: "no-lock" };
  const exhausted = await charge(worker, item, lease);
  if (exhausted !== undefined) return exhausted;
  const calling = callTool(worker, item);
  const answer = await attempt(ports, settings.toolMs, () => calling);
  if (stop.reason !== undefined) return { outcome: "left", why: stop.reason };
  if (answer.outcome === "failed") {
    // Before it is given back: a renewal that finds it given back would take its own agent for one that lost it.
    over.stop("left");
    const leaving = leaveAttempt(worker, item, lease, answer.why);
    // Behind the giving back: as long as the claim stands, the ledger would take what comes late for the item's result, and no artefact is behind it.
    if (answer.why === "deadline") void Promise.all([calling, leaving]).then(([result, { isLeft }]) => (isLeft ? noteLateResult(worker, item, lease, result) : undefined), () => undefined);
    return (await leaving).end;
  }
  return finish(worker, item, lease, answer.value);
}

/** Waits as long as the run lasts, and says for whom. */
async function takeLock({ ports, settings, run, owner, stop }: Worker, lock: string): Promise<boolean> {
  const { ledger, clock } = ports;
  const wait = (kind: "lock" | "none", sinceMs: number) => attempt(ports, settings.callMs, () => ledger.transition("wait.noted", [{ table: "waits", id: owner, when: "any", set: { run: run.id, owner, kind, target: lock, sinceMs } }, whileRunning(run)]));
  let sinceMs: number | undefined;
  while (stop.reason === undefined && clock.now() < run.deadlineAtMs + settings.graceMs) {
    const taken = await attempt(ports, settings.callMs, () => ledger.transition("lock.taken", [{ table: "locks", id: lock, when: { holder: null }, set: { run: run.id, holder: owner } }, whileRunning(run)]));
    const isTaken = taken.outcome === "done" && (taken.value.outcome === "applied" || (taken.value.row as LockRow | undefined)?.holder === owner);
    if (isTaken) {
      if (sinceMs !== undefined) await wait("none", clock.now());
      return true;
    }
    if (sinceMs === undefined) {
      sinceMs = clock.now();
      await wait("lock", sinceMs);
    }
    await clock.sleep(LOCK_POLL_MS, stop.signal);
  }
  return false;
}

/** Once for each claim, whatever becomes of the answer: the claim notes that it is charged, and a second try finds that note. */
async function charge({ ports, settings, run, stop }: Worker, item: ItemRow, { owner, epoch }: Lease): Promise<ItemEnd | undefined> {
  const { maxTokens, maxToolCalls } = run;
  const changes: readonly LedgerChange[] = [
    { table: "items", id: item.id, when: { status: "claimed", owner, epoch, chargedEpoch: item.chargedEpoch }, set: { chargedEpoch: epoch } },
    { ...whileRunning(run), add: { toolCalls: 1, tokens: item.tokens }, atMost: { toolCalls: maxToolCalls, tokens: maxTokens } },
  ];
  const charged = await persist(ports, { callMs: settings.callMs, untilMs: run.deadlineAtMs, signal: stop.signal }, () => ports.ledger.transition("budget.charged", changes));
  if (charged === undefined) return { outcome: "left", why: "not-charged" };
  if (charged.outcome === "applied") return undefined;
  if (charged.at === 0) return charged.row?.["chargedEpoch"] === epoch && charged.row["owner"] === owner ? undefined : { outcome: "left", why: "not-its-own" };
  return charged.why === "over" ? { outcome: "exhausted", counter: charged.field as Counter } : { outcome: "left", why: "run-is-over" };
}

async function callTool({ ports, owner }: Worker, item: ItemRow): Promise<string> {
  await ports.faults.reach(POINTS.inTool);
  if (ports.tool !== undefined) return ports.tool.call(item.name);
  await ports.clock.sleep(item.toolMs);
  return `${item.id} by ${owner}`;
}

async function finish(worker: Worker, item: ItemRow, lease: Lease, result: string): Promise<ItemEnd> {
  const { ports, settings, run, stop } = worker;
  const { policies } = settings;
  const uri = `${item.id}/${lease.epoch}`;
  const options = { callMs: settings.callMs, untilMs: run.deadlineAtMs + settings.graceMs / 2, signal: stop.signal };
  const put = (): Promise<unknown> => persist(ports, options, () => ports.artefacts.put(uri, result).then(() => true));
  const close = (): Promise<TransitionAnswer | undefined> => persist(ports, options, () => closeOnce(worker, item, lease, { status: "done", uri }, "item.done"));
  let closed: TransitionAnswer | undefined;
  if (policies.finishOrder === "artefact-first") {
    if ((await put()) === undefined) return { outcome: "left", why: "no-artefact" };
    await ports.faults.reach(POINTS.afterArtefact);
    closed = await close();
  } else {
    closed = await close();
    await ports.faults.reach(POINTS.afterArtefact);
    await put();
  }
  await ports.faults.reach(POINTS.afterTransition);
  await releaseLocks(worker, item);
  if (closed?.outcome === "applied") return { outcome: "done" };
  ports.log.write("warning", "supervisor.result-refused", { item: item.id, owner: lease.owner, epoch: lease.epoch });
  return { outcome: "left", why: "refused" };
}

/** Under the fence of the policy. A second try after a lost answer finds its own write, and counts as applied. */
async function closeOnce({ ports, settings, run }: Worker, item: ItemRow, { owner, epoch }: Lease, set: LedgerFields, reason: string): Promise<TransitionAnswer> {
  const { fence } = settings.policies;
  const count = set["status"] === "done" ? { itemsDone: 1 } : { itemsFailed: 1 };
  const when = fence === "owner-and-epoch" ? { status: "claimed", owner, epoch } : fence === "owner-name" ? { owner } : {};
  const answer = await ports.ledger.transition(reason, [{ table: "items", id: item.id, when, set }, { ...(fence === "none" ? { ...whileRunning(run), when: {} } : whileRunning(run)), add: count }]);
  if (answer.outcome === "applied" || answer.at !== 0) return answer;
  const isOwn = answer.row?.["status"] === set["status"] && answer.row?.["uri"] === (set["uri"] ?? null) && answer.row?.["epoch"] === epoch;
  return isOwn ? { outcome: "applied", rows: [answer.row] } : answer;
}

/** The tool failed, or took too long: somebody may try again, unless it was tried often enough. `isLeft`: the ledger has said that the claim does not stand any more. */
async function leaveAttempt(worker: Worker, item: ItemRow, lease: Lease, why: string): Promise<{ readonly end: ItemEnd; readonly isLeft: boolean }> {
  const { ports, settings, run, stop } = worker;
  const isLast = lease.epoch >= settings.maxAttempts;
  const options = { callMs: settings.callMs, untilMs: run.deadlineAtMs, signal: stop.signal };
  const when = { status: "claimed", owner: lease.owner, epoch: lease.epoch };
  const left = await persist(ports, options, () =>
    isLast
      ? closeOnce(worker, item, lease, { status: "failed" }, "item.failed")
      : ports.ledger.transition("item.attempt-left", [{ table: "items", id: item.id, when, set: { status: "open", owner: null, expiresAtMs: 0 } }, whileRunning(run)]),
  );
  await releaseLocks(worker, item);
  const isFailed = isLast && left?.outcome === "applied";
  return { end: isFailed ? { outcome: "failed" } : { outcome: "left", why }, isLeft: left?.outcome === "applied" || left?.at === 0 };
}

/** It came when the item was no longer this attempt's. Whether that matters is for the ledger to say. */
async function noteLateResult({ ports, settings }: Worker, item: ItemRow, { owner, epoch }: Lease, result: string): Promise<void> {
  const uri = `${item.id}/late-${epoch}`;
  if (settings.policies.fence === "none") {
    await attempt(ports, settings.callMs, () => ports.artefacts.put(uri, `${result}, late`));
    await attempt(ports, settings.callMs, () => ports.ledger.transition("item.late-result", [{ table: "items", id: item.id, when: {}, set: { status: "done", uri } }]));
    return;
  }
  const when = settings.policies.fence === "owner-name" ? { owner } : { status: "claimed", owner, epoch };
  await attempt(ports, settings.callMs, () => ports.ledger.transition("item.late-result", [{ table: "items", id: item.id, when, set: { status: "done", uri } }]));
}

async function releaseLocks({ ports, settings, run, owner }: Worker, { locks }: ItemRow): Promise<void> {
  for (const lock of locks) {
    await persist(ports, { callMs: settings.callMs, untilMs: run.deadlineAtMs }, () => ports.ledger.transition("lock.released", [{ table: "locks", id: lock, when: { holder: owner }, set: { run: null, holder: null } }]));
  }
}

/** The fence of the run: nothing is changed for one that is over. */
export function whileRunning({ id }: Pick<RunRow, "id">): LedgerChange {
  return { table: "runs", id, when: { state: "running" } };
}
