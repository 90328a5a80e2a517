/** Finds numbers that are missing in a receipt log and that no unreadable line can have had. Its end may be missing, and is not seen. */
import { defineGuard } from "./finding.ts";
import { firstFew } from "./first-few.ts";

export interface ReceiptsGapFacts {
  readonly log: string;
  readonly receipts: number;
  readonly gaps: readonly {
    readonly after: number;
    readonly next: number;
    /** Lines between the two that cannot be read, each of which may have had a number. */
    readonly unreadableBetween: number;
    /** Numbers between the two that came behind them: late, and not missing. Default 0. */
    readonly late?: number;
  }[];
}

export const receiptsGap = defineGuard<ReceiptsGapFacts>(
  {
    id: "receipts/gap",
    needs: ["the jumps in the sequence numbers of a receipt log, and how many lines in each cannot be read or came late"],
    severity: "alarm",
    text: "Numbers are missing in a receipt log, more than unreadable lines can have had.",
    case: undefined,
  },
  ({ log, receipts, gaps }) => {
    const open = gaps
      .map(({ after, next, unreadableBetween, late = 0 }) => ({ after, next, missing: next - after - 1 - unreadableBetween - late }))
      .filter(({ missing }) => missing > 0);
    if (open.length === 0) return undefined;
    const missing = open.reduce((sum, gap) => sum + gap.missing, 0);
    const names = open.map((gap) => `${gap.missing} between ${gap.after} and ${gap.next}`);
    return { subject: log, message: `${missing} numbers are missing beside ${receipts} receipts: ${firstFew(names)}`, counts: { receipts, gaps: open.length, missing } };
  },
);
