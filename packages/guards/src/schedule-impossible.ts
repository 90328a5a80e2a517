/** Finds schedules that nobody can read. What the product does with one of them is not known here. */
import { defineGuard } from "./finding.ts";
import { firstFew, subjectOrAll } from "./first-few.ts";

export interface ScheduleImpossibleFacts {
  readonly schedules: number;
  /** `problem`: a stable code, such as CRON_UNREADABLE. */
  readonly unreadable: readonly { readonly taskId: string; readonly problem: string }[];
}

export const scheduleImpossible = defineGuard<ScheduleImpossibleFacts>(
  {
    id: "schedule/impossible",
    needs: ["every schedule", "why each that could not be read could not"],
    severity: "alarm",
    text: "A schedule cannot be read, so that its task has no slots that anyone could name.",
    case: undefined,
  },
  ({ schedules, unreadable }) => {
    if (unreadable.length === 0) return undefined;
    const named = firstFew(unreadable.map(({ taskId, problem }) => `${taskId} (${problem})`));
    return {
      subject: subjectOrAll(unreadable.map(({ taskId }) => taskId), "fleet"),
      message: `${unreadable.length} of ${schedules} schedules cannot be read: ${named}`,
      counts: { schedules, unreadable: unreadable.length },
    };
  },
);
