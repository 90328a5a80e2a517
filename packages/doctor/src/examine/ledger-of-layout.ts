/**
 * One layout's slots, claims and traces, joined by the ledger, and the guards over its rows. Says which tasks could not
 * be judged and why.
 */
import {
  fleetSilent,
  fleetSilentFacts,
  type LedgerInput,
  type LedgerRow,
  slotDisabledFired,
  slotDuplicate,
  slotGhostSuccess,
  slotInvisibleFire,
  type SlotLedger,
  slotLedger,
  slotMissed,
  slotWrongSlot,
} from "@casebook/guards";
import type { ArtefactObservation, LayoutObservation, TaskObservation } from "../observation.ts";
import { type DueAnswer, dueSlots } from "./due-slots.ts";
import { raise, type Raised } from "./raised.ts";

export interface ExamineWindow {
  readonly fromMs: number;
  readonly toMs: number;
  readonly nowMs: number;
  readonly zone: string;
}

type Run = ArtefactObservation["runs"][number];

export interface LayoutLedger {
  readonly ledger: SlotLedger<Run>;
  readonly raised: readonly Raised[];
  /** Schedules that give no slots, by task. */
  readonly schedules: ReadonlyMap<string, Exclude<DueAnswer, { outcome: "slots" }>>;
  /** Tasks whose slots were more than are looked at. */
  readonly capped: readonly string[];
}

const ROW_GUARDS = [slotMissed, slotGhostSuccess, slotInvisibleFire, slotDuplicate, slotDisabledFired, slotWrongSlot] as const;

export function ledgerOfLayout(layout: LayoutObservation, window: ExamineWindow): LayoutLedger {
  const { preset, artefacts } = layout;
  const dueFromMs = window.fromMs - preset.catchUp.lookBackMs;
  const answers = layout.tasks
    .filter((task) => task.registries.length > 0)
    .map((task) => [task, dueSlots(task, preset, { fromMs: dueFromMs, toMs: window.toMs, zone: window.zone })] as const);
  const input: LedgerInput<Run> = {
    tasks: answers.map(([task, answer]) => ({
      taskId: task.id,
      enabled: task.enabled,
      slots: answer.outcome === "problem" ? ("unknown" as const) : ("known" as const),
    })),
    due: answers.flatMap(([, answer]) => (answer.outcome === "slots" ? answer.slots : [])),
    dueFromMs,
    claims: preset.fields.lastRun === undefined ? undefined : claimsOf(layout.tasks),
    artefacts: artefacts?.runs,
    artefactsReachBackToMs: artefacts?.reachesBackToMs,
    awake: layout.awake,
    catchUp: preset.catchUp,
    windowFromMs: window.fromMs,
    windowToMs: window.toMs,
    nowMs: window.nowMs,
  };
  const ledger = slotLedger(input);
  return {
    ledger,
    raised: artefacts === undefined ? [] : [...rowAlarms(layout, ledger), ...fleetAlarm(layout, input, ledger)],
    schedules: new Map(answers.flatMap(([task, answer]) => (answer.outcome === "slots" ? [] : [[task.id, answer] as const]))),
    capped: answers.flatMap(([task, answer]) => (answer.outcome === "slots" && answer.capped ? [task.id] : [])),
  };
}

function claimsOf(tasks: readonly TaskObservation[]): { taskId: string; atMs: number }[] {
  return tasks.flatMap(({ id, lastRun }) => (lastRun === undefined ? [] : [{ taskId: id, atMs: lastRun.atMs }]));
}

/** One finding a task and guard: a fleet-wide sentence would name three of forty. */
function rowAlarms(layout: LayoutObservation, { rows }: SlotLedger<Run>): Raised[] {
  const byTask = new Map<string, LedgerRow<Run>[]>();
  for (const row of rows) byTask.set(row.taskId, [...(byTask.get(row.taskId) ?? []), row]);
  return [...byTask].flatMap(([taskId, own]) =>
    ROW_GUARDS.flatMap((guard) =>
      raise(guard, own, {
        tasks: [taskId],
        where: whereOf(layout, taskId, guard.about.id, own),
        proof: proofOf(layout, own),
        confidence: own.some((row) => row.confidence === "inferred") ? "inferred" : "measured",
      }),
    ),
  );
}

/** A surplus run is at its trace, a missing one at the task's entry. */
function whereOf(layout: LayoutObservation, taskId: string, guard: string, rows: readonly LedgerRow<Run>[]) {
  const surplus = ["slot/duplicate", "slot/disabled-fired", "slot/invisible-fire", "slot/wrong-slot"].includes(guard);
  const newest = rows.flatMap((row) => row.runs).toSorted((a, b) => b.startedAtMs - a.startedAtMs)[0];
  const task = layout.tasks.find((one) => one.id === taskId);
  return surplus && newest !== undefined ? newest.place : (task?.lastRun?.place ?? task?.place);
}

function proofOf({ artefacts }: LayoutObservation, rows: readonly LedgerRow<Run>[]): string[] {
  const runs = rows.reduce((sum, row) => sum + row.seen, 0);
  const claimed = rows.filter((row) => row.claimed).length;
  const due = rows.filter((row) => row.due && row.enabled && row.reading !== "pending").length;
  const { files = 0, lines = 0 } = artefacts?.searched ?? {};
  return [`due ${due} (schedule)`, `claimed ${claimed} (registry)`, `runs ${runs} (${files} files and ${lines} lines searched)`];
}

function fleetAlarm(layout: LayoutObservation, input: LedgerInput<Run>, ledger: SlotLedger<Run>): Raised[] {
  const facts = fleetSilentFacts(input, ledger);
  if (facts === undefined) return [];
  return raise(fleetSilent, facts, {
    tasks: [],
    where: undefined,
    proof: [`enabled ${facts.enabledTasks} (registry)`, `runs 0 since then (${layout.artefacts?.searched.files ?? 0} files searched)`],
    confidence: layout.awake.length === 0 ? "inferred" : "measured",
  });
}
