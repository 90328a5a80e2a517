/**
 * One call for one task, in two phases: the intent on record (offer, claim), the start, the session on record. Every port call in
 * between may be the last; whoever comes next decides from what is on the disk and from what the runtime says. Not exactly once: a
 * start is tried at least once, under one key, and where a runtime keeps no keys a person is asked. Where it keeps them without
 * honouring them, a holder that stops between its last look and the start, for longer than its lease, still starts a second one.
 */
import { errorCode, isHeld, type WithinDeadline } from "@casebook/ports";
import { askRuntime, type Evidence } from "./ask-runtime.ts";
import { type Desk, giveBack, note, takeLease } from "./desk.ts";
import { finishAttempt } from "./finish-attempt.ts";
import { inTime, SILENT } from "./in-time.ts";
import { type Attempt, attemptsOf, type Decision, decideRecovery, type DispatchState, findObject, type Permit, permitFor, taskOf } from "./judge/index.ts";
import type { Held } from "./ledger.ts";
import { finishMove, moveTask } from "./move-task.ts";
import { lookAtTree, type Look } from "./tree.ts";

export type DispatchAnswer =
  | { readonly outcome: "dispatched"; readonly attempt: string; readonly session: string; readonly how: "started" | "adopted" }
  /** There is an attempt with this key, or one that holds the task. Not the same as "it is running". */
  | { readonly outcome: "already-dispatched"; readonly attempt: string; readonly status: Attempt["status"] }
  | { readonly outcome: "blocked" | "refused"; readonly reasons: readonly string[] }
  | { readonly outcome: "over" | "needs-human"; readonly attempt: string; readonly because: string }
  /** Started perhaps: the answer was lost, or did not come in time. The next call finds out. */
  | { readonly outcome: "unknown"; readonly attempt: string; readonly code: string }
  /** Another has the lease by now; what was started under it is found by its key. */
  | { readonly outcome: "lease-lost"; readonly attempt: string }
  /** The folders, or the file, are being written. */
  | { readonly outcome: "not-settled"; readonly because: string };

export interface Call {
  readonly task: string;
  /** The rationale: who asked, or what was seen. */
  readonly because: string;
  /** Of the command that asks; left out, of the task's round, so that a wake and a scan are one intent. */
  readonly key?: string | undefined;
  /** A look that the caller has just taken. */
  readonly look?: (Look & { readonly outcome: "read" }) | undefined;
}

export async function dispatchTask(desk: Desk, call: Call): Promise<DispatchAnswer> {
  const { ports, config, ledger } = desk;
  const { task, because } = call;
  ports.log.write("info", "dispatcher.entered", { task, because });
  const look = call.look ?? (await lookAtTree(ports, config));
  if (look.outcome === "unstable") return { outcome: "not-settled", because: look.says };
  const state = await ledger.load();
  // What this version cannot read may be the very thing that forbids it; that holds for what was begun as well.
  const { unsupported } = taskOf(state, task);
  if (unsupported !== undefined) return notPermitted(desk, task, { permit: "refused", reasons: [`the ledger has ${unsupported}`] });
  const permitIn = (now: DispatchState): Permit => permitFor(task, { reading: look.reading, state: now, trust: config.trust, policies: config.policies, nowMs: ports.clock.now() });
  const key = config.policies.keys === "reused" ? (call.key ?? keyOfRound(state, task)) : ports.ids.next("key");

  let attempt = standing(state, task, key);
  if (attempt === undefined) {
    if (findObject(look.reading, task).found === "none" && look.young.length > 0) return { outcome: "not-settled", because: `${look.young.length} files changed a moment ago` };
    const offered = await offer();
    if ("answer" in offered) return offered.answer;
    attempt = offered.attempt;
    await ports.faults.reach("dispatcher.after-offer");
  }
  const taken = await take(desk, attempt, permitIn);
  if ("answer" in taken) return taken.answer;
  await ports.faults.reach("dispatcher.after-intent");
  return taken.isFirst ? start(desk, taken.held, attempt) : recover(desk, taken.held, attempt);

  async function offer(): Promise<{ attempt: Attempt } | { answer: DispatchAnswer }> {
    const id = ports.ids.next("attempt");
    const offered = await ledger.append<{ standing: Attempt } | { permit: Permit }>((now) => {
      const other = standing(now, task, key);
      if (other !== undefined) return { refused: { standing: other } };
      // A runtime that honours keys would answer with the other task's session.
      const namesake = [...now.attempts.values()].find((one) => one.key === key);
      if (namesake !== undefined) return { refused: { permit: { permit: "refused", reasons: [`the key ${JSON.stringify(key)} stands for ${namesake.task}`] } } };
      const permit = permitIn(now);
      if (permit.permit !== "given") return { refused: { permit } };
      const { revision, to } = permit.source.object;
      return { kind: "offered", task, attempt: id, revision, agent: to, key, because };
    });
    if (!("refused" in offered)) return { attempt: offered.state.attempts.get(id) as Attempt };
    if ("standing" in offered.refused) return { attempt: offered.refused.standing };
    return { answer: await notPermitted(desk, task, offered.refused.permit) };
  }
}

