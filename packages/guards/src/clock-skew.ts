/** Finds times of the past that lie ahead of now. Judged against one clock; which of the two is wrong is not known here. */
import { defineGuard } from "./finding.ts";
import { durationText, firstFew, subjectOrAll } from "./first-few.ts";
import { CLOCK_TOLERANCE_MS } from "./ledger/limits.ts";

export interface ClockSkewFacts {
  /** Times that can only be past: last runs, creations, changes of files. `what`: whose, as it may be printed. */
  readonly stamps: readonly { readonly what: string; readonly atMs: number }[];
  readonly nowMs: number;
}

export const clockSkew = defineGuard<ClockSkewFacts>(
  {
    id: "clock/skew",
    needs: ["times that can only be past", "now"],
    severity: "warning",
    text: "A time that can only be past lies ahead of now.",
    case: undefined,
  },
  ({ stamps, nowMs }) => {
    const ahead = stamps.filter(({ atMs }) => atMs - nowMs > CLOCK_TOLERANCE_MS).toSorted((a, b) => b.atMs - a.atMs);
    if (ahead.length === 0) return undefined;
    const named = firstFew(ahead.map(({ what, atMs }) => `${what} by ${durationText(atMs - nowMs)}`));
    return {
      subject: subjectOrAll(ahead.map(({ what }) => what), "fleet"),
      message: `${ahead.length} of ${stamps.length} past times lie ahead of now: ${named}`,
      counts: { stamps: stamps.length, ahead: ahead.length },
    };
  },
);
