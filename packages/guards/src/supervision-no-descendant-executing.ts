/** Finds processes that still work for a run that is over. */
import { defineGuard } from "./finding.ts";
import { firstFew } from "./first-few.ts";

export interface SupervisionNoDescendantExecutingFacts {
  readonly run: string;
  /** Processes that were ever begun for the run. */
  readonly begun: number;
  /** Those that run or are stopped: a stopped one may go on. */
  readonly executing: readonly string[];
}

export const supervisionNoDescendantExecuting = defineGuard<SupervisionNoDescendantExecutingFacts>(
  {
    id: "supervision/no-descendant-executing",
    needs: ["the process table, after the run is over"],
    severity: "alarm",
    text: "A process that was begun for a run still executes although the run is over.",
    case: "009",
  },
  ({ run, begun, executing }) =>
    executing.length === 0
      ? undefined
      : {
          subject: run,
          message: `${executing.length} of ${begun} processes still execute: ${firstFew(executing)}`,
          counts: { begun, executing: executing.length },
        },
);