/** One intent for each round of a task: the first, and one more for each rejection. */
function keyOfRound(state: DispatchState, task: string): string {
  return `${task}#${taskOf(state, task).rounds + 1}`;
}

/** An attempt that is open decides over the task, whatever its key; else the one with this key. */
function standing(state: DispatchState, task: string, key: string): Attempt | undefined {
  const own = attemptsOf(state, task);
  return own.findLast(isOpen) ?? own.find((attempt) => attempt.key === key);
}

function isOpen({ status }: Attempt): boolean {
  return status === "offered" || status === "claimed" || status === "running";
}

async function notPermitted(desk: Desk, task: string, permit: Permit): Promise<DispatchAnswer> {
  if (permit.permit === "given") throw new Error("a permit that was given was reported as missing");
  await note(desk, task, permit.permit, permit.reasons);
  return { outcome: permit.permit, reasons: permit.reasons };
}

async function take(desk: Desk, { id, task }: Attempt, permitIn: (now: DispatchState) => Permit): Promise<{ held: Held; isFirst: boolean } | { answer: DispatchAnswer }> {
  const { ports, ledger, mine } = desk;
  const state = await ledger.load();
  const attempt = state.attempts.get(id) as Attempt;
  const already = { answer: { outcome: "already-dispatched", attempt: id, status: attempt.status } } as const;
  if (!isOpen(attempt)) return already;
  const own = mine.get(task);
  if (own !== undefined && isHeld(taskOf(state, task).lease, own.lease, ports.clock.now())) {
    // Claimed in this life, and the call did not come to its end. Its turn is over, so nobody else here is at it.
    return attempt.status === "claimed" ? { held: own, isFirst: false } : already;
  }
  const taken = await takeLease(desk, attempt, (now) => {
    const current = now.attempts.get(id) as Attempt;
    if (!isOpen(current)) return { over: current.status };
    if (current.status !== "offered") return undefined;
    const permit = permitIn(now);
    return permit.permit === "given" ? undefined : { permit };
  });
  if ("held" in taken) return { held: taken.held, isFirst: taken.isFirst };
  if ("permit" in taken.refused) return { answer: await notPermitted(desk, task, taken.refused.permit) };
  return { answer: { outcome: "already-dispatched", attempt: id, status: "over" in taken.refused ? taken.refused.over : attempt.status } };
}

async function recover(desk: Desk, held: Held, known: Attempt): Promise<DispatchAnswer> {
  const { ports, config, ledger } = desk;
  const attempt = (await ledger.load()).attempts.get(known.id) as Attempt;
  const evidence = await askRuntime(desk, attempt);
  // Where no key can be asked for, a late answer is what names the session.
  const named = desk.late.has(attempt.id) ? { ...attempt, session: evidence.session } : attempt;
  const decision = decideRecovery(named, evidence.says, config.trust.reviewers);
  const noted = await noteDecision(desk, held, decision);
  if (noted === "lease-lost") return lost(desk, held);
  await ports.faults.reach("dispatcher.after-decision");
  switch (decision.outcome) {
    case "retry":
      return start(desk, held, attempt);
    case "needs-human":
      return { outcome: "needs-human", attempt: attempt.id, because: decision.because };
    case "stop": {
      const ended = await ledger.appendUnder(held, () => ({ kind: "ended", task: held.task, attempt: attempt.id, epoch: held.lease.epoch, status: "session_failed", because: decision.because }));
      desk.mine.delete(held.task);
      return "refused" in ended ? lost(desk, held) : { outcome: "over", attempt: attempt.id, because: decision.because };
    }
    case "continue":
    case "rework":
      return adopt(desk, held, attempt, evidence);
  }
}

async function noteDecision({ ledger }: Desk, held: Held, { outcome, because, mayDecide }: Decision): Promise<"noted" | "lease-lost"> {
  const { decision } = taskOf(await ledger.load(), held.task);
  if (decision?.attempt === held.attempt && decision.outcome === outcome && decision.because === because) return "noted";
  const noted = await ledger.appendUnder(held, () => ({ kind: "decided", task: held.task, attempt: held.attempt, outcome, because, mayDecide }));
  return "refused" in noted ? "lease-lost" : "noted";
}

async function adopt(desk: Desk, held: Held, attempt: Attempt, { session, says }: Evidence): Promise<DispatchAnswer> {
  if (attempt.session === undefined) {
    const committed = await commit(desk, held, session ?? "unknown", "adopted");
    if (committed.outcome === "lease-lost") return committed;
  }
  if (says === "ended") return finishAttempt(desk, held, attempt.id);
  return { outcome: "dispatched", attempt: attempt.id, session: attempt.session ?? session ?? "unknown", how: "adopted" };
}

