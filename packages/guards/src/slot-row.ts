/** The row that the slot guards judge, and how a message names rows. */

/**
 * What a row means.
 * `ran`: seen and claimed, perhaps late. `ghost-success`: claimed, not seen. `invisible-fire`: seen, not claimed. `missed`:
 * neither. `duplicate`: seen more than once. `disabled-fired`: seen although disabled. `wrong-slot`: started by a scheduler,
 * and no slot of the task. `manual`: no slot, and for all that is known started by hand. `discarded`: passed while the machine
 * slept, as far as anybody can tell, and dropped as the product says. `pending`: its grace has not ended. `unjudged`: nobody
 * could look that far back, or the task's slots are not known. `paused`: disabled, and did not run.
 */
export type Reading =
  | "ran"
  | "ghost-success"
  | "invisible-fire"
  | "missed"
  | "wrong-slot"
  | "manual"
  | "disabled-fired"
  | "duplicate"
  | "discarded"
  | "pending"
  | "unjudged"
  | "paused";

/**
 * One row of the slot ledger: one task, one slot, and what three independent witnesses say about it: the calendar (due), the
 * registry (claimed) and the artefacts (seen). Rows are facts; which sources they were read from, with how much grace, is
 * the business of whoever builds them. A source that could not be read gives no rows, and the check is NOT RUN.
 */
export interface SlotRow {
  readonly taskId: string;
  /** Milliseconds since the epoch: the slot, or for a run that belongs to none the time of the run. */
  readonly slotMs: number;
  /** Whether the task was enabled when it was seen to run; when it was not seen, at the slot. */
  readonly enabled: boolean;
  /** Whether the task's schedule has this slot, enabled or not. */
  readonly due: boolean;
  /**
   * Whether the registry knows: with runs seen, that its stamp is not older than the last of them; with none seen, that it
   * says the slot ran.
   */
  readonly claimed: boolean;
  /** Runs that left an artefact, catch-up runs included. */
  readonly seen: number;
  /** What the ledger makes of it; a row that was not made by the ledger has none. */
  readonly reading?: Reading;
}

/** Rows that a message names; the counts always have all of them. */
const MAX_NAMED = 3;

/** The task of all these rows, or `fleet` when they are of several. */
export function subjectOf(rows: readonly SlotRow[]): string {
  const first = rows[0]?.taskId;
  return first !== undefined && rows.every(({ taskId }) => taskId === first) ? first : "fleet";
}

/** The first few rows as `task at instant`, and how many more there are. */
export function namesOf(rows: readonly SlotRow[]): string {
  const named = rows.slice(0, MAX_NAMED).map(({ taskId, slotMs }) => `${taskId} at ${shown(slotMs)}`);
  const rest = rows.length - named.length;
  return rest === 0 ? named.join(", ") : `${named.join(", ")} and ${rest} more`;
}

function shown(slotMs: number): string {
  const date = new Date(slotMs);
  return Number.isNaN(date.getTime()) ? String(slotMs) : date.toISOString();
}

export function runsOf(rows: readonly SlotRow[]): number {
  return rows.reduce((runs, { seen }) => runs + seen, 0);
}
