/** For a person: of each task the fact, the action that is open, and who may decide next. And why nobody can say it, where nobody can. */
import { explainReading, findObject } from "@casebook/dispatcher/judge";
import { durationText } from "@casebook/guards";
import type { DoctorWork } from "../doctor-report.ts";
import type { AttemptStoreObservation, DispatchObservation, LifecycleObservation, NotRead, StoredAttempt } from "../observation.ts";
import { ATTEMPT_WORDS } from "../observe/attempt-store.ts";
import { seenField } from "../observe/seen-value.ts";
import { storedTask } from "./stored-task.ts";

export interface WorkAccount extends Omit<DoctorWork, "layout"> {
  /** Root or file of the observation that it is of. */
  readonly within: string;
  /** Why its state is not known. */
  readonly unknown: Pick<NotRead, "reason" | "message"> | undefined;
}

const PERSON = "a person";
const NOBODY = "nobody";

export function workAccounts(observation: DispatchObservation, nowMs: number): WorkAccount[] {
  if (observation.kind === "run-ledger") return [];
  if (observation.kind === "attempt-store") return storedAccounts(observation, nowMs);
  return observation.ledger === undefined ? folderAccounts(observation, nowMs) : ledgerAccounts(observation, nowMs);
}

function ledgerAccounts({ root, reading, ledger }: LifecycleObservation, nowMs: number): WorkAccount[] {
  if (ledger === undefined) return [];
  const pathOf = new Map(reading.sources.map(({ object, path }) => [object.id, `${root}/${path}`]));
  const damage = ledger.problems.find(({ task }) => task === undefined);
  return explainReading(reading, ledger, nowMs, PERSON).tasks.map(({ task, responsible, state, fact, openAction, mayDecide, failures }) => {
    const unread = ledger.problems.some((problem) => problem.task === task);
    const reason = damage?.code === "LEDGER_GAP" || state === "missing" ? "missing-input" : "unsupported";
    const isUnknown = damage !== undefined || unread || state === "missing";
    return { task, place: pathOf.get(task) ?? root, responsible, state, fact, openAction, mayDecide, failures, within: root, unknown: isUnknown ? { reason, message: fact } : undefined };
  });
}

/** Folders alone: the place is all there is to go by, and the last move says since when. */
function folderAccounts({ root, reading, histories }: LifecycleObservation, nowMs: number): WorkAccount[] {
  const tasks = reading.sources.filter(({ object }) => object.kind === "TASK");
  const twofold = new Set(reading.conflicts.map(({ id }) => id));
  return [...new Map(tasks.map((source) => [source.object.id, source])).values()].map(({ object, folder, path }) => {
    const found = twofold.has(object.id) ? findObject(reading, object.id) : undefined;
    const last = histories.get(path)?.at(-1);
    const since = last?.atMs === undefined || last.to !== folder ? "" : ` for ${durationText(nowMs - last.atMs)}`;
    const base = { task: object.id, place: `${root}/${path}`, responsible: object.to, failures: [], within: root, unknown: undefined };
    if (found?.found === "conflict") {
      const fact = found.conflicts.map(({ kind, paths }) => `${kind}: ${paths.join(", ")}`).join("; ");
      return { ...base, state: "conflict", fact, openAction: "say which one counts; the others leave the folders", mayDecide: PERSON };
    }
    const [openAction, mayDecide] = NEXT[folder](object.to);
    return { ...base, state: folder, fact: `in ${folder}${since}`, openAction, mayDecide };
  });
}

/** Nobody approves his own work. */
const NEXT = {
  inbox: (to: string) => ["take it", to],
  active: (to: string) => ["finish it, and hand it in", to],
  review: (to: string) => ["accept it, or send it back", `anybody but ${to}`],
  done: () => ["none", NOBODY],
  archive: () => ["none", NOBODY],
} as const satisfies Record<string, (to: string) => readonly [string, string]>;

function storedAccounts({ path, attempts, leases }: AttemptStoreObservation, nowMs: number): WorkAccount[] {
  const byTask = new Map<string, StoredAttempt[]>();
  for (const attempt of attempts) byTask.set(storedTask(attempt.task), [...(byTask.get(storedTask(attempt.task)) ?? []), attempt]);
  const lower = new Map<string, string[]>();
  for (const task of byTask.keys()) lower.set(task.toLowerCase(), [...(lower.get(task.toLowerCase()) ?? []), task]);
  return [...byTask].map(([task, own]) => {
    const last = own.at(-1) as StoredAttempt;
    const base = { task, place: path, responsible: last.role, state: last.status, failures: own.flatMap(failureOf), within: path };
    const not = (message: string, openAction: string): WorkAccount => ({ ...base, state: "unknown", fact: message, openAction, mayDecide: PERSON, unknown: { reason: "unsupported", message } });
    const odd = own.find(({ status }) => !(ATTEMPT_WORDS as readonly string[]).includes(status));
    if (odd !== undefined) return not(`${odd.id} has a status that is not known here: ${seenField(odd.status)}`, "read it with the program that wrote it");
    const alike = (lower.get(task.toLowerCase()) ?? []).filter((other) => other !== task);
    if (alike.length > 0) return not(`differs from ${alike.join(", ")} in upper and lower case only, so that one reader takes them for one task and another for two`, "say whether they are one, and rename one");
    const lease = leases.findLast(({ attempt, isReleased }) => attempt === last.id && !isReleased);
    const [fact, openAction, mayDecide] = standing(last, lease, nowMs);
    return { ...base, fact, openAction, mayDecide, unknown: undefined };
  });
}

function standing({ id, status, role, session }: StoredAttempt, lease: AttemptStoreObservation["leases"][number] | undefined, nowMs: number): readonly [fact: string, openAction: string, mayDecide: string] {
  const worker = role === "" ? PERSON : role;
  switch (status) {
    case "created":
    case "offered":
      return [`${id} is ${status} and not claimed`, "claim it", worker];
    case "claimed":
    case "running": {
      const runs = `${id} is ${status}${session === undefined ? " without a session on record" : ` as ${session}`}`;
      if (lease === undefined) return [`${runs}, and nobody holds a lease on it`, "find out whether it runs; then claim it again, or end it", PERSON];
      if (nowMs < lease.expiresAtMs) return [`${runs}, held by ${lease.agent || lease.id} for ${durationText(lease.expiresAtMs - nowMs)} more`, "wait for its end", lease.agent || worker];
      return [`${runs}; its lease ran out ${durationText(nowMs - lease.expiresAtMs)} ago`, "find out whether it runs; then claim it again, or end it", PERSON];
    }
    case "reported":
      return [`${id} is reported, which accepts nothing`, "review it", role === "" ? PERSON : `anybody but ${role}`];
    case "rejected":
      return [`${id} was rejected`, "rework it", worker];
    case "session_failed":
    case "expired":
    case "stale":
      return [`${id} ended as ${status}`, "start it under a new key, or stop it", PERSON];
    case "superseded":
      return [`${id} was superseded, and no attempt after it is there`, "look for what replaced it", PERSON];
    default:
      return [`${id} is ${status}`, "none", NOBODY];
  }
}

function failureOf({ id, status }: StoredAttempt): string[] {
  return status === "session_failed" || status === "rejected" || status === "expired" || status === "stale" ? [`${id} ${status}`] : [];
}
