/**
 * How far back the absence of a trace says something. To the oldest trace, and a little further: where a trace belongs to a
 * slot that lies before it, or the registry stamped a run after it, a trace of that slot would be there too. What is judged
 * on that ground is inferred.
 */
import type { Artefact, Claim, DueSlot } from "@casebook/guards";
import type { ArtefactObservation } from "../observation.ts";

export function reachBackOf(
  artefacts: ArtefactObservation | undefined,
  due: readonly DueSlot[],
  claims: readonly Claim[] | undefined,
): number | undefined {
  const oldestMs = artefacts?.reachesBackToMs;
  if (artefacts === undefined || oldestMs === undefined) return undefined;
  // Only slots whose grace the oldest trace is in can be reached this way.
  const near = new Map<string, DueSlot[]>();
  for (const slot of due) {
    if (slot.slotMs >= oldestMs || slot.slotMs + slot.graceMs < oldestMs) continue;
    near.set(slot.taskId, [...(near.get(slot.taskId) ?? []), slot]);
  }
  const slotOf = (taskId: string, atMs: number) =>
    near.get(taskId)?.find(({ slotMs, graceMs }) => slotMs <= atMs && atMs <= slotMs + graceMs)?.slotMs ?? oldestMs;
  const reached = [
    ...artefacts.runs.map(({ taskId, startedAtMs }: Artefact) => slotOf(taskId, startedAtMs)),
    ...(claims ?? []).filter(({ atMs }) => atMs >= oldestMs).map(({ taskId, atMs }) => slotOf(taskId, atMs)),
  ];
  return reached.reduce((oldest, atMs) => Math.min(oldest, atMs), oldestMs);
}
