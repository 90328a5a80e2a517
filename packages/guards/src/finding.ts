/** What a guard answers when it alarms. Plain data: no class, no model, no world. */
export interface Finding {
  /** Id of the guard, such as `registry/parity`. */
  readonly guard: string;
  /** Who or what is affected: a task id, a file, `fleet`. */
  readonly subject: string;
  /** Numbers first, each with the population it was taken from. */
  readonly message: string;
  /** The counts in the message, for machines. */
  readonly counts: Readonly<Record<string, number>>;
  /** When this finding is graver or less grave than its guard usually is. */
  readonly severity?: Severity;
}

export type Severity = "alarm" | "warning" | "information";

/** What a guard says about itself; `explain` and the docs page print this. */
export interface GuardAbout {
  readonly id: string;
  /** The facts it has to be handed, in words. */
  readonly needs: readonly string[];
  readonly severity: Severity;
  /** One sentence: when it alarms. */
  readonly text: string;
  /** The case that shows the mechanism, three digits; undefined when none does yet. */
  readonly case: string | undefined;
}

/** A guard answers a finding (alarm) or undefined (silent). */
export interface Guard<Facts> {
  (facts: Facts): Finding | undefined;
  readonly about: GuardAbout;
}

/** Ties a predicate to its metadata. */
export function defineGuard<Facts>(
  about: GuardAbout,
  judge: (facts: Facts) => Omit<Finding, "guard"> | undefined,
): Guard<Facts> {
  const guard = (facts: Facts): Finding | undefined => {
    const answer = judge(facts);
    return answer === undefined ? undefined : { guard: about.id, ...answer };
  };
  return Object.assign(guard, { about });
}
