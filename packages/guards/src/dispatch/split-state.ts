/** Rule two of dispatch: a task has one place, and where it has two, neither is made to win. Leaves out who put it there. */
import { defineGuard } from "../finding.ts";
import { firstFew, subjectOrAll } from "../first-few.ts";

export interface TaskPlaces {
  readonly task: string;
  /** Folders in which it was published. */
  readonly published: readonly string[];
  /** Folders in which it is now. */
  readonly now: readonly string[];
  /** Sessions that were started for it. */
  readonly sessions: number;
  readonly isReported: boolean;
}

export const dispatchSplitState = defineGuard<readonly TaskPlaces[]>(
  {
    id: "dispatch/split-state",
    needs: ["for each task, the folders in which it was published and those in which it is now", "how many sessions were started for it, and whether it is reported as a conflict"],
    severity: "alarm",
    text: "A task has two places or none by the system's own doing, or one of two places was made to win.",
    case: "015",
  },
  (rows) => {
    const wrong = rows.flatMap(({ task, published, now, sessions, isReported }) => {
      const says = saysOf(published, now, sessions, isReported);
      return says === undefined ? [] : [{ task, says }];
    });
    if (wrong.length === 0) return undefined;
    return {
      subject: subjectOrAll(wrong.map(({ task }) => task), "tasks"),
      message: `${wrong.length} of ${rows.length} tasks have a split state: ${firstFew(wrong.map(({ task, says }) => `${task} (${says})`), "; ")}`,
      counts: { tasks: rows.length, split: wrong.length },
    };
  },
);

function saysOf(published: readonly string[], now: readonly string[], sessions: number, isReported: boolean): string | undefined {
  const places = (folders: readonly string[]): string => [...folders].sort().join(" and ");
  if (now.length === 0) return `in no folder, published in ${places(published)}`;
  if (published.length > 1) {
    if (places(now) !== places(published)) return `published in ${places(published)}, now in ${places(now)}`;
    if (sessions > 0) return `started ${sessions} times while in ${places(now)}`;
    return isReported ? undefined : `in ${places(now)}, not reported`;
  }
  return now.length > 1 ? `in ${places(now)}, published in ${places(published)}` : undefined;
}
