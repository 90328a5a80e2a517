/**
 * Asks the runtime what became of an attempt: by the session on record, or of a late answer, else by its key. One that does not
 * answer in time is silent: nothing is known then, and the next look asks again.
 */
import { errorCode } from "@casebook/ports";
import type { Desk } from "./desk.ts";
import { inTime, SILENT } from "./in-time.ts";
import type { Attempt, RuntimeSays } from "./judge/index.ts";

export interface Evidence {
  readonly says: RuntimeSays;
  readonly session: string | undefined;
}

export async function askRuntime(desk: Pick<Desk, "ports" | "config" | "late">, attempt: Attempt): Promise<Evidence> {
  const { ports, config, late } = desk;
  const { sessions } = ports;
  const { key, id, isUnanswered } = attempt;
  const session = attempt.session ?? late.get(id);
  // What is on record is asked for by its id; policies differ about an intent without a session.
  if (session === undefined && config.policies.recovery === "start-again") return { says: "none", session };
  if (session === undefined && config.policies.recovery === "assume-running") return { says: "running", session };
  try {
    if (session !== undefined) {
      const status = await inTime(desk, () => sessions.status(session));
      if (status.outcome === "deadline") return silent(SILENT);
      return { says: status.value === "absent" ? "none" : status.value, session };
    }
    if (sessions.keys === "none") return { says: "unknowable", session };
    const found = await inTime(desk, () => sessions.find(key));
    if (found.outcome === "deadline") return silent(SILENT);
    // The start may still be on its way: where keys are not honoured, another one would make two.
    if (found.value === undefined && isUnanswered && sessions.keys !== "honoured") return { says: "unknowable", session };
    return { says: found.value?.status ?? "none", session: found.value?.id };
  } catch (failure) {
    return silent(errorCode(failure) || "UNKNOWN");
  }

  function silent(code: string): Evidence {
    ports.log.write("warning", "dispatcher.runtime-silent", { attempt: id, code });
    return { says: "unknowable", session };
  }
}
