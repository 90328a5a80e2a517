/** Finds attempts that ended more than once: whoever reads the first end and whoever reads the last decide differently. */
import { defineGuard } from "../finding.ts";
import { firstFew, subjectOrAll } from "../first-few.ts";

export interface EndedAttempt {
  readonly attempt: string;
  readonly task: string;
  /** Terminal words on record for it, in their order. */
  readonly ends: readonly string[];
}

/** A word that comes twice is one answer given twice, and still two writers. */
export const dispatchTwoTerminals = defineGuard<readonly EndedAttempt[]>(
  {
    id: "dispatch/two-terminals",
    needs: ["for each attempt, every terminal status on record for it"],
    severity: "alarm",
    text: "An attempt has more than one end on record.",
    case: undefined,
  },
  (attempts) => {
    const twice = attempts.filter(({ ends }) => ends.length > 1);
    if (twice.length === 0) return undefined;
    return {
      subject: subjectOrAll(twice.map(({ task }) => task), "attempts"),
      message: `${twice.length} of ${attempts.length} attempts ended more than once: ${firstFew(twice.map(({ attempt, task, ends }) => `${attempt} of ${task} (${ends.join(", then ")})`), "; ")}`,
      counts: { attempts: attempts.length, twice: twice.length, differing: twice.filter(({ ends }) => new Set(ends).size > 1).length },
    };
  },
);
