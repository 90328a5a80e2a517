/**
 * What a scheduler remembers across restarts: its last pass, and for each slot of the look-back window how far it got.
 * Models one scheduler process per state file; two at once are not noticed.
 */
import { isInstant } from "./judge/instant.ts";
import type { FireReason } from "./records.ts";

/**
 * `queued`: due, not dispatched, so a restart may dispatch it. `intended`: written before the dispatch, so a restart must
 * not. `decided`: dispatched, refused or expired. `interrupted`: was intended when its process died.
 */
export type SlotStage = "queued" | "intended" | "decided" | "interrupted";

export interface RememberedSlot {
  readonly taskId: string;
  readonly slotMs: number;
  readonly reason: FireReason;
  readonly stage: SlotStage;
}

export interface SchedulerState {
  readonly lastPassMs: number | undefined;
  /** By slot key. */
  readonly slots: ReadonlyMap<string, RememberedSlot>;
}

export const EMPTY_STATE: SchedulerState = { lastPassMs: undefined, slots: new Map() };

const STAGES: readonly string[] = ["queued", "intended", "decided", "interrupted"] satisfies SlotStage[];
const REASONS: readonly string[] = ["scheduled", "catch-up", "one-shot"] satisfies FireReason[];

/** The same state with some slots set. */
export function withSlots(state: SchedulerState, slots: Iterable<readonly [string, RememberedSlot]>): SchedulerState {
  return { ...state, slots: new Map([...state.slots, ...slots]) };
}

export function isRememberedSlot(value: unknown): value is RememberedSlot {
  if (typeof value !== "object" || value === null) return false;
  const { taskId, slotMs, reason, stage } = value as Record<string, unknown>;
  return (
    typeof taskId === "string" &&
    typeof slotMs === "number" &&
    isInstant(slotMs) &&
    REASONS.includes(reason as string) &&
    STAGES.includes(stage as string)
  );
}
