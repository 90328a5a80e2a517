/** What dispatched work does not look like when all is well: two places, moves that are not allowed, gaps, leases that are over, and the rest. */
import {
  attemptStore,
  DESK_RECORD,
  DESK_RECORDS,
  HISTORY,
  lifecycleFoldersHealthy,
  lifecycleLedger,
  type Moved,
  taskFile,
  taskPath,
} from "../presets/fixtures/dispatch.fixture.ts";
import { FIXTURE_NOW_MS, type Fixture, withFile, writtenAt } from "../presets/fixtures/fixture.ts";
import { damaged } from "./damaged.ts";
import type { GuardTrees } from "./planted.ts";

const HOUR_MS = 3_600_000;

export function dispatchTrees(): GuardTrees[] {
  return [...folderTrees(), ...ledgerTrees(), ...storeTrees()];
}

function folderTrees(): GuardTrees[] {
  const healthy = lifecycleFoldersHealthy();
  const [created, taken, , accepted] = HISTORY as readonly [Moved, Moved, Moved, Moved];
  const file = (folder: string, number: number, moves: readonly Moved[]) => withFile(healthy, taskPath(folder, number), writtenAt(FIXTURE_NOW_MS - HOUR_MS, taskFile(moves)), "");
  const tree = (guard: string, what: string, bad: Fixture) => damaged(guard, what, bad, healthy);
  return [
    tree("dispatch/dual-location", "one task in two folders", file("inbox", 2, [created])),
    tree("dispatch/illegal-transition", "a task that went past its review", file("done", 4, [created, taken, { ...accepted, from: "inbox" }])),
    tree("dispatch/history-gap", "a task that came into review from nowhere", file("done", 4, [created, accepted])),
    tree("dispatch/history-rewritten", "a task that no move took to where it is", file("done", 4, [created, taken])),
  ];
}

function ledgerTrees(): GuardTrees[] {
  const healthy = lifecycleLedger();
  const tree = (guard: string, what: string, ...more: readonly (typeof DESK_RECORDS)[number][]) => damaged(guard, what, lifecycleLedger([...DESK_RECORDS, ...more]), healthy);
  const { at, started } = DESK_RECORD;
  return [
    damaged("dispatch/expired-lease-held", "a lease of the morning before", healthy, healthy, FIXTURE_NOW_MS + 4 * HOUR_MS),
    tree("dispatch/duplicate-session", "one attempt with two sessions", started("tide-table", "t-1", "s-9")),
    tree("dispatch/unattributed-start", "a session that no attempt explains", { ...at("2026-09-02T07:30:00Z"), kind: "orphan-seen", session: "s-9", task: "tide-table" }),
    tree("dispatch/two-terminals", "an attempt that was settled and expired", { ...at("2026-09-02T07:30:00Z"), kind: "ended", task: "berth-plan", attempt: "t-2", epoch: 1, status: "expired", because: "its lease ran out" }),
  ];
}

function storeTrees(): GuardTrees[] {
  const healthy = attemptStore();
  const tree = (guard: string, what: string, change: Parameters<typeof attemptStore>[0]) => damaged(guard, what, attemptStore(change), healthy);
  return [
    tree("dispatch/expired-lease-held", "a lease that ends before it begins", ({ leases }) => void Object.assign(leases[0] as object, { expires_at: "2026-09-02T07:00:00.000Z" })),
    tree("dispatch/unattributed-start", "a session of an attempt that is not there", ({ leases }) => void Object.assign(leases[1] as object, { attempt_id: "attempt-9" })),
    tree("dispatch/duplicate-session", "two attempts of one task that run at once", ({ attempts }) => void attempts.push({ ...attempts[0], attempt_id: "attempt-3", session_id: "session-3", idempotency_key: "k-3" })),
    tree("dispatch/two-terminals", "an attempt with two ends", ({ attempts }) => void attempts.push({ ...attempts[1], status: "rejected" })),
  ];
}
