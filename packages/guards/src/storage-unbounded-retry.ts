/** Finds a writer that asks a disk again and again and never says that it failed. Counts at the disk, not in the writer. */
import { defineGuard } from "./finding.ts";
import { durationText } from "./first-few.ts";

export interface RetryFacts {
  readonly file: string;
  /** Calls for one write that the disk refused. */
  readonly refusals: number;
  /** What the writer states that it asks at most. */
  readonly maxAttempts: number;
  /** For how long a writer that lives has owed its answer; undefined: it has answered, or died. */
  readonly openMs: number | undefined;
  readonly maxOpenMs: number;
}

export const storageUnboundedRetry = defineGuard<RetryFacts>(
  {
    id: "storage/unbounded-retry",
    needs: ["refusals of the disk that one write met, and how many it may", "for how long a living writer has owed its answer, and how long it may"],
    severity: "alarm",
    text: "A writer asks a disk that refuses more often, or for longer, than it states, and nobody learns that the write fails.",
    case: undefined,
  },
  ({ file, refusals, maxAttempts, openMs, maxOpenMs }) => {
    const isTooLong = openMs !== undefined && openMs > maxOpenMs;
    if (refusals <= maxAttempts && !isTooLong) return undefined;
    const open = openMs === undefined ? "" : `, no answer for ${durationText(openMs)} of at most ${durationText(maxOpenMs)}`;
    return {
      subject: file,
      message: `${refusals} refusals for one write of ${file}, of at most ${maxAttempts}${open}`,
      counts: { refusals, maxAttempts, ...(openMs === undefined ? {} : { openMs }) },
    };
  },
);
