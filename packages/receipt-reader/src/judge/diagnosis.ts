/** Names what a reading of one key means for whoever has to decide. Pure, over what the reader answered. */
import { type KeyReading, mayHide } from "./key-reading.ts";

/**
 * `absent`: nothing of this key, and nothing unread that may be of it. `absent-behind-damage`: nothing found, and something unread.
 * `pending`: begun, no end on record. `pending-behind-damage`: its end may be what cannot be read. `completed`: its end is on record,
 * whatever cannot be read. `unsupported`: the newest of it is written by a newer version. `unreadable`: the log could not be read at all.
 */
export const DIAGNOSES = ["absent", "absent-behind-damage", "pending", "pending-behind-damage", "completed", "unsupported", "unreadable"] as const;

export type Diagnosis = (typeof DIAGNOSES)[number];

/** `undefined`: the reader could not read. */
export function diagnose(reading: KeyReading | undefined): Diagnosis {
  if (reading === undefined) return "unreadable";
  const { found, health, newer } = reading;
  // What is completed stays so: nothing that may stand behind it makes it less so.
  if (found?.receipt.state === "completed") return "completed";
  if (health === "corrupt") return found === undefined ? "absent-behind-damage" : "pending-behind-damage";
  if (health === "unsupported" || mayHide(newer.unsupported) > 0) return "unsupported";
  return found === undefined ? "absent" : "pending";
}
