/**
 * Finds leases whose time is over and whose work nobody has taken up or given back. Whether the owner lives is not looked at: one that
 * does works without a lease. Says nothing of leases that a release has ended.
 */
import { defineGuard } from "../finding.ts";
import { durationText, firstFew, subjectOrAll } from "../first-few.ts";

export interface ExpiredLeaseHeldFacts {
  /** Every lease of an attempt that is not over, and that was not given back. */
  readonly leases: readonly {
    readonly task: string;
    readonly owner: string;
    /** Undefined: not on record. */
    readonly beganAtMs: number | undefined;
    readonly expiresAtMs: number;
  }[];
  readonly nowMs: number;
  /** How long after its end somebody else may need to take the work up. */
  readonly graceMs: number;
}

export const dispatchExpiredLeaseHeld = defineGuard<ExpiredLeaseHeldFacts>(
  {
    id: "dispatch/expired-lease-held",
    needs: ["every lease of work that is not over: its owner, its beginning and its end", "how long a recovery may take"],
    severity: "alarm",
    text: "A lease has run out and its work is still marked as in hand, or a lease ends before it begins.",
    case: undefined,
  },
  ({ leases, nowMs, graceMs }) => {
    const wrong = leases.flatMap(({ task, owner, beganAtMs, expiresAtMs }) => {
      const isNever = beganAtMs !== undefined && expiresAtMs <= beganAtMs;
      if (!isNever && nowMs - expiresAtMs <= graceMs) return [];
      return [{ task, isNever, says: `${task} (lease of ${owner}, ${isNever ? "ends before it begins" : `over for ${durationText(nowMs - expiresAtMs)}`})` }];
    });
    if (wrong.length === 0) return undefined;
    return {
      subject: subjectOrAll(wrong.map(({ task }) => task), "leases"),
      message: `${wrong.length} of ${leases.length} leases in use are over: ${firstFew(wrong.map(({ says }) => says), "; ")}`,
      counts: { leases: leases.length, over: wrong.length, neverBegan: wrong.filter(({ isNever }) => isNever).length },
    };
  },
);
