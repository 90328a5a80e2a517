/** Rule six of dispatch: a restart decides from what is on record, and writes down what it decided. Leaves out whether it decided well. */
import { defineGuard } from "../finding.ts";
import { firstFew, subjectOrAll } from "../first-few.ts";

export interface RecoveredAttempt {
  readonly attempt: string;
  readonly task: string;
  /** How often it was claimed: once, and once more for each recovery. */
  readonly claims: number;
  /** Decisions on record for it: retry, rework, continue, stop, needs-human. */
  readonly decisions: number;
  /** Sessions that the runtime started for it. */
  readonly sessions: readonly string[];
  /** The session on record. */
  readonly recorded: string | undefined;
}

export const dispatchGuessedRestart = defineGuard<readonly RecoveredAttempt[]>(
  {
    id: "dispatch/guessed-restart",
    needs: ["for each attempt, how often it was claimed and what was decided", "its session on record, and the sessions that the runtime has for it"],
    severity: "alarm",
    text: "An attempt was started twice, taken for started when it was not, or taken over without a decision on record.",
    case: "016",
  },
  (rows) => {
    const wrong = rows.flatMap(({ attempt, task, claims, decisions, sessions, recorded }) => {
      const says = [
        ...(sessions.length > 1 ? [`${sessions.length} sessions`] : []),
        ...(recorded !== undefined && !sessions.includes(recorded) ? [`its session ${recorded} was never started`] : []),
        ...(claims > 1 && decisions === 0 ? [`${claims} claims and no decision`] : []),
      ];
      return says.length === 0 ? [] : [{ attempt, task, says: says.join(", ") }];
    });
    if (wrong.length === 0) return undefined;
    return {
      subject: subjectOrAll(wrong.map(({ task }) => task), "attempts"),
      message: `${wrong.length} of ${rows.length} attempts were guessed at: ${firstFew(wrong.map(({ attempt, task, says }) => `${attempt} of ${task} (${says})`), "; ")}`,
      counts: { attempts: rows.length, guessed: wrong.length },
    };
  },
);
