/** Finds commands that were begun and have no end on record. Whether one still runs is not looked at. */
import { defineGuard } from "./finding.ts";
import { durationText, firstFew, subjectOrAll } from "./first-few.ts";

export interface ReceiptsPendingOpenFacts {
  /** Every command of the log. */
  readonly keys: readonly { readonly key: string; readonly state: "pending" | "completed"; readonly atMs: number }[];
  /** How long a command may take. */
  readonly graceMs: number;
  readonly nowMs: number;
}

export const receiptsPendingOpen = defineGuard<ReceiptsPendingOpenFacts>(
  {
    id: "receipts/pending-open",
    needs: ["every command of a receipt log, its newest state and the instant of it", "how long a command may take"],
    severity: "warning",
    text: "A command was begun longer ago than it may take, and no end of it is on record.",
    case: undefined,
  },
  ({ keys, graceMs, nowMs }) => {
    const open = keys.filter(({ state, atMs }) => state === "pending" && nowMs - atMs > graceMs);
    if (open.length === 0) return undefined;
    const names = open.map(({ key, atMs }) => `${key} (begun ${durationText(nowMs - atMs)} ago)`);
    return {
      subject: subjectOrAll(open.map(({ key }) => key), "commands"),
      message: `${open.length} of ${keys.length} commands have no end after more than ${durationText(graceMs)}: ${firstFew(names)}`,
      counts: { keys: keys.length, open: open.length },
    };
  },
);
