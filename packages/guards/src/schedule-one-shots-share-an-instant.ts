/** Finds more one-shots at one instant than the product starts at once: those beyond the cap were seen to stay behind for ever.
 * Whether they will is not known before. */
import { defineGuard } from "./finding.ts";
import { firstFew, instantText } from "./first-few.ts";

export interface ScheduleOneShotsShareAnInstantFacts {
  /** Enabled ones that have not run. */
  readonly oneShots: readonly { readonly taskId: string; readonly atMs: number }[];
  readonly concurrentAtOnce: number;
}

export const scheduleOneShotsShareAnInstant = defineGuard<ScheduleOneShotsShareAnInstantFacts>(
  {
    id: "schedule/one-shots-share-an-instant",
    needs: ["enabled one-shots that have not run", "how many the product starts at once"],
    severity: "warning",
    text: "More one-shots share an instant than the product starts at once.",
    case: undefined,
  },
  ({ oneShots, concurrentAtOnce }) => {
    const byInstant = new Map<number, string[]>();
    for (const { taskId, atMs } of oneShots) byInstant.set(atMs, [...(byInstant.get(atMs) ?? []), taskId]);
    const crowded = [...byInstant].filter(([, tasks]) => tasks.length > concurrentAtOnce).toSorted(([a], [b]) => a - b);
    if (crowded.length === 0) return undefined;
    const tasks = crowded.flatMap(([, own]) => own);
    const beyond = tasks.length - crowded.length * concurrentAtOnce;
    const what = crowded.length === 1 ? "an instant" : `${crowded.length} instants`;
    return {
      subject: "fleet",
      message:
        `${tasks.length} of ${oneShots.length} one-shots share ${what}, ${beyond} beyond the ${concurrentAtOnce} that start at once: ` +
        firstFew(crowded.map(([atMs, own]) => `${own.length} at ${instantText(atMs)}`)),
      counts: { oneShots: oneShots.length, sharing: tasks.length, instants: crowded.length, beyond },
    };
  },
);
