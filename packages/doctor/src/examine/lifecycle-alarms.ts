/** The guards over lifecycle folders below one root, and over the ledger beside them. */
import { ALLOWED_MOVES, type Attempt, LIFECYCLE, taskOf, TERMINAL_STATUSES } from "@casebook/dispatcher/judge";
import {
  type DispatchedSession,
  dispatchDualLocation,
  dispatchDuplicateSession,
  dispatchExpiredLeaseHeld,
  dispatchHistoryGap,
  dispatchHistoryRewritten,
  dispatchIllegalTransition,
  dispatchTwoTerminals,
  dispatchUnattributedStart,
  type StartedSession,
} from "@casebook/guards";
import type { LifecycleObservation, MoveOnRecord, Place } from "../observation.ts";
import { raiseByTask } from "./raise-by-task.ts";
import type { Raised } from "./raised.ts";

/** A first place is always the first folder. */
const ALLOWED: readonly string[] = [...ALLOWED_MOVES, ">inbox"];

export function lifecycleAlarms(observation: LifecycleObservation, nowMs: number): Raised[] {
  const { root, reading, ledger } = observation;
  const pathOf = new Map(reading.sources.map(({ object, path }) => [object.id, `${root}/${path}`]));
  const around = {
    whereOf: (task: string): Place => ({ path: pathOf.get(task) ?? `${root}/${LIFECYCLE}` }),
    proof: [`objects ${reading.sources.length}${ledger === undefined ? ", no ledger read" : `, records ${ledger.records.length}`}`],
    within: root,
  };
  const histories = historiesOf(observation);
  return [
    ...raiseByTask(dispatchDualLocation, { ...around, rows: declaredPlaces(observation), taskOf: ({ id }) => id, factsOf: (rows) => rows }),
    ...raiseByTask(dispatchIllegalTransition, {
      ...around,
      rows: histories.flatMap(({ task, moves }) => moves.filter(({ isMigrated }) => !isMigrated).map((move) => ({ task, ...move }))),
      taskOf: ({ task }) => task,
      factsOf: (moves) => ({ moves, allowed: ALLOWED }),
    }),
    ...raiseByTask(dispatchHistoryGap, { ...around, rows: histories, taskOf: ({ task }) => task, factsOf: (rows) => rows }),
    ...raiseByTask(dispatchHistoryRewritten, {
      ...around,
      rows: movedOf(observation),
      taskOf: ({ task }) => task,
      factsOf: (moved) => ({ acknowledged: [], kept: keptOf(observation), moved }),
      factsOfOne: (moved) => ({ acknowledged: [], kept: [], moved }),
    }),
    ...ledgerAlarms(observation, nowMs, around),
  ];
}

/** Without a ledger nobody has attempts, leases or sessions on record. */
function ledgerAlarms({ reading, ledger, graceMs }: LifecycleObservation, nowMs: number, around: { whereOf: (task: string) => Place; proof: readonly string[]; within: string }): Raised[] {
  if (ledger === undefined) return [];
  const { state, records } = ledger;
  const claims = new Map<string, Claim[]>();
  for (const { record } of records) if (record.kind === "claimed") claims.set(record.attempt, [...(claims.get(record.attempt) ?? []), record]);
  const leases = [...state.tasks].flatMap(([task, { lease }]) => {
    const attempt = lease === undefined ? undefined : state.attempts.get(lease.attempt);
    if (lease === undefined || lease.isReleased || !isOpen(attempt)) return [];
    const began = claims.get(lease.attempt)?.find(({ epoch }) => epoch === lease.epoch);
    return [{ task, owner: lease.owner, beganAtMs: began?.atMs, expiresAtMs: lease.expiresAtMs }];
  });
  const starts = records.flatMap(({ record }) => (record.kind === "started" ? [record] : []));
  const sessions: DispatchedSession[] = [
    ...starts.map(({ session, attempt }) => ({ session, prompt: `${state.attempts.get(attempt)?.task ?? ""} ${attempt}` })),
    ...openTogether([...state.attempts.values()]),
  ];
  const ends = new Map<string, string[]>();
  for (const { record } of records) {
    const end = endOf(record);
    if (end !== undefined) ends.set(end.attempt, [...(ends.get(end.attempt) ?? []), end.status]);
  }
  const ended = [...state.attempts.values()].map(({ id, task }) => ({ attempt: id, task, ends: ends.get(id) ?? [] }));
  const everyTask = new Set(reading.sources.map(({ object }) => object.id));
  return [
    ...raiseByTask(dispatchExpiredLeaseHeld, { ...around, rows: leases, taskOf: ({ task }) => task, factsOf: (rows) => ({ leases: rows, nowMs, graceMs }) }),
    ...raiseByTask(dispatchDuplicateSession, { ...around, rows: sessions, taskOf: ({ prompt = "" }) => prompt.split(" ", 1)[0] as string, factsOf: (rows) => rows }),
    ...raiseByTask(dispatchTwoTerminals, { ...around, rows: ended, taskOf: ({ task }) => task, factsOf: (rows) => rows }),
    // A record that could not be read may be the one that explains it.
    ...(ledger.problems.length > 0 ? [] : raiseByTask(dispatchUnattributedStart, { ...around, rows: startedSessions(ledger, starts, claims, everyTask), taskOf: ({ task }) => task, factsOf: (rows) => rows })),
  ];
}

