/** Finds runs of tasks that were disabled. A run that somebody started by hand looks the same. */
import { defineGuard } from "./finding.ts";
import { namesOf, runsOf, type SlotRow, subjectOf } from "./slot-row.ts";

export const slotDisabledFired = defineGuard<readonly SlotRow[]>(
  {
    id: "slot/disabled-fired",
    needs: ["for each task and slot, the runs that left an artefact", "whether the task was enabled when it ran"],
    severity: "alarm",
    text: "A task ran although it was disabled.",
    case: "002",
  },
  (rows) => {
    // A person may start a disabled task.
    const disabled = rows.filter(({ enabled, reading }) => !enabled && reading !== "manual" && reading !== "unjudged");
    const fired = disabled.filter(({ seen }) => seen > 0);
    if (fired.length === 0) return undefined;
    const runs = runsOf(fired);
    return {
      subject: subjectOf(fired),
      message: `${fired.length} of ${disabled.length} slots of disabled tasks ran: ${namesOf(fired)}`,
      counts: { slots: disabled.length, fired: fired.length, runs },
    };
  },
);
