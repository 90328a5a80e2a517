/** For a person: of each task the fact, the action that is open, and who may decide next. From bytes alone. */
import { attemptsOf, type DispatchState, taskOf } from "./fold.ts";
import { historyGap } from "./history.ts";
import { readLedger, type LedgerProblem, type LedgerReading } from "./read-ledger.ts";
import { findObject, type LifecycleReading, readLifecycle, type ReadingProblem, type TreeFile } from "./read-lifecycle.ts";
import { byText } from "./text.ts";

export interface TaskAccount {
  readonly task: string;
  /** Whose turn it is to do the work. */
  readonly responsible: string;
  /** The folder, `conflict`, or `missing`. */
  readonly state: string;
  readonly fact: string;
  readonly openAction: string;
  readonly mayDecide: string;
  /** What failed or was refused so far. */
  readonly failures: readonly string[];
}

export interface TreeAccount {
  readonly tasks: readonly TaskAccount[];
  readonly orphans: readonly { readonly session: string; readonly task: string; readonly mayDecide: string }[];
  readonly problems: readonly (ReadingProblem | LedgerProblem)[];
}

/** A fresh reader with the folder only. `nowMs` says which leases are still held. */
export function explainTree(files: readonly TreeFile[], nowMs: number, person = "a person"): TreeAccount {
  return explainReading(readLifecycle(files), readLedger(files), nowMs, person);
}

/** As above, of what was read already. */
export function explainReading(reading: LifecycleReading, { state, problems }: LedgerReading, nowMs: number, person = "a person"): TreeAccount {
  const ids = new Set([...reading.sources.filter(({ object }) => object.kind === "TASK").map(({ object }) => object.id), ...state.tasks.keys(), ...[...state.attempts.values()].map(({ task }) => task)]);
  const damage = problems.filter(({ task }) => task === undefined);
  return {
    tasks: [...ids].toSorted(byText).map((task) => accountOf(task, reading, state, damage, nowMs, person)),
    orphans: [...state.orphans].toSorted(([one], [other]) => byText(one, other)).map(([session, task]) => ({ session, task, mayDecide: person })),
    problems: [...reading.problems, ...problems],
  };
}

function accountOf(task: string, reading: LifecycleReading, state: DispatchState, damage: readonly LedgerProblem[], nowMs: number, person: string): TaskAccount {
  const found = findObject(reading, task);
  const { lease, hold, blocked, refused, moving, moveFailed, decision, unsupported } = taskOf(state, task);
  const attempts = attemptsOf(state, task);
  const last = attempts.at(-1);
  const agent = found.found === "one" ? found.source.object.to : (last?.agent ?? "");
  const failures = [
    ...attempts.filter(({ status }) => status === "session_failed" || status === "rejected" || status === "expired").map(({ id, status, endedBecause }) => `${id} ${status}: ${endedBecause ?? "no reason on record"}`),
    ...(moveFailed === undefined ? [] : [`move failed: ${moveFailed}`]),
  ];
  const where = found.found === "one" ? found.source.folder : found.found === "conflict" ? "conflict" : "missing";
  const says = (fact: string, openAction: string, mayDecide: string): TaskAccount => ({ task, responsible: agent, state: where, fact, openAction, mayDecide, failures });

  if (damage[0] !== undefined) return says(`the ledger is damaged: ${damage[0].says}`, "restore the record; nothing is started before", person);
  if (unsupported !== undefined) return says(`the ledger has ${unsupported}`, "read it with the version that wrote it", person);
  if (found.found === "none") return says("on record, and no readable source declares it", "find its file, or stop it", person);
  if (found.found === "conflict") return says(found.conflicts.map(({ kind, paths }) => `${kind}: ${paths.join(", ")}`).join("; "), "say which one counts; the others leave the folders", person);
  const known = state.published.get(task);
  if (known !== undefined && known.revision !== found.source.object.revision) return says(`edited after it was published (${known.revision}, now ${found.source.object.revision})`, "restore the text, or publish the new one under a new id", person);
  const gap = found.source.object.kind === "TASK" ? historyGap(task, found.source.folder, state) : undefined;
  if (gap !== undefined) return says(last === undefined ? gap : `${gap}; ${last.id} is ${last.status}`, "find out who moved it; put it back, or say that it counts", person);
  if (last?.status === "running" || last?.status === "claimed") {
    const isHeld = lease !== undefined && nowMs < lease.expiresAtMs;
    if (decision?.outcome === "needs-human" && decision.attempt === last.id) return says(decision.because, "find out whether it runs; then stop it, or start it under a new key", decision.mayDecide);
    if (last.session === undefined) return says(`${last.id} has an intent and no session on record${last.isUnanswered ? "; the runtime has not answered its start" : ""}`, isHeld && !last.isUnanswered ? `${lease.owner} starts it, or its lease runs out` : "recover: ask the runtime for its key", isHeld ? lease.owner : "any dispatcher");
    return says(`${last.id} runs as ${last.session}${isHeld ? `, held by ${lease.owner}` : "; its lease has run out"}`, isHeld ? "wait for its end" : "recover: ask the runtime what became of it", isHeld ? lease.owner : "any dispatcher");
  }
  if (last?.status === "offered") return says(`${last.id} is offered and not claimed`, "claim it", "any dispatcher");
  if (where === "done" || where === "archive") return says(last === undefined ? "done, without an attempt on record" : `${last.id} is ${last.status}`, "none", "nobody");
  if (last?.status === "reported") return says(`${last.id} is reported`, "review it", person);
  if (last?.status === "session_failed") return says(`${last.id} failed: ${last.endedBecause ?? "no reason on record"}`, "start it under a new key, or stop it", decision?.mayDecide ?? person);
  if (hold !== undefined) return says(`held by ${hold.by}: ${hold.because}`, "release the hold", hold.by);
  if (refused.length > 0) return says(`refused: ${refused.join("; ")}`, "remove the reason, or withdraw the task", person);
  if (moving !== undefined) return says(`a move from ${moving.from} to ${moving.to} was begun and not noted as done`, "finish it", "any dispatcher");
  if (blocked.length > 0) return says(`waits: ${blocked.join("; ")}`, "none; it starts when the reasons are gone", "any dispatcher");
  if (last?.status === "rejected") return says(`${last.id} was rejected by ${last.endedBecause}`, "rework it", "any dispatcher");
  return says(`in ${where}, ${last === undefined ? "no attempt yet" : `${last.id} is ${last.status}`}`, where === "inbox" || where === "active" ? "dispatch it" : "a person says what next", where === "inbox" || where === "active" ? "any dispatcher" : person);
}
