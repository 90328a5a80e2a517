/** Finds enabled tasks whose schedule can be read and has no slot, such as the 31st of February. Nothing is ever missed of one, so that
 * no other guard sees it. Whoever parks a task that way is asked to switch it off. */
import { defineGuard } from "./finding.ts";
import { firstFew, subjectOrAll } from "./first-few.ts";

export interface ScheduleNeverFiresFacts {
  readonly schedules: number;
  /** Enabled, and without a slot from now on. One-shots that have run are not among them. */
  readonly never: readonly string[];
}

export const scheduleNeverFires = defineGuard<ScheduleNeverFiresFacts>(
  {
    id: "schedule/never-fires",
    needs: ["every schedule of an enabled task", "which of them have no slot from now on"],
    severity: "alarm",
    text: "A schedule of an enabled task has no slot, now or ever.",
    case: undefined,
  },
  ({ schedules, never }) => {
    if (never.length === 0) return undefined;
    return {
      subject: subjectOrAll(never, "fleet"),
      message: `${never.length} of ${schedules} schedules never come due: ${firstFew(never)}`,
      counts: { schedules, never: never.length },
    };
  },
);
