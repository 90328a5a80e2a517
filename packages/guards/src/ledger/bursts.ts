/**
 * A person starts one task by hand, perhaps two. Runs of several tasks within minutes, none of them at a slot, are a catch-up
 * that forgot what had run (case 002). Fooled by somebody who tries out all tasks in one go.
 */
import { newestAtOrBefore, type TaskGroup } from "./group.ts";
import type { Artefact } from "./input.ts";
import { isByHandPerhaps, type Joined, repeat, type Unplaced } from "./join-runs.ts";
import { STORM_MIN_TASKS, STORM_WITHIN_MS } from "./limits.ts";

/** Moves the runs of a storm from `manual` to the slot that they repeat. */
export function markBursts<Run extends Artefact>(joined: readonly (readonly [TaskGroup<Run>, Joined<Run>])[]): void {
  const guessed = joined
    .flatMap(([, { unplaced }]) => unplaced.filter(isByHandPerhaps))
    .toSorted((a, b) => a.run.startedAtMs - b.run.startedAtMs);
  const storm = stormOf(guessed);
  if (storm.size === 0) return;
  for (const [group, runs] of joined) {
    const moved = runs.unplaced.filter((one) => storm.has(one));
    runs.unplaced = runs.unplaced.filter((one) => !storm.has(one));
    for (const { run } of moved) {
      repeat(runs.slots[newestAtOrBefore(group.slots, run.startedAtMs)], run, runs.unplaced, true);
    }
    for (const slot of runs.slots) slot.runs.sort((a, b) => a.startedAtMs - b.startedAtMs);
  }
}

/** Ascending in, one pass with two ends. */
function stormOf<Run extends Artefact>(runs: readonly Unplaced<Run>[]): Set<Unplaced<Run>> {
  const storm = new Set<Unplaced<Run>>();
  const within = new Map<string, number>();
  let first = 0;
  let taken = 0;
  runs.forEach(({ run }, last) => {
    within.set(run.taskId, (within.get(run.taskId) ?? 0) + 1);
    for (; run.startedAtMs - (runs[first] as Unplaced<Run>).run.startedAtMs > STORM_WITHIN_MS; first += 1) {
      const { taskId } = (runs[first] as Unplaced<Run>).run;
      const left = (within.get(taskId) ?? 0) - 1;
      if (left === 0) within.delete(taskId);
      else within.set(taskId, left);
    }
    if (within.size < STORM_MIN_TASKS) return;
    for (taken = Math.max(taken, first); taken <= last; taken += 1) storm.add(runs[taken] as Unplaced<Run>);
  });
  return storm;
}
