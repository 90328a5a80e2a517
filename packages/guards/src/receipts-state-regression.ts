/** Finds commands whose newest readable receipt may not be their newest: something behind it cannot be read. What it was is not guessed. */
import { defineGuard } from "./finding.ts";
import { firstFew, subjectOrAll } from "./first-few.ts";

export interface ReceiptsStateRegressionFacts {
  /** Every command of the log. */
  readonly keys: readonly {
    readonly key: string;
    /** Of its newest readable receipt; a completed one counts for good. */
    readonly state: "pending" | "completed";
    /** Lines behind it that cannot be read and may be of this key. */
    readonly unreadableBehind: number;
  }[];
}

export const receiptsStateRegression = defineGuard<ReceiptsStateRegressionFacts>(
  {
    id: "receipts/state-regression",
    needs: ["every command of a receipt log, its newest readable state, and how many lines behind it cannot be read and may be its"],
    severity: "alarm",
    text: "A command reads as pending, and what cannot be read behind it may be its completion.",
    case: "008",
  },
  ({ keys }) => {
    // What is completed stays so, whatever stands behind it.
    const doubtful = keys.filter(({ state, unreadableBehind }) => state === "pending" && unreadableBehind > 0);
    if (doubtful.length === 0) return undefined;
    const names = doubtful.map(({ key, unreadableBehind }) => `${key} (${unreadableBehind} unreadable behind it)`);
    return {
      subject: subjectOrAll(doubtful.map(({ key }) => key), "commands"),
      message: `${doubtful.length} of ${keys.length} commands read as pending and may be completed: ${firstFew(names)}`,
      counts: { keys: keys.length, doubtful: doubtful.length },
    };
  },
);
