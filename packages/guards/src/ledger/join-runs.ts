/** Joins the runs of one task to its slots: on time first, then as catch-up runs, and what is left has no slot. */
import { newestAtOrBefore, type TaskGroup } from "./group.ts";
import type { Artefact, DueSlot, LedgerInput } from "./input.ts";
import { EARLY_START_MS, RERUN_WITHIN_MS, SURPLUS_MANY, SURPLUS_WITHIN_MS } from "./limits.ts";

export interface SlotRuns<Run extends Artefact> {
  readonly slot: DueSlot;
  runs: Run[];
  /** Whether a run is here by guess: nothing says that it was a catch-up run, or it is here as a storm's. */
  isGuessed: boolean;
}

export interface Unplaced<Run extends Artefact> {
  readonly run: Run;
  readonly reading: "manual" | "wrong-slot" | "unjudged";
  readonly isGuessed: boolean;
}

/** Nothing says who started it. */
export function isByHandPerhaps<Run extends Artefact>({ reading, isGuessed }: Unplaced<Run>): boolean {
  return reading === "manual" && isGuessed;
}

export interface Joined<Run extends Artefact> {
  readonly slots: readonly SlotRuns<Run>[];
  unplaced: Unplaced<Run>[];
}

export function joinRuns<Run extends Artefact>(group: TaskGroup<Run>, input: LedgerInput<Run>): Joined<Run> {
  const slots = group.slots.map((slot): SlotRuns<Run> => ({ slot, runs: [], isGuessed: false }));
  const late: Run[] = [];
  const unplaced: Unplaced<Run>[] = [];
  const byHandPerhaps = new Map<SlotRuns<Run>, Run[]>();
  for (const run of group.runs) {
    if (run.trigger === "manual") unplaced.push({ run, reading: "manual", isGuessed: false });
    else if (group.task.slots === "unknown" || run.startedAtMs < Math.max(input.dueFromMs, group.task.slotsFromMs ?? input.dueFromMs)) {
      unplaced.push({ run, reading: "unjudged", isGuessed: false });
    } else {
      const newest = slots[newestAtOrBefore(group.slots, run.startedAtMs + EARLY_START_MS)];
      if (newest !== undefined && isInGrace(run, newest.slot)) {
        if (isLater(run, newest)) byHandPerhaps.set(newest, [...(byHandPerhaps.get(newest) ?? []), run]);
        else newest.runs.push(run);
      } else late.push(run);
    }
  }
  for (const [slot, runs] of byHandPerhaps) {
    if (runs.length < SURPLUS_MANY) unplaced.push(...runs.map((run) => ({ run, reading: "manual" as const, isGuessed: true })));
    else {
      for (const run of runs) place(slot, run, true);
      slot.runs.sort((a, b) => a.startedAtMs - b.startedAtMs);
    }
  }
  const joined = { slots, unplaced };
  joinLate(joined, late, group, input);
  return joined;
}

/** The slot has its run, and this one, of which nothing says who started it, comes minutes later: a person may have. */
function isLater<Run extends Artefact>({ trigger, startedAtMs }: Run, { runs }: SlotRuns<Run>): boolean {
  const before = runs.at(-1);
  return trigger === "unknown" && before !== undefined && startedAtMs - before.startedAtMs > SURPLUS_WITHIN_MS;
}

function isInGrace({ startedAtMs }: Artefact, { slotMs, graceMs }: DueSlot): boolean {
  return startedAtMs - slotMs <= graceMs || startedAtMs <= slotMs;
}

/** `open`: indexes of the slots before the run that have none, ascending. Every index enters and leaves once. */
function joinLate<Run extends Artefact>(
  { slots, unplaced }: Joined<Run>,
  late: readonly Run[],
  group: TaskGroup<Run>,
  { catchUp }: LedgerInput<Run>,
): void {
  const open: number[] = [];
  let oldest = 0;
  let entered = 0;
  for (const run of late) {
    const newest = newestAtOrBefore(group.slots, run.startedAtMs);
    for (; entered <= newest; entered += 1) if (slots[entered]?.runs.length === 0) open.push(entered);
    const tooOldMs = run.startedAtMs - catchUp.lookBackMs;
    while (oldest < open.length && (slots[open[oldest] as number] as SlotRuns<Run>).slot.slotMs < tooOldMs) oldest += 1;

    const target = oldest < open.length ? targetOf(run, catchUp.policy, open.at(-1) === newest) : undefined;
    if (target !== undefined) {
      if (target === "oldest") oldest += 1;
      const index = target === "oldest" ? (open[oldest - 1] as number) : (open.pop() as number);
      place(slots[index] as SlotRuns<Run>, run, run.trigger === "unknown");
    } else if (run.trigger === "catch-up") {
      repeat(slots[newest], run, unplaced, false);
    } else {
      const isScheduled = run.trigger === "scheduled";
      unplaced.push({ run, reading: isScheduled ? "wrong-slot" : "manual", isGuessed: !isScheduled });
    }
  }
}

/**
 * A product that says which runs are catch-ups is believed. Else a late run catches up the newest slot only, because
 * under `latest-once` a slot that is older than one that ran is dropped; under `each-missed` the oldest comes first.
 */
function targetOf(
  run: Artefact,
  policy: LedgerInput["catchUp"]["policy"],
  isNewestOpen: boolean,
): "oldest" | "newest" | undefined {
  if (policy === "each-missed") return "oldest";
  return run.trigger === "catch-up" || isNewestOpen ? "newest" : undefined;
}

function place<Run extends Artefact>(slot: SlotRuns<Run>, run: Run, isGuessed: boolean): void {
  slot.runs.push(run);
  slot.isGuessed ||= isGuessed;
}

/** A catch-up run with nothing to catch up: its newest slot again, or, when that is long ago, no slot of the task at all. */
export function repeat<Run extends Artefact>(
  newest: SlotRuns<Run> | undefined,
  run: Run,
  unplaced: Unplaced<Run>[],
  isGuessed: boolean,
): void {
  if (newest !== undefined && run.startedAtMs - newest.slot.slotMs <= RERUN_WITHIN_MS) place(newest, run, isGuessed);
  else unplaced.push({ run, reading: "wrong-slot", isGuessed });
}
