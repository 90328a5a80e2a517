/**
 * One look at everything: what is new is put on record, what was begun is finished or recovered, what may start is started, what was
 * reviewed is settled, what nobody explains is listed. An event or a timer only says when to look; what is done follows from the facts.
 */
import { errorCode } from "@casebook/ports";
import { type Desk, giveBack, note, takeLease } from "./desk.ts";
import { dispatchTask } from "./dispatch-task.ts";
import { inTime, SILENT } from "./in-time.ts";
import { acceptanceOf, type Attempt, attemptsOf, byText, type DispatchState, findObject, type Folder, type LifecycleReading, type Source, taskOf } from "./judge/index.ts";
import { LedgerError } from "./ledger.ts";
import { finishMove, moveTask } from "./move-task.ts";
import { tendAttempt } from "./tend.ts";
import { lookAtTree, type Look } from "./tree.ts";

export interface ScanReport {
  readonly outcome: "done" | "not-settled";
  /** Files that changed a moment ago: look again soon. */
  readonly young: number;
  readonly failures: readonly { readonly task: string; readonly code: string; readonly says: string }[];
}

/** `inTurn` keeps calls for one task apart. */
export async function scan(desk: Desk, inTurn: <T>(task: string, work: () => Promise<T>) => Promise<T>): Promise<ScanReport> {
  const { ports, config, ledger, mine } = desk;
  const failures: { task: string; code: string; says: string }[] = [];
  await ledger.load();
  await ledger.clean();
  const look = await lookAtTree(ports, config);
  if (look.outcome === "unstable") return { outcome: "not-settled", young: 0, failures };
  const { reading, young } = look;
  await publish(desk, reading);
  for (const held of [...mine.values()]) await guarded(held.task, () => inTurn(held.task, () => tendAttempt(desk, held)));
  const ids = new Set(reading.sources.filter(({ object }) => object.kind === "TASK").map(({ object }) => object.id));
  for (const task of [...ids].toSorted(byText)) await guarded(task, () => inTurn(task, () => attend(desk, task)));
  await listOrphans(desk);
  return { outcome: "done", young: young.length, failures };

  /** What goes wrong with one task is said, and keeps no other from its turn. */
  async function guarded(task: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (failure) {
      if (failure instanceof LedgerError && failure.code === "LEDGER_DAMAGED") throw failure;
      const code = errorCode(failure) || "UNKNOWN";
      failures.push({ task, code, says: failure instanceof Error ? failure.message : String(failure) });
      ports.log.write("error", "dispatcher.task-failed", { task, code });
    }
  }
}

/** A disputed id is nobody's: its texts are not put on record as what it means. */
async function publish({ ledger, ports }: Desk, reading: LifecycleReading): Promise<void> {
  const state = await ledger.load();
  for (const { object, path } of reading.sources) {
    if (findObject(reading, object.id).found !== "one") continue;
    const known = state.published.get(object.id);
    if (known === undefined) {
      await ledger.append((now) => (now.published.has(object.id) ? { refused: "known" } : { kind: "published", object: object.id, revision: object.revision, path, what: object.kind }));
    } else if (known.revision !== object.revision) {
      ports.log.write("error", "dispatcher.edited", { object: object.id, path, published: known.revision, now: object.revision });
    }
  }
}

async function attend(desk: Desk, task: string): Promise<void> {
  const { ports, config, ledger } = desk;
  const look = await lookAtTree(ports, config);
  if (look.outcome === "unstable") return;
  const state = await ledger.load();
  const last = attemptsOf(state, task).at(-1);
  const { lease } = taskOf(state, task);
  const isHeldNow = lease !== undefined && ports.clock.now() < lease.expiresAtMs;
  // Ours is looked at all the same: it may have been claimed and not started.
  if (isHeldNow && config.policies.leaseCheck === "held-refuses" && desk.mine.get(task)?.lease.epoch !== lease.epoch) return;
  const found = findObject(look.reading, task);
  const ask = (because: string): Promise<unknown> => dispatchTask(desk, { task, because, look });
  // This life tends to it.
  if (last?.status === "running" && isHeldNow && config.policies.leaseCheck === "held-refuses") return;
  if (last !== undefined && (last.status === "claimed" || last.status === "running" || last.status === "offered")) return void (await ask("scan: an attempt is open"));
  if (found.found !== "one") return void (await ask("scan"));
  const { source } = found;
  // Between its rename and the record of it, somebody died: nothing else is done with it before.
  if (last !== undefined && taskOf(state, task).moving?.to === source.folder) return finishOpenMove(desk, source, last);
  if (last !== undefined && last.status === "reported" && (source.folder === "review" || source.folder === "active")) return settle(desk, look, state, source, last);
  if (last?.status === "settled" && source.folder === "review") return place(desk, source, last, "done");
  if (last?.status === "rejected" && source.folder === "review") {
    await place(desk, source, last, "active");
    return;
  }
  // What failed, and what was superseded, waits for a person and a new key.
  const isWaiting = last?.status === "session_failed" || last?.status === "superseded" || last?.status === "expired";
  const isOffered = source.folder === "inbox" || source.folder === "active";
  if (isOffered && (!isWaiting || config.policies.keys === "fresh-each-call")) await ask(last?.status === "rejected" ? "scan: rework" : "scan");
}

