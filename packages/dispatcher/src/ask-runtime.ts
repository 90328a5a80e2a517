/** Asks the runtime what became of an attempt: by the session on record, else by its key. */
import { errorCode } from "@casebook/ports";
import type { Desk } from "./desk.ts";
import type { Attempt, RuntimeSays } from "./judge/index.ts";

export interface Evidence {
  readonly says: RuntimeSays;
  readonly session: string | undefined;
}

export async function askRuntime({ ports, config }: Pick<Desk, "ports" | "config">, { session, key, id }: Attempt): Promise<Evidence> {
  const { sessions, log } = ports;
  // What is on record is asked for by its id; policies differ about an intent without a session.
  if (session === undefined && config.policies.recovery === "start-again") return { says: "none", session };
  if (session === undefined && config.policies.recovery === "assume-running") return { says: "running", session };
  try {
    if (session !== undefined) {
      const status = await sessions.status(session);
      return { says: status === "absent" ? "none" : status, session };
    }
    if (sessions.keys === "none") return { says: "unknowable", session: undefined };
    const found = await sessions.find(key);
    return { says: found?.status ?? "none", session: found?.id };
  } catch (failure) {
    log.write("warning", "dispatcher.runtime-silent", { attempt: id, code: errorCode(failure) || "UNKNOWN" });
    return { says: "unknowable", session };
  }
}
