/**
 * The heart of the doctor as one pure function: due, claimed, seen. Joins what the calendar says, what the registry says and
 * what left a trace, one row for each task and slot. Reads nothing and knows no layout, no cron, no zone and no clock.
 *
 * A run belongs to the latest slot at or before its start whose grace it is in. Else, as a catch-up run, to a slot that
 * passed without one. Else to no slot: started by hand as far as anybody can tell (`manual`), or by a scheduler that says
 * so itself or gives itself away (`wrong-slot`, `duplicate`). One run belongs to one row.
 *
 * A registry holds one last run for each task. It proves the newest slot at or before it, unless a run at no slot was seen
 * closer to it, whose claim it is then. Against older slots it says nothing, so their `claimed` is taken over from `seen`. That hides
 * nothing that can be known: an older slot without a trace is `missed` whether or not it was once claimed, and an older run
 * cannot be called invisible by a stamp that a newer run has overwritten.
 *
 * A window holds the slots and the runs in it, and what was decided in it of slots before.
 *
 * Leaves out how long a run took and whether it succeeded.
 */
import { markBursts } from "./ledger/bursts.ts";
import { claimsOf } from "./ledger/claims.ts";
import { groupByTask, type TaskGroup } from "./ledger/group.ts";
import type { Artefact, LedgerInput, LedgerRow, Orphan, SlotLedger } from "./ledger/input.ts";
import { joinRuns, type Joined } from "./ledger/join-runs.ts";
import { markRegular } from "./ledger/regular.ts";
import { rowsOfTask } from "./ledger/rows.ts";
import { mergedSpans } from "./ledger/spans.ts";
import { sumOf, sumsByTask } from "./ledger/sums.ts";

export type * from "./ledger/input.ts";
export { CLOCK_TOLERANCE_MS, EARLY_START_MS, RERUN_WITHIN_MS, STORM_MIN_TASKS, STORM_WITHIN_MS } from "./ledger/limits.ts";

/** Takes its lists in any order. n log n in slots and runs. Rows come sorted by slot, then task. */
export function slotLedger<Run extends Artefact>(facts: LedgerInput<Run>): SlotLedger<Run> {
  const input = { ...facts, awake: mergedSpans(facts.awake), asleep: mergedSpans(facts.asleep) };
  const { groups, orphans } = groupByTask(input);
  const joined = groups.map((group): readonly [TaskGroup<Run>, Joined<Run>] => [group, joinRuns(group, input)]);
  markBursts(joined);
  for (const [group, runs] of joined) markRegular(group, runs);
  const all = joined
    .flatMap(([group, runs]) => rowsOfTask(group, runs, claimsOf(group, runs, input), input))
    .toSorted(inOrder);
  const late = lateVerdicts(all, groups, input);
  const rows = all.filter((row) => isInWindow(row, input) || late.has(row));
  const isSearched = input.artefacts !== undefined;
  return {
    rows,
    outsideWindow: all.filter((row) => !isInWindow(row, input) && !late.has(row)),
    orphans: orphans.toSorted(orphansInOrder),
    tasks: sumsByTask(groups.map(({ task }) => task), rows, isSearched),
    fleet: sumOf(rows, isSearched),
  };
}

/** By its slot, or by a run: a slot of yesterday that ran again an hour ago is of this hour too. */
function isInWindow<Run extends Artefact>(row: LedgerRow<Run>, { windowFromMs, windowToMs }: LedgerInput<Run>): boolean {
  const isIn = (atMs: number) => atMs >= windowFromMs && atMs <= windowToMs;
  return isIn(row.slotMs) || row.runs.some(({ startedAtMs }) => isIn(startedAtMs));
}

/**
 * Slots before the window that nothing was seen of and whose grace ended in it: when they were in the window, nobody could
 * judge them yet. Bad news always; what nobody can judge only where the task has nothing else to be judged by.
 */
function lateVerdicts<Run extends Artefact>(all: readonly LedgerRow<Run>[], groups: readonly TaskGroup<Run>[], input: LedgerInput<Run>): Set<LedgerRow<Run>> {
  const { windowFromMs, windowToMs } = input;
  const judged = new Set(all.filter((row) => row.due && row.reading !== "pending" && isInWindow(row, input)).map(({ taskId }) => taskId));
  const grace = new Map(groups.map(({ task, slots }) => [task.taskId, new Map(slots.map(({ slotMs, graceMs }) => [slotMs, graceMs]))]));
  const late = all.filter((row) => {
    const endMs = row.slotMs + (grace.get(row.taskId)?.get(row.slotMs) ?? Number.NaN);
    if (!row.due || row.seen > 0 || row.slotMs >= windowFromMs || !(endMs > windowFromMs && endMs <= windowToMs)) return false;
    return row.reading === "missed" || row.reading === "ghost-success" || (row.reading === "unjudged" && !judged.has(row.taskId));
  });
  return new Set(late);
}

function inOrder(a: LedgerRow, b: LedgerRow): number {
  return a.slotMs - b.slotMs || compare(a.taskId, b.taskId);
}

function orphansInOrder(a: Orphan, b: Orphan): number {
  return compare(a.artefact.taskId, b.artefact.taskId) || compare(a.artefact.startedAtMs, b.artefact.startedAtMs);
}

/** Plain, because an instant may be no number here. */
function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
