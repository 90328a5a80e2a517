/** Finds a loop that turns and achieves nothing, a fresh heartbeat beside an old success or none; and one that has stopped while work
 * came due. A loop that stopped and has had nothing to do since is not seen here: the machine may have been off. */
import { defineGuard } from "./finding.ts";
import { durationText } from "./first-few.ts";

/** A loop that has not turned for this long, and for three times what is fresh, has stopped. */
const STOPPED_AFTER_MS = 3_600_000;
const STOPPED_AFTER_TICKS = 3;

export interface HeartbeatLoopsWithoutSuccessFacts {
  /** Last turn of the loop. */
  readonly loopedAtMs: number;
  /** Last turn that succeeded; undefined: none ever. */
  readonly succeededAtMs: number | undefined;
  /** How old either may be and still be fresh. */
  readonly staleAfterMs: number;
  readonly nowMs: number;
  /** What it has to start, and how many slots of that came due since it last turned and were left lying. Undefined: nobody knows. */
  readonly work?: { readonly enabledTasks: number; readonly dueSince: number };
}

export const heartbeatLoopsWithoutSuccess = defineGuard<HeartbeatLoopsWithoutSuccessFacts>(
  {
    id: "heartbeat/loops-without-success",
    needs: ["when the loop last turned", "when it last succeeded", "how many slots came due since"],
    severity: "alarm",
    text: "A heartbeat is fresh while the last success is old: the loop turns and achieves nothing. Or both are old and work came due since: the loop has stopped.",
    case: "006",
  },
  ({ loopedAtMs, succeededAtMs, staleAfterMs, nowMs, work }) => {
    const isTurning = nowMs - loopedAtMs <= staleAfterMs;
    const isSucceeding = succeededAtMs !== undefined && nowMs - succeededAtMs <= staleAfterMs;
    const loopedAgoMs = nowMs - loopedAtMs;
    const stoppedAfterMs = Math.max(STOPPED_AFTER_MS, STOPPED_AFTER_TICKS * staleAfterMs);
    const newestMs = Math.max(loopedAtMs, succeededAtMs ?? Number.NEGATIVE_INFINITY);
    if (nowMs - newestMs > stoppedAfterMs && work !== undefined && work.dueSince > 0) {
      const { dueSince, enabledTasks } = work;
      const success = succeededAtMs === undefined ? "never succeeded" : `last succeeded ${durationText(nowMs - succeededAtMs)} ago`;
      const due = `${dueSince} ${dueSince === 1 ? "slot" : "slots"} of ${enabledTasks} enabled ${enabledTasks === 1 ? "task" : "tasks"} came due since`;
      return {
        subject: "fleet",
        message: `the loop has stopped: it last turned ${durationText(loopedAgoMs)} ago and ${success}, and ${due}; more than ${durationText(stoppedAfterMs)} is too long`,
        counts: { loopedAgoMs, ...(succeededAtMs === undefined ? {} : { succeededAgoMs: nowMs - succeededAtMs }), enabledTasks, dueSince },
      };
    }
    if (!isTurning || isSucceeding) return undefined;
    const success = succeededAtMs === undefined ? "it never succeeded" : `it last succeeded ${durationText(nowMs - succeededAtMs)} ago`;
    return {
      subject: "fleet",
      message: `the loop turned ${durationText(loopedAgoMs)} ago and ${success}; fresh is ${durationText(staleAfterMs)}`,
      counts: { loopedAgoMs, ...(succeededAtMs === undefined ? {} : { succeededAgoMs: nowMs - succeededAtMs }) },
    };
  },
);
