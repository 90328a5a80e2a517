/** Finds slots that ran more than once. Says nothing about why; a run without a slot of its own is `slot/wrong-slot`. */
import { defineGuard } from "./finding.ts";
import { namesOf, runsOf, type SlotRow, subjectOf } from "./slot-row.ts";

/** Rows of one task and slot are added up, so a run that a second store saw counts too. */
export const slotDuplicate = defineGuard<readonly SlotRow[]>(
  {
    id: "slot/duplicate",
    needs: ["for each task and slot, the runs that left an artefact"],
    severity: "alarm",
    text: "A slot that had run was run again.",
    case: "002",
  },
  (rows) => {
    // Two runs by hand in one instant have no slot.
    const slots = addedUp(rows.filter(({ reading }) => reading !== "manual" && reading !== "unjudged"));
    const duplicated = slots.filter(({ seen }) => seen > 1);
    if (duplicated.length === 0) return undefined;
    const runs = runsOf(duplicated);
    const excess = runs - duplicated.length;
    const ratio = (runs / duplicated.length).toFixed(2);
    return {
      subject: subjectOf(duplicated),
      message:
        `${duplicated.length} of ${slots.length} slots ran more than once: ${runs} runs, ${excess} too many, ` +
        `${ratio} for each of them: ${namesOf(duplicated)}`,
      counts: { slots: slots.length, duplicated: duplicated.length, runs, excess },
    };
  },
);

function addedUp(rows: readonly SlotRow[]): SlotRow[] {
  const slots = new Map<string, SlotRow>();
  for (const row of rows) {
    const key = `${row.slotMs} ${row.taskId}`;
    slots.set(key, { ...row, seen: row.seen + (slots.get(key)?.seen ?? 0) });
  }
  return [...slots.values()];
}
