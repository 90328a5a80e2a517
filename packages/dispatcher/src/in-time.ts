/** The runtime is waited for no longer than was agreed. What comes later is told to whoever wants to hear it, and to nobody else. */
import { withinDeadline, type WithinDeadline } from "@casebook/ports";
import type { Desk } from "./desk.ts";

export async function inTime<T>({ ports, config }: Pick<Desk, "ports" | "config">, call: () => Promise<T>, late?: (value: T) => void): Promise<WithinDeadline<T>> {
  const answer = call();
  if (config.policies.waits === "for-ever") return { outcome: "done", value: await answer };
  const within = await withinDeadline(ports.clock, config.answerMs, answer);
  if (within.outcome === "deadline") answer.then(late, () => undefined);
  return within;
}

/** In the place of the code of an error, where none came. */
export const SILENT = "NO_ANSWER";
