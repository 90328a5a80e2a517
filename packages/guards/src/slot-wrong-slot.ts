/**
 * Finds runs that belong to no slot of their task, such as a weekly's on another weekday.
 * A run by hand looks the same, hence a warning.
 */
import { defineGuard } from "./finding.ts";
import { namesOf, runsOf, type SlotRow, subjectOf } from "./slot-row.ts";

export const slotWrongSlot = defineGuard<readonly SlotRow[]>(
  {
    id: "slot/wrong-slot",
    needs: ["the runs that left an artefact", "whether the task's schedule has a slot for each"],
    severity: "warning",
    text: "A task ran at a time that its schedule does not have: another weekday, say, started by a scheduler.",
    case: "002",
  },
  (rows) => {
    const seen = rows.filter((row) => row.seen > 0);
    // What may have been started by hand, or cannot be judged, is not wrong.
    const wrong = seen.filter(({ due, reading }) => !due && reading !== "manual" && reading !== "unjudged");
    if (wrong.length === 0) return undefined;
    const runs = runsOf(wrong);
    return {
      subject: subjectOf(wrong),
      message: `${runs} of ${runsOf(seen)} runs belong to no slot of their task: ${namesOf(wrong)}`,
      counts: { runs: runsOf(seen), wrong: runs },
    };
  },
);
