/** What the registry's claims about one task prove: which slots, and up to when its runs are known. */
import { newestAtOrBefore, type TaskGroup } from "./group.ts";
import type { Artefact, DueSlot, LedgerInput } from "./input.ts";
import type { Joined } from "./join-runs.ts";
import { EARLY_START_MS, STAMP_TOLERANCE_MS } from "./limits.ts";

export interface TaskClaims {
  /** Slots that the registry says ran and that no run seen elsewhere explains. */
  readonly slots: ReadonlySet<DueSlot>;
  /** The newest claim. Undefined: it claims that the task never ran. */
  readonly newestMs: number | undefined;
  /** False: the layout keeps no claims, or what it has of this task could not be read. */
  readonly areKept: boolean;
}

export function claimsOf<Run extends Artefact>(
  { task, slots, claims }: TaskGroup<Run>,
  joined: Joined<Run>,
  input: LedgerInput<Run>,
): TaskClaims {
  const claimed = new Set<DueSlot>();
  for (const claimMs of claims) {
    // A stamp from the future still says that something ran, and nothing can have run after now.
    const atMs = Math.min(claimMs, input.nowMs);
    const slot = slots[newestAtOrBefore(slots, atMs + EARLY_START_MS)];
    if (slot === undefined) continue;
    const isOfAnotherRun = joined.unplaced.some(({ run }) => {
      const distanceMs = Math.abs(run.startedAtMs - atMs);
      return distanceMs <= toleranceOf(slot) && distanceMs < Math.abs(atMs - slot.slotMs);
    });
    if (!isOfAnotherRun) claimed.add(slot);
  }
  return { slots: claimed, newestMs: claims.at(-1), areKept: input.claims !== undefined && task.claims !== "unknown" };
}

/** Some products stamp before the session exists, some with the slot, some when the run has ended. */
export function toleranceOf(slot: DueSlot | undefined): number {
  return slot === undefined || !(slot.graceMs > 0) ? STAMP_TOLERANCE_MS : slot.graceMs;
}
