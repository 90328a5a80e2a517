/**
 * What to do with an attempt that somebody else began, or an earlier life: from what is on record and what the runtime says, and from
 * nothing else. Where the evidence does not decide, a person does.
 */
import type { Attempt } from "./fold.ts";
import type { RecoveryOutcome } from "./record.ts";

/**
 * What the runtime says about the session of an attempt. `none`: it keeps keys, and knows no such session. `unknowable`: it keeps
 * none, or did not answer.
 */
export type RuntimeSays = "running" | "ended" | "failed" | "cancelled" | "none" | "unknowable";

export interface Decision {
  readonly outcome: RecoveryOutcome;
  readonly because: string;
  readonly mayDecide: string;
}


export function decideRecovery({ session, claims, status }: Pick<Attempt, "session" | "claims" | "status">, says: RuntimeSays, reviewers: readonly string[]): Decision {
  const person = reviewers[0] ?? "a person";
  const own = (outcome: RecoveryOutcome, because: string): Decision => ({ outcome, because, mayDecide: "the dispatcher" });
  const theirs = (outcome: RecoveryOutcome, because: string): Decision => ({ outcome, because, mayDecide: person });
  const intent = claims <= 1 ? "its first claim" : `claim ${claims}`;
  if (says === "running") return own("continue", session === undefined ? "intent without a session on record; the runtime has one with its key, which runs" : "its session runs");
  if (says === "ended") return own("continue", "its session has ended; the work goes to review");
  if (says === "failed" || says === "cancelled") return theirs("stop", `its session is ${says}; another start takes a new key`);
  if (session !== undefined) return theirs("needs-human", says === "none" ? `the record names ${session}, and the runtime does not know it` : `the record names ${session}, and the runtime cannot say what became of it`);
  if (says === "none") return own("retry", `${status} at ${intent}, no session on record, and the runtime has none with its key`);
  return theirs("needs-human", "intent without a session on record, and the runtime cannot say whether one was started: a second start may be a duplicate");
}
