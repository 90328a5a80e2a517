/** The guards over a store of dispatch attempts. It keeps no moves and no order of what happened, so that those cannot be asked about. */
import { type DispatchedSession, dispatchDuplicateSession, dispatchExpiredLeaseHeld, dispatchTwoTerminals, dispatchUnattributedStart } from "@casebook/guards";
import type { AttemptStoreObservation, Place, StoredAttempt } from "../observation.ts";
import { ENDED_WORDS } from "../observe/attempt-store.ts";
import { raiseByTask } from "./raise-by-task.ts";
import type { Raised } from "./raised.ts";
import { storedTask } from "./stored-task.ts";

/** `reported` ends the lease. */
const HOLDING: readonly string[] = ["created", "offered", "claimed", "running"];

export function storeAlarms({ path, attempts, leases, graceMs, isWhole }: AttemptStoreObservation, nowMs: number): Raised[] {
  const byId = new Map<string, StoredAttempt>(attempts.map((attempt) => [attempt.id, attempt]));
  const placesOf = (entries: readonly { readonly task: string | undefined; readonly place: Place }[]) => {
    const places = new Map<string, Place>();
    for (const { task, place } of entries) if (task !== undefined) places.set(storedTask(task), place);
    return (task: string): Place => places.get(task) ?? { path };
  };
  const around = {
    whereOf: placesOf([...leases, ...attempts]),
    proof: [`attempts ${attempts.length}, leases ${leases.length}`],
    within: path,
    taskOf: ({ task }: { readonly task: string }) => task,
  };
  const owners = leases.map((lease) => ({ ...lease, task: storedTask(lease.task ?? byId.get(lease.attempt)?.task ?? lease.attempt), owner: lease.agent || lease.id }));
  const held = owners.filter(({ attempt, isReleased }) => !isReleased && HOLDING.includes(byId.get(attempt)?.status ?? "claimed"));
  const started = owners.map(({ session, id, task, attempt }) => {
    const record = byId.has(attempt) ? { revision: "", epochs: [0], because: "claimed" } : undefined;
    return { session: session ?? `lease ${id}`, task, attempt, revision: "", epoch: 0, record, published: undefined };
  });
  const ends = new Map<string, string[]>();
  for (const { id, status } of attempts) if (ENDED_WORDS.includes(status)) ends.set(id, [...(ends.get(id) ?? []), status]);
  const ended = [...byId.values()].map(({ id, task }) => ({ attempt: id, task: storedTask(task), ends: ends.get(id) ?? [] }));
  return [
    ...raiseByTask(dispatchExpiredLeaseHeld, { ...around, whereOf: placesOf([...attempts, ...leases.filter(({ isReleased }) => !isReleased)]), rows: held, factsOf: (rows) => ({ leases: rows, nowMs, graceMs }) }),
    ...(isWhole ? raiseByTask(dispatchUnattributedStart, { ...around, rows: started, factsOf: (rows) => rows }) : []),
    ...raiseByTask(dispatchTwoTerminals, { ...around, rows: ended, factsOf: (rows) => rows }),
    ...raiseByTask(dispatchDuplicateSession, { ...around, rows: sessionsOf(attempts), taskOf: ({ task }) => task, factsOf: (rows) => rows }),
  ];
}

/** Sessions of attempts of one task that are under way at once, and of attempts that have one key. */
function sessionsOf(attempts: readonly StoredAttempt[]): (DispatchedSession & { readonly task: string })[] {
  const times = new Map<string, number>();
  for (const { key } of attempts) if (key !== undefined) times.set(key, (times.get(key) ?? 0) + 1);
  return attempts.flatMap(({ task: written, session, status, key }) => {
    const task = storedTask(written);
    if (session === undefined) return [];
    return [
      ...(status === "claimed" || status === "running" ? [{ session, prompt: task, task }] : []),
      ...(key !== undefined && (times.get(key) ?? 0) > 1 ? [{ session, prompt: `${task} under key ${key}`, task }] : []),
    ];
  });
}