async function start(desk: Desk, held: Held, attempt: Attempt): Promise<DispatchAnswer> {
  const { ports, config, ledger } = desk;
  const ready = await makeReady(desk, held, attempt);
  if (ready !== "ready") return ready;
  // A last look: what is between it and the start is one step of this process, or its death.
  const now = await ledger.load();
  if (config.policies.fence === "epoch" && !isHeld(taskOf(now, held.task).lease, held.lease, ports.clock.now())) return lost(desk, held);
  if (config.policies.holds === "respected" && taskOf(now, held.task).hold !== undefined) {
    await giveBack(desk, held, "held before the start");
    return notPermitted(desk, held.task, { permit: "blocked", reasons: [`held by ${taskOf(now, held.task).hold?.by}`] });
  }
  const { task, revision, agent } = attempt;
  const key = config.policies.startKey === "of-the-attempt" ? attempt.key : ports.ids.next("start");
  // Whoever stops here for longer than its lease is caught by the key alone.
  await ports.faults.reach("dispatcher.before-start");
  const begin = () => ports.sessions.start({ key, task, revision, agent, attempt: attempt.id, epoch: held.lease.epoch });
  let answer: WithinDeadline<{ readonly id: string }>;
  try {
    answer = await inTime(desk, begin, ({ id }) => hearLate(desk, attempt, id));
  } catch (failure) {
    return unknown(desk, held, errorCode(failure) || "UNKNOWN");
  }
  if (answer.outcome === "deadline") return noteSilence(desk, held);
  await ports.faults.reach("dispatcher.after-start");
  const committed = await commit(desk, held, answer.value.id, "started");
  if (committed.outcome === "dispatched") await ports.faults.reach("dispatcher.after-commit");
  return committed;
}

/** On record for whoever comes next: that the runtime has no such session does not mean then that none will be there. */
async function noteSilence(desk: Desk, held: Held): Promise<DispatchAnswer> {
  const { task, attempt, lease } = held;
  const noted = await desk.ledger.appendUnder(held, () => ({ kind: "unanswered", task, attempt, epoch: lease.epoch }));
  return "refused" in noted ? lost(desk, held) : unknown(desk, held, SILENT);
}

function unknown({ ports }: Desk, { task, attempt }: Held, code: string): DispatchAnswer {
  ports.log.write("warning", "dispatcher.start-unanswered", { task, attempt, code });
  return { outcome: "unknown", attempt, code };
}

/** The lease may be another's by now, so nothing is written here. */
function hearLate({ ports, late }: Desk, { id, task }: Attempt, session: string): void {
  late.set(id, session);
  ports.log.write("warning", "dispatcher.answered-late", { task, attempt: id, session });
}

/** Into `active`, with the text that the intent was bound to. */
async function makeReady(desk: Desk, held: Held, attempt: Attempt): Promise<"ready" | DispatchAnswer> {
  const { ports, config, ledger } = desk;
  const look = await lookAtTree(ports, config);
  if (look.outcome === "unstable") {
    await giveBack(desk, held, look.says);
    return { outcome: "not-settled", because: look.says };
  }
  const state = await ledger.load();
  const permit = permitFor(held.task, { reading: look.reading, state, trust: config.trust, policies: config.policies, nowMs: ports.clock.now() });
  if (permit.permit !== "given") {
    await giveBack(desk, held, permit.reasons.join("; "));
    return notPermitted(desk, held.task, permit);
  }
  const { source } = permit;
  if (config.policies.revisionCheck === "before-start" && source.object.revision !== attempt.revision) {
    const because = `the intent is for ${attempt.revision}, the text is ${source.object.revision}`;
    await ledger.appendUnder(held, () => ({ kind: "ended", task: held.task, attempt: attempt.id, epoch: held.lease.epoch, status: "superseded", because }));
    desk.mine.delete(held.task);
    return { outcome: "refused", reasons: [because] };
  }
  if ((await finishMove(ports, config, ledger, held, source.folder)) === "lease-lost") return lost(desk, held);
  if (source.folder === "active") return "ready";
  const moved = await moveTask(ports, config, ledger, held, source, "active");
  if (moved.outcome === "lease-lost") return lost(desk, held);
  if (moved.outcome === "moved") return "ready";
  await giveBack(desk, held, moved.because);
  return notPermitted(desk, held.task, { permit: "blocked", reasons: [`it could not be moved: ${moved.because}`] });
}

async function commit(desk: Desk, held: Held, session: string, how: "started" | "adopted"): Promise<DispatchAnswer & { outcome: "dispatched" | "lease-lost" }> {
  const { task, attempt, lease } = held;
  const committed = await desk.ledger.appendUnder(held, () => ({ kind: "started", task, attempt, epoch: lease.epoch, session, how }));
  if ("refused" in committed) return lost(desk, held);
  desk.late.delete(attempt);
  return { outcome: "dispatched", attempt, session, how };
}

function lost(desk: Desk, { task, attempt, lease }: Held): { outcome: "lease-lost"; attempt: string } {
  desk.mine.delete(task);
  desk.ports.log.write("warning", "dispatcher.late-write-refused", { task, attempt, epoch: lease.epoch });
  return { outcome: "lease-lost", attempt };
}
