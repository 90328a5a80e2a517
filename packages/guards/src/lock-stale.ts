/** Finds locks older than their time. Whether the owner lives is not looked at: a live process proves nothing. */
import { defineGuard } from "./finding.ts";
import { durationText, firstFew, subjectOrAll } from "./first-few.ts";

export interface LockStaleFacts {
  readonly locks: readonly { readonly path: string; readonly atMs: number; readonly staleAfterMs: number }[];
  readonly nowMs: number;
}

export const lockStale = defineGuard<LockStaleFacts>(
  {
    id: "lock/stale",
    needs: ["every lock, its time, and when it counts as stale"],
    severity: "alarm",
    text: "A lock is older than its time, so that whoever waits for it waits for ever.",
    case: undefined,
  },
  ({ locks, nowMs }) => {
    const stale = locks.filter(({ atMs, staleAfterMs }) => nowMs - atMs > staleAfterMs);
    if (stale.length === 0) return undefined;
    const names = stale.map(({ path, atMs, staleAfterMs }) => `${path} is ${durationText(nowMs - atMs)} old, stale after ${durationText(staleAfterMs)}`);
    return {
      subject: subjectOrAll(stale.map(({ path }) => path), "locks"),
      message: `${stale.length} of ${locks.length} locks are stale: ${firstFew(names)}`,
      counts: { locks: locks.length, stale: stale.length },
    };
  },
);
