/** Rule four of dispatch: every call of a model can be put down to a text, an attempt, a lease and a decision. */
import { defineGuard } from "../finding.ts";
import { firstFew, subjectOrAll } from "../first-few.ts";

export interface StartedSession {
  readonly session: string;
  readonly task: string;
  /** What the runtime was given; "" where nobody knows. */
  readonly attempt: string;
  readonly revision: string;
  readonly epoch: number;
  /** What is on record for that attempt; undefined: it is not. */
  readonly record:
    | {
        readonly revision: string;
        /** Epochs of its leases. */
        readonly epochs: readonly number[];
        readonly because: string;
      }
    | undefined;
  /** Of the text as it was published; undefined: it never was. */
  readonly published: string | undefined;
}

export const dispatchUnattributedStart = defineGuard<readonly StartedSession[]>(
  {
    id: "dispatch/unattributed-start",
    needs: ["for each session, the task, attempt, text and epoch that it was started with", "what is on record for that attempt, and the text as it was published"],
    severity: "alarm",
    text: "A session was started that no attempt, lease, text or decision on record explains.",
    case: "016",
  },
  (rows) => {
    const wrong = rows.flatMap(({ session, attempt, revision, epoch, record, published }) => {
      if (record === undefined) return [{ session, says: attempt === "" ? "no attempt on record" : `no attempt ${JSON.stringify(attempt)} on record` }];
      const says = [
        ...(record.revision === revision && (published === undefined || published === revision) ? [] : ["another text than was published"]),
        ...(record.epochs.includes(epoch) ? [] : [`no lease of epoch ${epoch}`]),
        ...(record.because === "" ? ["no rationale"] : []),
      ];
      return says.length === 0 ? [] : [{ session, says: says.join(", ") }];
    });
    if (wrong.length === 0) return undefined;
    return {
      subject: subjectOrAll(rows.filter(({ session }) => wrong.some((one) => one.session === session)).map(({ task }) => task), "sessions"),
      message: `${wrong.length} of ${rows.length} sessions cannot be put down to a decision: ${firstFew(wrong.map(({ session, says }) => `${session} (${says})`), "; ")}`,
      counts: { sessions: rows.length, unattributed: wrong.length },
    };
  },
);
