/** Finds commands with more than one end on record. Equal ends are one answer given twice, and graver where they differ. */
import { defineGuard } from "./finding.ts";
import { firstFew, subjectOrAll } from "./first-few.ts";

export interface ReceiptsTwoTerminalsFacts {
  /** Every command of the log. */
  readonly keys: readonly {
    readonly key: string;
    /** Completed receipts. */
    readonly completed: number;
    /** Different outcomes among them. */
    readonly outcomes: number;
  }[];
}

export const receiptsTwoTerminals = defineGuard<ReceiptsTwoTerminalsFacts>(
  {
    id: "receipts/two-terminals",
    needs: ["for each command of a receipt log, how many completed receipts it has and how many of them differ"],
    severity: "warning",
    text: "A command has more than one completed receipt.",
    case: undefined,
  },
  ({ keys }) => {
    const twice = keys.filter(({ completed }) => completed > 1);
    if (twice.length === 0) return undefined;
    const differing = twice.filter(({ outcomes }) => outcomes > 1).length;
    const names = twice.map(({ key, completed, outcomes }) => `${key} (${completed} ends, ${outcomes} different)`);
    return {
      subject: subjectOrAll(twice.map(({ key }) => key), "commands"),
      message: `${twice.length} of ${keys.length} commands ended more than once: ${firstFew(names)}`,
      counts: { keys: keys.length, twice: twice.length, differing },
      ...(differing > 0 ? { severity: "alarm" as const } : {}),
    };
  },
);