async function settle(desk: Desk, look: Look & { outcome: "read" }, state: DispatchState, source: Source, attempt: Attempt): Promise<void> {
  const { ports, config, ledger } = desk;
  const { id: task } = source.object;
  const before = attemptsOf(state, task).flatMap(({ status, endedBecause }) => (status === "rejected" || status === "settled" ? [endedBecause ?? ""] : []));
  const asked = { reading: look.reading, state, trust: config.trust, policies: config.policies, nowMs: ports.clock.now() };
  const acceptance = acceptanceOf(attempt, before, asked);
  if (acceptance.verdict === "open") {
    if (/does not count|disagree/.test(acceptance.because)) await note(desk, task, "blocked", [acceptance.because]);
    return;
  }
  const status = acceptance.verdict === "accepted" ? "settled" : "rejected";
  const taken = await takeLease(desk, { id: attempt.id, task, agent: config.name }, (now) => (now.attempts.get(attempt.id)?.status === "reported" ? undefined : "over"));
  if (!("held" in taken)) return;
  const { held } = taken;
  await ledger.appendUnder(held, () => ({ kind: "reviewed", task, attempt: attempt.id, status, review: acceptance.review }));
  if (status === "rejected") {
    const because = `${acceptance.review} by ${acceptance.by}`;
    await ledger.appendUnder(held, () => ({ kind: "decided", task, attempt: attempt.id, outcome: "rework", because, mayDecide: "the dispatcher" }));
  }
  await ports.faults.reach("dispatcher.after-review");
  const to: Folder = status === "settled" ? "done" : "active";
  if (source.folder !== to) await moveTask(ports, config, ledger, held, source, to);
  await giveBack(desk, held, `${status} by ${acceptance.review}`);
}

/** A review was put on record, and the task was not moved. */
async function place(desk: Desk, source: Source, attempt: Attempt, to: Folder): Promise<void> {
  const { ports, config, ledger } = desk;
  const taken = await takeLease(desk, { id: attempt.id, task: source.object.id, agent: config.name }, () => undefined);
  if (!("held" in taken)) return;
  await moveTask(ports, config, ledger, taken.held, source, to);
  await giveBack(desk, taken.held, `moved to ${to}`);
}

async function finishOpenMove(desk: Desk, { object, folder }: Source, attempt: Attempt): Promise<void> {
  const { ports, config, ledger } = desk;
  const taken = await takeLease(desk, { id: attempt.id, task: object.id, agent: config.name }, () => undefined);
  if (!("held" in taken)) return;
  await finishMove(ports, config, ledger, taken.held, folder);
  await giveBack(desk, taken.held, `the move to ${folder} is on record`);
}

/** A session that no attempt names, or a second one of an attempt: whose it is, and what to do with it, a person says. */
async function listOrphans(desk: Desk): Promise<void> {
  const { ports, config, ledger } = desk;
  if (config.policies.orphans === "unseen") return;
  const listed = await inTime(desk, () => ports.sessions.list()).catch((failure: unknown) => ({ outcome: "failed", code: errorCode(failure) || "UNKNOWN" }) as const);
  if (listed.outcome !== "done") return ports.log.write("warning", "dispatcher.runtime-silent", { code: listed.outcome === "failed" ? listed.code : SILENT });
  for (const { id, key, task, attempt } of listed.value.toSorted((one, other) => byText(one.id, other.id))) {
    await ledger.append((now) => {
      const own = [...now.attempts.values()].find((one) => one.key === key);
      const isExplained = own !== undefined && (own.session === undefined || own.session === id);
      if (isExplained || now.orphans.has(id)) return { refused: "known" };
      const adopted = config.policies.orphans === "adopted" ? attemptsOf(now, task).at(-1) : undefined;
      if (adopted !== undefined) return { kind: "started", task, attempt: adopted.id, epoch: 1, session: id, how: "adopted" };
      return { kind: "orphan-seen", session: id, task: task === "" ? attempt : task };
    });
  }
}
