/** The guards over the slot ledger: which runs were one too many, of a disabled task, unknown to the registry, or of no slot. */
import { defineGuard } from "./finding.ts";

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
}

/** Rows that a message names; the counts always have all of them. */
const MAX_NAMED = 3;

/** The task of all these rows, or `fleet` when they are of several. */
function subjectOf(rows: readonly SlotRow[]): string {
  const first = rows[0]?.taskId;
  return first !== undefined && rows.every(({ taskId }) => taskId === first) ? first : "fleet";
}

/** The first few rows as `task at instant`, and how many more there are. */
function namesOf(rows: readonly SlotRow[]): string {
  const named = rows.slice(0, MAX_NAMED).map(({ taskId, slotMs }) => `${taskId} at ${shown(slotMs)}`);
  const rest = rows.length - named.length;
  return rest === 0 ? named.join(", ") : `${named.join(", ")} and ${rest} more`;
}

function shown(slotMs: number): string {
  const date = new Date(slotMs);
  return Number.isNaN(date.getTime()) ? String(slotMs) : date.toISOString();
}

function runsOf(rows: readonly SlotRow[]): number {
  return rows.reduce((runs, { seen }) => runs + seen, 0);
}

/**
 * Finds slots that ran more than once. Rows of one task and slot are added up, so a run that a second store saw counts too.
 * Says nothing about why; a run without a slot of its own is `slot/wrong-slot`.
 */
export const slotDuplicate = defineGuard<readonly SlotRow[]>(
  {
    id: "slot/duplicate",
    needs: ["for each task and slot, the runs that left an artefact"],
    severity: "alarm",
    text: "A slot that had run was run again.",
    case: "002",
  },
  (rows) => {
    const slots = addedUp(rows);
    const duplicated = slots.filter(({ seen }) => seen > 1);
    if (duplicated.length === 0) return undefined;
    const runs = runsOf(duplicated);
    const excess = runs - duplicated.length;
    const ratio = (runs / duplicated.length).toFixed(2);
    return {
      subject: subjectOf(duplicated),
      message:
        `${duplicated.length} of ${slots.length} slots ran more than once: ${runs} runs, ${excess} too many, ` +
        `${ratio} for each of them: ${namesOf(duplicated)}`,
      counts: { slots: slots.length, duplicated: duplicated.length, runs, excess },
    };
  },
);

function addedUp(rows: readonly SlotRow[]): SlotRow[] {
  const slots = new Map<string, SlotRow>();
  for (const row of rows) {
    const key = `${row.slotMs} ${row.taskId}`;
    slots.set(key, { ...row, seen: row.seen + (slots.get(key)?.seen ?? 0) });
  }
  return [...slots.values()];
}

/** Finds runs of tasks that were disabled. A run that somebody started by hand looks the same. */
export const slotDisabledFired = defineGuard<readonly SlotRow[]>(
  {
    id: "slot/disabled-fired",
    needs: ["for each task and slot, the runs that left an artefact", "whether the task was enabled when it ran"],
    severity: "alarm",
    text: "A task ran although it was disabled.",
    case: "002",
  },
  (rows) => {
    const disabled = rows.filter(({ enabled }) => !enabled);
    const fired = disabled.filter(({ seen }) => seen > 0);
    if (fired.length === 0) return undefined;
    const runs = runsOf(fired);
    return {
      subject: subjectOf(fired),
      message: `${fired.length} of ${disabled.length} slots of disabled tasks ran: ${namesOf(fired)}`,
      counts: { slots: disabled.length, fired: fired.length, runs },
    };
  },
);

/** Finds runs that the registry knows nothing of. A stamp that is there says only that somebody wrote it. */
export const slotInvisibleFire = defineGuard<readonly SlotRow[]>(
  {
    id: "slot/invisible-fire",
    needs: ["for each task and slot, the runs that left an artefact", "the registry's own claim about the last of them"],
    severity: "alarm",
    text: "A task ran and the registry does not know.",
    case: "002",
  },
  (rows) => {
    const seen = rows.filter((row) => row.seen > 0);
    const invisible = seen.filter(({ claimed }) => !claimed);
    if (invisible.length === 0) return undefined;
    return {
      subject: subjectOf(invisible),
      message: `${invisible.length} of ${seen.length} slots that ran are not in the registry: ${namesOf(invisible)}`,
      counts: { slots: seen.length, invisible: invisible.length },
    };
  },
);

/** Finds runs that belong to no slot of their task, such as a weekly's on another weekday. A run by hand looks the same, hence a warning. */
export const slotWrongSlot = defineGuard<readonly SlotRow[]>(
  {
    id: "slot/wrong-slot",
    needs: ["the runs that left an artefact", "whether the task's schedule has a slot for each"],
    severity: "warning",
    text: "A task ran at a time that its schedule does not have: another weekday, or by hand.",
    case: "002",
  },
  (rows) => {
    const seen = rows.filter((row) => row.seen > 0);
    const wrong = seen.filter(({ due }) => !due);
    if (wrong.length === 0) return undefined;
    const runs = runsOf(wrong);
    return {
      subject: subjectOf(wrong),
      message: `${runs} of ${runsOf(seen)} runs belong to no slot of their task: ${namesOf(wrong)}`,
      counts: { runs: runsOf(seen), wrong: runs },
    };
  },
);
