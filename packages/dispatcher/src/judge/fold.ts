/** What the records of a ledger add up to. Pure, and one record at a time, so that a writer and a reader agree. */
import type { AttemptStatus, LedgerRecord, RecoveryOutcome } from "./record.ts";

export interface Attempt {
  readonly id: string;
  readonly task: string;
  readonly revision: string;
  readonly agent: string;
  readonly key: string;
  readonly because: string;
  readonly status: AttemptStatus;
  readonly session: string | undefined;
  /** How often it was claimed. */
  readonly claims: number;
  readonly endedBecause: string | undefined;
  /** A start of it was not answered in time. */
  readonly isUnanswered: boolean;
}

/** As the port's `Lease`, and what it is for. A released one has expired at its release; the epoch goes on from it. */
export interface TaskLease {
  readonly owner: string;
  readonly epoch: number;
  readonly expiresAtMs: number;
  readonly attempt: string;
  readonly agent: string;
  readonly isReleased: boolean;
}

export interface Move {
  readonly from: string;
  readonly to: string;
  readonly by: string;
  readonly atMs: number;
}

export interface TaskState {
  readonly lease: TaskLease | undefined;
  readonly hold: { readonly by: string; readonly because: string } | undefined;
  /** Why it did not start when it was last asked; empty once it did. */
  readonly blocked: readonly string[];
  readonly refused: readonly string[];
  /** A move that was begun and not noted as done. */
  readonly moving: Move | undefined;
  readonly moveFailed: string | undefined;
  /** Done moves, in order; nothing is ever taken out. */
  readonly moves: readonly Move[];
  readonly decision: { readonly attempt: string; readonly outcome: RecoveryOutcome; readonly because: string; readonly mayDecide: string } | undefined;
  /** Rejections by review so far; each opens a new round. */
  readonly rounds: number;
  /** A record about it that this reader does not understand: nothing is done with the task. */
  readonly unsupported: string | undefined;
}

export interface DispatchState {
  /** Number of the last record. */
  readonly seq: number;
  readonly attempts: ReadonlyMap<string, Attempt>;
  readonly tasks: ReadonlyMap<string, TaskState>;
  readonly published: ReadonlyMap<string, { readonly revision: string; readonly path: string; readonly what: string }>;
  readonly orphans: ReadonlyMap<string, string>;
}

const NOTHING: TaskState = {
  lease: undefined,
  hold: undefined,
  blocked: [],
  refused: [],
  moving: undefined,
  moveFailed: undefined,
  moves: [],
  decision: undefined,
  rounds: 0,
  unsupported: undefined,
};

export const EMPTY_STATE: DispatchState = { seq: 0, attempts: new Map(), tasks: new Map(), published: new Map(), orphans: new Map() };

export function taskOf(state: DispatchState, task: string): TaskState {
  return state.tasks.get(task) ?? NOTHING;
}

/** In the order in which they were offered. */
export function attemptsOf(state: DispatchState, task: string): Attempt[] {
  return [...state.attempts.values()].filter((attempt) => attempt.task === task);
}

/** A record of a task that is not understood stops that task. */
export function withUnsupported(state: DispatchState, task: string, says: string): DispatchState {
  return withTask({ ...state, seq: state.seq + 1 }, task, { unsupported: says });
}

export function withRecord(before: DispatchState, record: LedgerRecord): DispatchState {
  const state = { ...before, seq: before.seq + 1 };
  const move = (): Move => ({ from: (record as { from: string }).from, to: (record as { to: string }).to, by: record.by, atMs: record.atMs });
  switch (record.kind) {
    case "published":
      if (state.published.has(record.object)) return state;
      return { ...state, published: new Map(state.published).set(record.object, { revision: record.revision, path: record.path, what: record.what }) };
    case "offered": {
      const { attempt: id, task, revision, agent, key, because } = record;
      return withAttempt(state, { id, task, revision, agent, key, because, status: "offered", session: undefined, claims: 0, endedBecause: undefined, isUnanswered: false });
    }
    case "claimed": {
      const { owner, epoch, expiresAtMs, attempt, agent } = record;
      const claimed = changed(state, attempt, (one) => ({ claims: one.claims + 1, status: one.status === "offered" ? "claimed" : one.status }));
      return withTask(claimed, record.task, { lease: { owner, epoch, expiresAtMs, attempt, agent, isReleased: false }, blocked: [], refused: [] });
    }
    case "renewed":
      return withTask(state, record.task, { lease: ifEpoch(state, record, { expiresAtMs: record.expiresAtMs }) });
    case "given-back":
      return withTask(state, record.task, { lease: released(state, record) });
    case "started":
      return changed(state, record.attempt, () => ({ session: record.session, status: "running" }));
    case "unanswered":
      return changed(state, record.attempt, () => ({ isUnanswered: true }));
    case "ended":
      return withTask(
        changed(state, record.attempt, () => ({ status: record.status, endedBecause: record.because })),
        record.task,
        { lease: released(state, record) },
      );
    case "reviewed": {
      const rounds = taskOf(state, record.task).rounds + (record.status === "rejected" ? 1 : 0);
      return withTask(changed(state, record.attempt, () => ({ status: record.status, endedBecause: record.review })), record.task, { rounds });
    }
    case "moving":
      return withTask(state, record.task, { moving: move() });
    case "moved":
      return withTask(state, record.task, { moving: undefined, moveFailed: undefined, moves: [...taskOf(state, record.task).moves, move()] });
    case "move-failed":
      return withTask(state, record.task, { moving: undefined, moveFailed: record.because });
    case "held":
      return withTask(state, record.task, { hold: taskOf(state, record.task).hold ?? { by: record.by, because: record.because } });
    case "hold-released":
      return withTask(state, record.task, { hold: undefined });
    case "blocked":
      return withTask(state, record.task, { blocked: record.reasons });
    case "refused":
      return withTask(state, record.task, { refused: record.reasons });
    case "decided": {
      const { attempt, outcome, because, mayDecide } = record;
      return withTask(state, record.task, { decision: { attempt, outcome, because, mayDecide } });
    }
    case "orphan-seen":
      return { ...state, orphans: new Map(state.orphans).set(record.session, record.task) };
  }
}

type Leased = { readonly task: string; readonly epoch: number; readonly atMs: number };

function ifEpoch(state: DispatchState, { task, epoch }: Leased, change: Partial<TaskLease>): TaskLease | undefined {
  const { lease } = taskOf(state, task);
  return lease?.epoch === epoch ? { ...lease, ...change } : lease;
}

/** A release never lengthens a lease. */
function released(state: DispatchState, record: Leased): TaskLease | undefined {
  const { lease } = taskOf(state, record.task);
  return ifEpoch(state, record, { isReleased: true, expiresAtMs: Math.min(lease?.expiresAtMs ?? record.atMs, record.atMs) });
}

function withTask(state: DispatchState, task: string, change: Partial<TaskState>): DispatchState {
  return { ...state, tasks: new Map(state.tasks).set(task, { ...taskOf(state, task), ...change }) };
}

function withAttempt(state: DispatchState, attempt: Attempt): DispatchState {
  return { ...state, attempts: new Map(state.attempts).set(attempt.id, attempt) };
}

function changed(state: DispatchState, id: string, change: (attempt: Attempt) => Partial<Attempt>): DispatchState {
  const attempt = state.attempts.get(id);
  return attempt === undefined ? state : withAttempt(state, { ...attempt, ...change(attempt) });
}
