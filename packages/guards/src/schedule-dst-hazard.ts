/** Finds slots that two cron engines place differently at a change of the clocks. Which engine the product has is not known here; two
 * that agree may both be unlike it. */
import { defineGuard } from "./finding.ts";
import { instantText, subjectOrAll } from "./first-few.ts";

/** A change that is further away than this is information. */
const SOON_MS = 30 * 86_400_000;

export interface ScheduleDstHazardFacts {
  readonly schedules: number;
  readonly hazards: readonly {
    readonly taskId: string;
    /** When the clocks change. */
    readonly changeMs: number;
    /** Slots around the change, ascending, as each engine has them; undefined: it gave no answer. */
    readonly answers: readonly { readonly engine: string; readonly slots: readonly number[] | undefined }[];
  }[];
  readonly nowMs: number;
}

export const scheduleDstHazard = defineGuard<ScheduleDstHazardFacts>(
  {
    id: "schedule/dst-hazard",
    needs: ["schedules with a slot near the next change of the clocks", "the slots that two engines give for it"],
    severity: "warning",
    text: "Two cron engines disagree about a slot at a change of the clocks.",
    case: undefined,
  },
  ({ schedules, hazards, nowMs }) => {
    const torn = hazards
      .filter(({ answers }) => new Set(answers.map(({ slots }) => slots?.join(" "))).size > 1)
      .toSorted((a, b) => a.changeMs - b.changeMs);
    const [first] = torn;
    if (first === undefined) return undefined;
    const shown = (slots: readonly number[]) => slots.map(instantText).join(" and ") || "never";
    const sides = first.answers.map(({ engine, slots }) => `${engine} ${slots === undefined ? "gives no answer" : shown(slots)}`);
    // A schedule may be torn at both changes of a year.
    const tasks = [...new Set(torn.map(({ taskId }) => taskId))];
    const example = `${first.taskId} at ${instantText(first.changeMs)}: ${sides.join(", ")}`;
    return {
      subject: subjectOrAll(tasks, "fleet"),
      message: `${tasks.length} of ${schedules} schedules are read in two ways at a change of the clocks: ${example}`,
      counts: { schedules, hazards: tasks.length },
      ...(first.changeMs - nowMs > SOON_MS ? { severity: "information" as const } : {}),
    };
  },
);
