/** Sorts slots, claims and runs to their tasks, each list ascending. A slot that is listed twice is one. */
import type { Artefact, DueSlot, LedgerInput, LedgerTask, Orphan } from "./input.ts";
import { CLOCK_TOLERANCE_MS } from "./limits.ts";

export interface TaskGroup<Run extends Artefact> {
  readonly task: LedgerTask;
  readonly slots: DueSlot[];
  readonly claims: number[];
  readonly runs: Run[];
}

export function groupByTask<Run extends Artefact>(
  input: LedgerInput<Run>,
): { readonly groups: readonly TaskGroup<Run>[]; readonly orphans: readonly Orphan<Run>[] } {
  const groups = new Map<string, TaskGroup<Run>>();
  const groupOf = (task: LedgerTask): TaskGroup<Run> => {
    const group = groups.get(task.taskId) ?? { task, slots: [], claims: [], runs: [] };
    groups.set(task.taskId, group);
    return group;
  };
  for (const task of input.tasks) groupOf(task);
  for (const slot of input.due) {
    if (Number.isFinite(slot.slotMs)) groupOf({ taskId: slot.taskId, enabled: slot.enabled }).slots.push(slot);
  }
  for (const { taskId, atMs } of input.claims ?? []) if (Number.isFinite(atMs)) groups.get(taskId)?.claims.push(atMs);

  const orphans: Orphan<Run>[] = [];
  for (const artefact of input.artefacts ?? []) {
    const group = groups.get(artefact.taskId);
    const because = whyOrphan(artefact, group !== undefined, input.nowMs);
    if (because === undefined) group?.runs.push(artefact);
    else orphans.push({ artefact, because });
  }
  return { groups: [...groups.values()].map(sorted), orphans };
}

function whyOrphan({ startedAtMs }: Artefact, isKnown: boolean, nowMs: number): Orphan["because"] | undefined {
  if (!Number.isFinite(startedAtMs)) return "no-instant";
  if (startedAtMs > nowMs + CLOCK_TOLERANCE_MS) return "in-the-future";
  return isKnown ? undefined : "unknown-task";
}

function sorted<Run extends Artefact>({ task, slots, claims, runs }: TaskGroup<Run>): TaskGroup<Run> {
  return {
    task,
    slots: withoutRepeats(slots.toSorted((a, b) => a.slotMs - b.slotMs)),
    claims: claims.toSorted((a, b) => a - b),
    runs: runs.toSorted((a, b) => a.startedAtMs - b.startedAtMs),
  };
}

/** Two stores that list one task list its slots twice; it is on if it is on in one of them. */
function withoutRepeats(slots: readonly DueSlot[]): DueSlot[] {
  const kept: DueSlot[] = [];
  for (const slot of slots) {
    const last = kept.at(-1);
    if (last?.slotMs !== slot.slotMs) kept.push(slot);
    else kept[kept.length - 1] = { ...last, enabled: last.enabled || slot.enabled, graceMs: Math.max(last.graceMs, slot.graceMs) };
  }
  return kept;
}

/** Index of the newest of these ascending slots that is at or before an instant, or -1. */
export function newestAtOrBefore(slots: readonly DueSlot[], atMs: number): number {
  let low = 0;
  let high = slots.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((slots[middle] as DueSlot).slotMs <= atMs) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
