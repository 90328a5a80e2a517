/** Finds records of a log whose numbers do not rise: given twice, or written late by an owner whose time was over. */
import { defineGuard } from "./finding.ts";
import { firstFew } from "./first-few.ts";

export interface ReceiptsOutOfOrderFacts {
  readonly log: string;
  readonly receipts: number;
  /** Numbers on more than one record, the first of them, and how many such records there are. */
  readonly repeated: readonly { readonly seq: number }[];
  readonly repeats: number;
  /** Lower numbers behind higher ones, likewise. */
  readonly backwards: readonly { readonly seq: number; readonly before: number }[];
  readonly backwardsCount: number;
  /** Pending receipts behind the completed one of their command. */
  readonly pendingBehindCompleted: number;
}

export const receiptsOutOfOrder = defineGuard<ReceiptsOutOfOrderFacts>(
  {
    id: "receipts/out-of-order",
    needs: ["the sequence numbers of a receipt log: repeats, steps back", "pending receipts behind the completed one of their command"],
    severity: "alarm",
    text: "Two records of a receipt log have one number, or one stands behind what came after it.",
    case: undefined,
  },
  ({ log, receipts, repeated, repeats, backwards, backwardsCount, pendingBehindCompleted }) => {
    if (repeats + backwardsCount + pendingBehindCompleted === 0) return undefined;
    const says = [
      ...(repeats === 0 ? [] : [`${repeats} of ${receipts} receipts repeat a number: ${firstFew(repeated.map(({ seq }) => String(seq)))}`]),
      ...(backwardsCount === 0 ? [] : [`${backwardsCount} of ${receipts} receipts are late: ${firstFew(backwards.map(({ seq, before }) => `${seq} behind ${before}`))}`]),
      ...(pendingBehindCompleted === 0 ? [] : [`${pendingBehindCompleted} of ${receipts} receipts begin what had ended`]),
    ];
    return {
      subject: log,
      message: says.join("; "),
      counts: { receipts, repeats, backwards: backwardsCount, pendingBehindCompleted },
    };
  },
);