type Ledger = NonNullable<LifecycleObservation["ledger"]>;
type Records = Ledger["records"][number]["record"];
type Claim = Extract<Records, { kind: "claimed" }>;

function endOf(record: Records): { attempt: string; status: string } | undefined {
  if (record.kind !== "ended" && record.kind !== "reviewed") return undefined;
  return (TERMINAL_STATUSES as readonly string[]).includes(record.status) ? record : undefined;
}

function isOpen(attempt: Attempt | undefined): boolean {
  return attempt === undefined || attempt.status === "offered" || attempt.status === "claimed" || attempt.status === "running";
}

/** Two attempts of one task that run at once are one job that runs twice. */
function openTogether(attempts: readonly Attempt[]): DispatchedSession[] {
  return attempts.filter((attempt) => attempt.status === "running").flatMap(({ task, session }) => (session === undefined ? [] : [{ session, prompt: task }]));
}

function startedSessions({ state }: Ledger, starts: readonly Extract<Records, { kind: "started" }>[], claims: ReadonlyMap<string, readonly Claim[]>, tasks: ReadonlySet<string>): StartedSession[] {
  const explained = starts.map(({ session, task, attempt, epoch }) => {
    const offered = state.attempts.get(attempt);
    const epochs = (claims.get(attempt) ?? []).map((claim) => claim.epoch);
    const revision = offered?.revision ?? "";
    return { session, task, attempt, revision, epoch, record: offered === undefined ? undefined : { revision, epochs, because: offered.because }, published: state.published.get(task)?.revision };
  });
  const orphans = [...state.orphans].map(([session, task]) => ({ session, task: tasks.has(task) ? task : task || session, attempt: "", revision: "", epoch: 0, record: undefined, published: undefined }));
  return [...explained, ...orphans];
}

function declaredPlaces({ reading }: LifecycleObservation) {
  const byId = new Map<string, { path: string; folder: string; revision: string }[]>();
  for (const { object, path, folder } of reading.sources) byId.set(object.id, [...(byId.get(object.id) ?? []), { path, folder, revision: object.revision }]);
  const lower = new Map<string, string[]>();
  for (const id of byId.keys()) lower.set(id.toLowerCase(), [...(lower.get(id.toLowerCase()) ?? []), id]);
  return [...byId].map(([id, places]) => ({
    id,
    places: places.map(({ path, folder }) => ({ path, folder })),
    texts: new Set(places.map(({ revision }) => revision)).size,
    alike: (lower.get(id.toLowerCase()) ?? []).filter((other) => other !== id),
  }));
}

/** Of each file that keeps its moves, and of each task that the ledger moved. */
function historiesOf({ reading, ledger, histories }: LifecycleObservation): { task: string; moves: readonly MoveOnRecord[] }[] {
  const own = reading.sources.flatMap(({ object, path }) => {
    const moves = histories.get(path);
    return moves === undefined ? [] : [{ task: object.id, moves }];
  });
  const noted = [...(ledger?.state.tasks ?? [])].filter(([, { moves }]) => moves.length > 0).map(([task, { moves }]) => ({ task, moves: moves.map((move) => ({ ...move, isMigrated: false })) }));
  return [...own, ...noted];
}

/** Where each task is, and where its history leads. One that is in two places is in neither. */
function movedOf(observation: LifecycleObservation): { task: string; folder: string; path: string[]; isOpen: boolean }[] {
  const { reading, ledger, histories } = observation;
  const twofold = new Set(reading.conflicts.map(({ id }) => id));
  const single = reading.sources.filter(({ object }) => !twofold.has(object.id));
  const own = single.flatMap(({ object, path, folder }) => {
    const moves = histories.get(path) ?? [];
    return moves.length === 0 ? [] : [{ task: object.id, folder, path: moves.map(({ to }) => to), isOpen: false }];
  });
  if (ledger === undefined || ledger.problems.length > 0) return own;
  const noted = single.flatMap(({ object, folder }) => {
    const published = ledger.state.published.get(object.id);
    if (published === undefined) return [];
    const { moves, moving } = taskOf(ledger.state, object.id);
    return [{ task: object.id, folder, path: [published.path.split("/")[1] ?? "", ...moves.map(({ to }) => to)], isOpen: moving !== undefined }];
  });
  return [...own, ...noted];
}

/** Numbers of what is on record, readable or not; where there is no ledger, the moves in the files, which have none. */
function keptOf({ ledger, histories }: LifecycleObservation): { number: number; text: string }[] {
  const moves = [...histories.values()].reduce((sum, own) => sum + own.length, 0);
  if (ledger === undefined) return Array.from({ length: moves }, (_, index) => ({ number: index + 1, text: "" }));
  const unread = ledger.problems.filter(({ code }) => code !== "LEDGER_GAP").map(({ seq }) => seq);
  return [...ledger.records.map(({ seq }) => seq), ...unread].toSorted((one, other) => one - other).map((number) => ({ number, text: "" }));
}

