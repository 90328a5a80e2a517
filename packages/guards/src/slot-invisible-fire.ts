/** Finds runs that the registry knows nothing of. A stamp that is there says only that somebody wrote it. */
import { defineGuard } from "./finding.ts";
import { namesOf, type SlotRow, subjectOf } from "./slot-row.ts";

export const slotInvisibleFire = defineGuard<readonly SlotRow[]>(
  {
    id: "slot/invisible-fire",
    needs: ["for each task and slot, the runs that left an artefact", "the registry's own claim about the last of them"],
    severity: "alarm",
    text: "A task ran and the registry does not know.",
    case: "002",
  },
  (rows) => {
    const seen = rows.filter((row) => row.seen > 0);
    // Not every product stamps what was started by hand.
    const invisible = seen.filter(({ claimed, reading }) => !claimed && reading !== "manual" && reading !== "unjudged");
    if (invisible.length === 0) return undefined;
    return {
      subject: subjectOf(invisible),
      message: `${invisible.length} of ${seen.length} slots that ran are not in the registry: ${namesOf(invisible)}`,
      counts: { slots: seen.length, invisible: invisible.length },
    };
  },
);
