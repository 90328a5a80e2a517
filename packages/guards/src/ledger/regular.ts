/**
 * A person starts a task now and then. Runs at no slot of it that come at even distances are a second scheduler's, or those
 * of a schedule that the registry does not have. Fooled by somebody who is as punctual as that.
 */
import { newestAtOrBefore, type TaskGroup } from "./group.ts";
import type { Artefact } from "./input.ts";
import { isByHandPerhaps, type Joined, repeat, type Unplaced } from "./join-runs.ts";
import { EVEN_MANY, EVEN_SHARE, EVEN_WITHIN_MS } from "./limits.ts";

/** Moves runs that come evenly from `manual` to the slot that they repeat. */
export function markRegular<Run extends Artefact>({ slots }: TaskGroup<Run>, joined: Joined<Run>): void {
  const regular = evenOnes(joined.unplaced.filter(isByHandPerhaps).toSorted((a, b) => a.run.startedAtMs - b.run.startedAtMs));
  if (regular.size === 0) return;
  joined.unplaced = joined.unplaced.filter((one) => !regular.has(one));
  for (const { run } of regular) repeat(joined.slots[newestAtOrBefore(slots, run.startedAtMs)], run, joined.unplaced, true);
  for (const slot of joined.slots) slot.runs.sort((a, b) => a.startedAtMs - b.startedAtMs);
}

/** Ascending in. Chains in which every distance is near the first one of the chain, of those that are long enough. */
function evenOnes<Run extends Artefact>(runs: readonly Unplaced<Run>[]): Set<Unplaced<Run>> {
  const even = new Set<Unplaced<Run>>();
  let first = 0;
  for (let next = 2; next <= runs.length; next += 1) {
    if (next < runs.length && isNear(gapBefore(runs, next), gapBefore(runs, first + 1))) continue;
    if (next - first >= EVEN_MANY) for (const one of runs.slice(first, next)) even.add(one);
    first = next - 1;
  }
  return even;
}

function gapBefore<Run extends Artefact>(runs: readonly Unplaced<Run>[], index: number): number {
  return (runs[index] as Unplaced<Run>).run.startedAtMs - (runs[index - 1] as Unplaced<Run>).run.startedAtMs;
}

/** Of short distances nobody can tell an even hand from a clock by less than a small share of them. */
function isNear(gapMs: number, firstMs: number): boolean {
  return Math.abs(gapMs - firstMs) <= Math.min(EVEN_WITHIN_MS, firstMs * EVEN_SHARE);
}
