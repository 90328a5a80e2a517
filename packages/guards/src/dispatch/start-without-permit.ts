/** Rule five of dispatch: no permit, no start. Judges what held at the time of the start, as whoever hands the facts in knows it. */
import { defineGuard } from "../finding.ts";
import { firstFew, subjectOrAll } from "../first-few.ts";

export interface PermittedStart {
  readonly session: string;
  readonly task: string;
  readonly startedAtMs: number;
  /** What had to hold: since when it did, and until when. `undefined` since: never; until: still. */
  readonly conditions: readonly { readonly name: string; readonly heldFromMs: number | undefined; readonly heldUntilMs: number | undefined }[];
}

export const dispatchStartWithoutPermit = defineGuard<readonly PermittedStart[]>(
  {
    id: "dispatch/start-without-permit",
    needs: ["for each session, when it was started", "for each dependency, gate, hold, route and agent, from when until when it allowed that start"],
    severity: "alarm",
    text: "A session was started while a dependency, a gate, a hold, its source or a busy agent forbade it.",
    case: undefined,
  },
  (rows) => {
    const wrong = rows.flatMap(({ session, task, startedAtMs, conditions }) => {
      const unmet = conditions.filter(({ heldFromMs, heldUntilMs }) => heldFromMs === undefined || startedAtMs < heldFromMs || (heldUntilMs !== undefined && startedAtMs >= heldUntilMs));
      return unmet.length === 0 ? [] : [{ session, task, unmet: unmet.map(({ name }) => name) }];
    });
    if (wrong.length === 0) return undefined;
    return {
      subject: subjectOrAll(wrong.map(({ task }) => task), "sessions"),
      message: `${wrong.length} of ${rows.length} sessions started without a permit: ${firstFew(wrong.map(({ session, task, unmet }) => `${session} for ${task} (${unmet.join(", ")})`), "; ")}`,
      counts: { sessions: rows.length, withoutPermit: wrong.length },
    };
  },
);
