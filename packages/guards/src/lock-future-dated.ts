/** Finds locks dated ahead of now, which never look stale. Judged against one clock: when that is behind, every fresh lock looks so. */
import { defineGuard } from "./finding.ts";
import { durationText, firstFew, subjectOrAll } from "./first-few.ts";
import { CLOCK_TOLERANCE_MS } from "./ledger/limits.ts";

export interface LockFutureDatedFacts {
  readonly locks: readonly { readonly path: string; readonly atMs: number; readonly staleAfterMs: number }[];
  readonly nowMs: number;
}

export const lockFutureDated = defineGuard<LockFutureDatedFacts>(
  {
    id: "lock/future-dated",
    needs: ["every lock and its time"],
    severity: "alarm",
    text: "A lock is dated in the future, so that it never grows stale.",
    case: undefined,
  },
  ({ locks, nowMs }) => {
    const ahead = locks.filter(({ atMs }) => atMs - nowMs > CLOCK_TOLERANCE_MS);
    if (ahead.length === 0) return undefined;
    const named = firstFew(ahead.map(({ path, atMs }) => `${path} by ${durationText(atMs - nowMs)}`));
    return {
      subject: subjectOrAll(ahead.map(({ path }) => path), "locks"),
      message: `${ahead.length} of ${locks.length} locks are dated ahead of now: ${named}`,
      counts: { locks: locks.length, ahead: ahead.length },
    };
  },
);
