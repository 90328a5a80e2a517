/**
 * Rule one of dispatch: one identity, one job. Compares what was declared with what is still there and with what was started. Leaves
 * out which of two texts is the right one.
 */
import { defineGuard } from "../finding.ts";
import { firstFew, subjectOrAll } from "../first-few.ts";

export interface DeclaredText {
  readonly task: string;
  /** A fingerprint of the bytes. */
  readonly revision: string;
}

export interface TwoJobsFacts {
  /** Every text that somebody published under an id. */
  readonly declared: readonly DeclaredText[];
  /** Every text that is in the folders now. */
  readonly kept: readonly DeclaredText[];
  /** The text that each session was started for. */
  readonly started: readonly (DeclaredText & { readonly session: string })[];
  /** Ids that the reader names as a conflict. */
  readonly reported: readonly string[];
}

export const dispatchTwoJobs = defineGuard<TwoJobsFacts>(
  {
    id: "dispatch/two-jobs",
    needs: ["each text that was published under an id, and each that is there now", "for each session, the text it was started for", "the ids that are reported as conflicts"],
    severity: "alarm",
    text: "One task id stood for two texts, and one of them was started, overwritten, or not reported.",
    case: "015",
  },
  ({ declared, kept, started, reported }) => {
    const ids = [...new Set(declared.map(({ task }) => task))];
    const textsOf = (rows: readonly DeclaredText[], id: string): string[] => [...new Set(rows.filter(({ task }) => task === id).map(({ revision }) => revision))];
    const wrong = ids.flatMap((id) => {
      const texts = textsOf(declared, id);
      const lost = texts.filter((text) => !textsOf(kept, id).includes(text));
      const sessions = started.filter(({ task }) => task === id);
      const says = [
        ...(lost.length > 0 ? [`${lost.length} of ${texts.length} texts gone`] : []),
        ...(texts.length > 1 && sessions.length > 0 ? [`${sessions.length} sessions for ${texts.length} texts`] : []),
        ...(textsOf(started, id).length > 1 ? [`started for ${textsOf(started, id).length} texts`] : []),
        ...(texts.length > 1 && !reported.includes(id) ? [`${texts.length} texts, not reported`] : []),
      ];
      return says.length === 0 ? [] : [{ id, says: says.join(", ") }];
    });
    if (wrong.length === 0) return undefined;
    return {
      subject: subjectOrAll(wrong.map(({ id }) => id), "tasks"),
      message: `${wrong.length} of ${ids.length} ids are more than one job: ${firstFew(wrong.map(({ id, says }) => `${id} (${says})`), "; ")}`,
      counts: { ids: ids.length, wrong: wrong.length, sessions: started.length },
    };
  },
);
