/**
 * Finds tasks marked as running for longer than a run can take: nothing starts them again.
 * A run that really takes so long looks the same.
 */
import { defineGuard } from "./finding.ts";
import { durationText, firstFew, subjectOrAll } from "./first-few.ts";

export interface RunningStaleMarkerFacts {
  readonly markers: readonly { readonly taskId: string; readonly sinceMs: number; readonly staleAfterMs: number }[];
  readonly nowMs: number;
}

export const runningStaleMarker = defineGuard<RunningStaleMarkerFacts>(
  {
    id: "running/stale-marker",
    needs: ["every running marker, its start, and how long a run may take"],
    severity: "alarm",
    text: "A task has been marked as running for longer than a run may take, so that it is not started again.",
    case: undefined,
  },
  ({ markers, nowMs }) => {
    const stale = markers.filter(({ sinceMs, staleAfterMs }) => nowMs - sinceMs > staleAfterMs);
    if (stale.length === 0) return undefined;
    const named = firstFew(stale.map(({ taskId, sinceMs }) => `${taskId} for ${durationText(nowMs - sinceMs)}`));
    return {
      subject: subjectOrAll(stale.map(({ taskId }) => taskId), "fleet"),
      message: `${stale.length} of ${markers.length} running markers are stale: ${named}`,
      counts: { markers: markers.length, stale: stale.length },
    };
  },
);
