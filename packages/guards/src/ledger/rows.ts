/** Makes the rows of one task and reads each of them. */
import { type TaskClaims, toleranceOf } from "./claims.ts";
import type { TaskGroup } from "./group.ts";
import type { Artefact, DueSlot, LedgerInput, LedgerRow, LedgerTask, Reading } from "./input.ts";
import type { Joined, SlotRuns, Unplaced } from "./join-runs.ts";
import { readAbsence, type Read } from "./read-absence.ts";

export function rowsOfTask<Run extends Artefact>(
  { task, slots }: TaskGroup<Run>,
  joined: Joined<Run>,
  claims: TaskClaims,
  input: LedgerInput<Run>,
): LedgerRow<Run>[] {
  const rows = joined.unplaced.map((one) => rowWithoutSlot(one, task, claims, input));
  // From the newest slot back, so that a slot without a run knows what came after it.
  const isDoneByTwin = twinsDone(joined.slots, claims);
  let after: Parameters<typeof readAbsence>[3] = { nextRunMs: undefined, asleepUntilMs: undefined };
  for (let index = slots.length - 1; index >= 0; index -= 1) {
    const here = joined.slots[index] as SlotRuns<Run>;
    const [first] = here.runs;
    if (first !== undefined) {
      rows.push(rowOfRuns(here, task, claims, input));
      after = { nextRunMs: first.startedAtMs, asleepUntilMs: undefined };
    } else if (!isDoneByTwin(here.slot)) {
      const read = readAbsence(here.slot, claims.slots.has(here.slot), input, after);
      rows.push(rowOf(here.slot, read, [], claims.slots.has(here.slot)));
      after = { nextRunMs: after.nextRunMs, asleepUntilMs: read.asleepUntilMs ?? after.asleepUntilMs };
    }
  }
  return rows;
}

/** Whether a slot without a run is no slot, because the other one of its time ran, or is said to have. */
function twinsDone<Run extends Artefact>(slots: readonly SlotRuns<Run>[], claims: TaskClaims): (slot: DueSlot) => boolean {
  const twins = new Map(slots.filter(({ slot }) => slot.twinMs !== undefined).map((one) => [one.slot.slotMs, one]));
  return (slot) => {
    const twin = slot.twinMs === undefined ? undefined : twins.get(slot.twinMs);
    return twin !== undefined && (twin.runs.length > 0 || (claims.slots.has(twin.slot) && !claims.slots.has(slot)));
  };
}

function rowOfRuns<Run extends Artefact>(
  { slot, runs, isGuessed }: SlotRuns<Run>,
  task: LedgerTask,
  claims: TaskClaims,
  input: LedgerInput<Run>,
): LedgerRow<Run> {
  const { startedAtMs } = runs.at(-1) as Run;
  const knows = isKnown(startedAtMs, slot, claims, input);
  const power = wasEnabled(task, slot.enabled, startedAtMs, slot, claims);
  const reading: Reading = !power.enabled ? "disabled-fired" : runs.length > 1 ? "duplicate" : knows ? "ran" : "invisible-fire";
  const confidence = isGuessed || power.isGuessed ? "inferred" : "measured";
  return rowOf(slot, { reading, confidence, enabled: power.enabled }, runs, knows);
}

function rowOf<Run extends Artefact>(slot: DueSlot, read: Read, runs: readonly Run[], claimed: boolean): LedgerRow<Run> {
  const [first] = runs;
  return {
    taskId: slot.taskId,
    slotMs: slot.slotMs,
    enabled: read.enabled,
    due: true,
    claimed,
    seen: runs.length,
    reading: read.reading,
    confidence: read.confidence,
    kind: slot.kind ?? "recurring",
    runs,
    lateMs: first === undefined ? undefined : Math.max(0, first.startedAtMs - slot.slotMs),
  };
}

function rowWithoutSlot<Run extends Artefact>(
  { run, reading, isGuessed }: Unplaced<Run>,
  task: LedgerTask,
  claims: TaskClaims,
  input: LedgerInput<Run>,
): LedgerRow<Run> {
  const power = wasEnabled(task, task.enabled, run.startedAtMs, undefined, claims);
  // Whatever its slots are: a task that is known to be off has none.
  const isOff = !power.enabled && (reading === "wrong-slot" || (reading === "unjudged" && !power.isGuessed));
  return {
    taskId: task.taskId,
    slotMs: run.startedAtMs,
    enabled: power.enabled,
    due: false,
    claimed: isKnown(run.startedAtMs, undefined, claims, input),
    seen: 1,
    reading: isOff ? "disabled-fired" : reading,
    confidence: isGuessed || (isOff && power.isGuessed) ? "inferred" : "measured",
    kind: "recurring",
    runs: [run],
    lateMs: undefined,
  };
}

/** Whether the stamp is not older than the run. A run that began just now may not have been stamped yet. */
function isKnown(startedAtMs: number, slot: DueSlot | undefined, claims: TaskClaims, { nowMs }: LedgerInput): boolean {
  return !claims.areKept || isStamped(startedAtMs, slot, claims) || startedAtMs > nowMs - toleranceOf(slot);
}

function isStamped(startedAtMs: number, slot: DueSlot | undefined, { newestMs }: TaskClaims): boolean {
  return newestMs !== undefined && startedAtMs <= newestMs + toleranceOf(slot);
}

/**
 * The registry says what is, not what was. A run of a task that is off now and that the registry knows was taken when the
 * task was on: it was switched off later, as one-shots are. One that it does not know was not.
 */
function wasEnabled(
  task: LedgerTask,
  isEnabled: boolean,
  startedAtMs: number,
  slot: DueSlot | undefined,
  claims: TaskClaims,
): { readonly enabled: boolean; readonly isGuessed: boolean } {
  if (isEnabled) return { enabled: true, isGuessed: false };
  if (task.disabledSinceMs !== undefined && startedAtMs >= task.disabledSinceMs) return { enabled: false, isGuessed: false };
  return { enabled: !claims.areKept || isStamped(startedAtMs, slot, claims), isGuessed: true };
}
