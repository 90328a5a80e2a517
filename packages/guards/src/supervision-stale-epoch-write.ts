/** Finds writes that were applied although they were made under a claim that somebody else's had replaced. */
import { defineGuard } from "./finding.ts";
import { firstFew } from "./first-few.ts";

export interface SupervisionStaleEpochWriteFacts {
  /** Of a journal, in its order: writes to rows under a lease, the claim itself among them. */
  readonly writes: readonly {
    readonly row: string;
    /** A word: `claim`, `heartbeat`, `finish`. */
    readonly what: string;
    readonly by: string;
    /** Of the claim under which it was made. */
    readonly epoch: number;
    readonly isApplied: boolean;
  }[];
}

export const supervisionStaleEpochWrite = defineGuard<SupervisionStaleEpochWriteFacts>(
  {
    id: "supervision/stale-epoch-write",
    needs: ["a journal of writes to leased rows that says under which epoch each was made"],
    severity: "alarm",
    text: "A write was applied under a claim that a later one had replaced: somebody works on what is not theirs any more.",
    case: "011",
  },
  ({ writes }) => {
    const newest = new Map<string, number>();
    const stale: string[] = [];
    for (const { row, what, by, epoch, isApplied } of writes) {
      if (!isApplied) continue;
      const current = newest.get(row) ?? 0;
      if (epoch < current) stale.push(`${what} of ${row} by ${by}, epoch ${epoch} behind ${current}`);
      newest.set(row, Math.max(current, epoch));
    }
    if (stale.length === 0) return undefined;
    return {
      subject: "journal",
      message: `${stale.length} of ${writes.length} writes were applied under a replaced claim: ${firstFew(stale)}`,
      counts: { writes: writes.length, stale: stale.length },
    };
  },
);
