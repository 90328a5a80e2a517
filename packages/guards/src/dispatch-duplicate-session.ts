/**
 * Finds prompts that were started more than once. Counts sessions, and not what they did: one that is listed and never worked
 * counts like any other. Says nothing about why.
 */
import { defineGuard } from "./finding.ts";
import { firstFew, subjectOrAll } from "./first-few.ts";

export interface DispatchedSession {
  /** One session that two devices show has one id. */
  readonly session: string;
  /** Given once, where the prompt was submitted; undefined: not on record. Equal text does not make one prompt. */
  readonly prompt: string | undefined;
}

/** Rows of one session and prompt are one session. */
export const dispatchDuplicateSession = defineGuard<readonly DispatchedSession[]>(
  {
    id: "dispatch/duplicate-session",
    needs: ["for each session, its id and the id of the prompt that it was started for"],
    severity: "alarm",
    text: "One prompt was started as more than one session.",
    case: "005",
  },
  (rows) => {
    const sessionsOf = new Map<string, Set<string>>();
    for (const { session, prompt } of rows) {
      if (prompt !== undefined) sessionsOf.set(prompt, (sessionsOf.get(prompt) ?? new Set()).add(session));
    }
    const duplicated = [...sessionsOf].filter(([, sessions]) => sessions.size > 1);
    if (duplicated.length === 0) return undefined;
    const sessions = duplicated.reduce((total, [, started]) => total + started.size, 0);
    const excess = sessions - duplicated.length;
    return {
      subject: subjectOrAll(duplicated.map(([prompt]) => prompt), "prompts"),
      message:
        `${duplicated.length} of ${sessionsOf.size} prompts started more than once: ${sessions} sessions, ${excess} too many: ` +
        firstFew(duplicated.map(([prompt, started]) => `${prompt} (${started.size})`)),
      counts: { prompts: sessionsOf.size, duplicated: duplicated.length, sessions, excess },
    };
  },
);
