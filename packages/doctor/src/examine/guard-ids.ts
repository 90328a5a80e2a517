/** The guards that the doctor asks, by id, and which of them need the ledger. */
import { ADVICE } from "./advice.ts";

export const GUARD_IDS: readonly string[] = Object.keys(ADVICE).toSorted();

/** Those that cannot be asked unless somebody could look for traces. */
export function isSlotGuard(id: string): boolean {
  return id.startsWith("slot/") || id === "fleet/silent";
}
