/** Finds agents of a run that wait for each other in a circle: none of them goes on before the deadline ends the run. */
import { defineGuard } from "./finding.ts";
import { durationText } from "./first-few.ts";

export interface SupervisionWaitCycleFacts {
  readonly run: string;
  /** Agents that wait for another agent, in a circle or not. */
  readonly waiting: number;
  /** Participants, each waiting for the next and the last for the first; empty: there is none. */
  readonly cycle: readonly string[];
  /** Since when the circle is closed. */
  readonly sinceMs: number;
  readonly nowMs: number;
}

export const supervisionWaitCycle = defineGuard<SupervisionWaitCycleFacts>(
  {
    id: "supervision/wait-cycle",
    needs: ["for each agent that waits, whom it waits for and since when"],
    severity: "alarm",
    text: "Agents of a run wait for each other in a circle, and nobody has ended it.",
    case: undefined,
  },
  ({ run, waiting, cycle, sinceMs, nowMs }) =>
    cycle.length === 0
      ? undefined
      : {
          subject: run,
          message: `${cycle.length} of ${waiting} waiting agents wait in a circle for ${durationText(nowMs - sinceMs)}: ${[...cycle, cycle[0]].join(" for ")}`,
          counts: { waiting, cycle: cycle.length },
        },
);
