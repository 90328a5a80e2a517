/** Finds a loop that turns and achieves nothing: a fresh heartbeat beside an old success or none. A loop that has stopped is not
 * seen here, and neither is one that has had nothing to do for that long. */
import { defineGuard } from "./finding.ts";
import { durationText } from "./first-few.ts";

export interface HeartbeatLoopsWithoutSuccessFacts {
  /** Last turn of the loop. */
  readonly loopedAtMs: number;
  /** Last turn that succeeded; undefined: none ever. */
  readonly succeededAtMs: number | undefined;
  /** How old either may be and still be fresh. */
  readonly staleAfterMs: number;
  readonly nowMs: number;
}

export const heartbeatLoopsWithoutSuccess = defineGuard<HeartbeatLoopsWithoutSuccessFacts>(
  {
    id: "heartbeat/loops-without-success",
    needs: ["when the loop last turned", "when it last succeeded"],
    severity: "alarm",
    text: "A heartbeat is fresh while the last success is old: the loop turns and achieves nothing.",
    case: "006",
  },
  ({ loopedAtMs, succeededAtMs, staleAfterMs, nowMs }) => {
    const isTurning = nowMs - loopedAtMs <= staleAfterMs;
    const isSucceeding = succeededAtMs !== undefined && nowMs - succeededAtMs <= staleAfterMs;
    if (!isTurning || isSucceeding) return undefined;
    const loopedAgoMs = nowMs - loopedAtMs;
    const success = succeededAtMs === undefined ? "it never succeeded" : `it last succeeded ${durationText(nowMs - succeededAtMs)} ago`;
    return {
      subject: "fleet",
      message: `the loop turned ${durationText(loopedAgoMs)} ago and ${success}; fresh is ${durationText(staleAfterMs)}`,
      counts: { loopedAgoMs, ...(succeededAtMs === undefined ? {} : { succeededAgoMs: nowMs - succeededAtMs }) },
    };
  },
);
