/** A published task that is on nobody's record: whoever should have seen it did not look. Leaves out why it was not started once it was seen. */
import { defineGuard } from "../finding.ts";
import { durationText, firstFew, subjectOrAll } from "../first-few.ts";

export interface PublishedTask {
  readonly task: string;
  /** Milliseconds since it was published. */
  readonly ageMs: number;
  /** An attempt, a block or a refusal names it: somebody has looked. */
  readonly isOnRecord: boolean;
}

export interface UnseenTaskFacts {
  readonly tasks: readonly PublishedTask[];
  /** By then a look should have come, whatever a watcher said. */
  readonly periodMs: number;
}

export const dispatchUnseenTask = defineGuard<UnseenTaskFacts>(
  {
    id: "dispatch/unseen-task",
    needs: ["for each published task, its age, and whether an attempt, a block or a refusal names it", "the period in which everything is looked at"],
    severity: "alarm",
    text: "A task was published, the period is over in which it had to be seen, and nothing on record names it.",
    case: "014",
  },
  ({ tasks, periodMs }) => {
    const unseen = tasks.filter(({ ageMs, isOnRecord }) => !isOnRecord && ageMs > periodMs);
    if (unseen.length === 0) return undefined;
    const names = unseen.map(({ task, ageMs }) => `${task} (${durationText(ageMs)} old)`);
    return {
      subject: subjectOrAll(unseen.map(({ task }) => task), "tasks"),
      message: `${unseen.length} of ${tasks.length} published tasks were seen by nobody within ${durationText(periodMs)}: ${firstFew(names)}`,
      counts: { tasks: tasks.length, unseen: unseen.length },
    };
  },
);
