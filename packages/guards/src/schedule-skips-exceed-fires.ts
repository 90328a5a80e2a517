/** Finds tasks for which the product recorded more skips than they have slots: it tries and gives up, over and over. One skip for
 * each slot is not judged. */
import { defineGuard } from "./finding.ts";
import { firstFew, subjectOrAll } from "./first-few.ts";

export interface ScheduleSkipsExceedFiresFacts {
  readonly tasks: readonly {
    readonly taskId: string;
    readonly skips: number;
    readonly expectedFires: number;
    readonly reasons: readonly string[];
  }[];
}

export const scheduleSkipsExceedFires = defineGuard<ScheduleSkipsExceedFiresFacts>(
  {
    id: "schedule/skips-exceed-fires",
    needs: ["skips that the product recorded in the window", "slots that the task has in it"],
    severity: "warning",
    text: "The product recorded more skips of a task than it has slots.",
    case: undefined,
  },
  ({ tasks }) => {
    const over = tasks.filter(({ skips, expectedFires }) => skips > expectedFires).toSorted((a, b) => b.skips - a.skips);
    if (over.length === 0) return undefined;
    const sum = (key: "skips" | "expectedFires") => over.reduce((total, one) => total + one[key], 0);
    return {
      subject: subjectOrAll(over.map(({ taskId }) => taskId), "fleet"),
      message:
        `${over.length} of ${tasks.length} tasks were skipped more often than they are due, ${sum("skips")} skips for ${sum("expectedFires")} slots: ` +
        firstFew(over.map(({ taskId, skips, expectedFires, reasons }) => `${taskId} ${skips} for ${expectedFires} (${reasons.join(", ")})`)),
      counts: { tasks: tasks.length, over: over.length, skips: sum("skips"), expectedFires: sum("expectedFires") },
    };
  },
);
