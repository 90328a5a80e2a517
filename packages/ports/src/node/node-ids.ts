/** The ids port over random UUIDs: unique across restarts and machines without shared state. */
import { randomUUID } from "node:crypto";
import type { Ids } from "../ids.ts";

export function nodeIds(): Ids {
  return { next: (prefix) => `${prefix}-${randomUUID()}` };
}
