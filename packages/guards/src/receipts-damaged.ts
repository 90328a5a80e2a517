/** Finds records of runs that cannot be read: the runs in them count as not seen, and a reader that stops there loses all that follow.
 * A line that is whole and wrong is not seen. */
import { defineGuard } from "./finding.ts";
import { firstFew, subjectOrAll } from "./first-few.ts";

export interface ReceiptsDamagedFacts {
  /** Lines and files that were looked at. */
  readonly searched: number;
  readonly damaged: readonly { readonly where: string; readonly code: string; readonly goodLinesAfter: number }[];
}

export const receiptsDamaged = defineGuard<ReceiptsDamagedFacts>(
  {
    id: "receipts/damaged",
    needs: ["records of runs that were looked at", "those that could not be read, and how many good ones follow each"],
    severity: "warning",
    text: "A record of runs cannot be read, and whoever stops at it loses what follows.",
    case: undefined,
  },
  ({ searched, damaged }) => {
    if (damaged.length === 0) return undefined;
    const after = Math.max(...damaged.map(({ goodLinesAfter }) => goodLinesAfter));
    const named = firstFew(damaged.map(({ where, code }) => `${where} ${code}`));
    return {
      subject: subjectOrAll(damaged.map(({ where }) => where), "files"),
      message: `${damaged.length} of ${searched} records of runs cannot be read, up to ${after} good ones after them: ${named}`,
      counts: { searched, damaged: damaged.length, goodAfter: after },
    };
  },
);
