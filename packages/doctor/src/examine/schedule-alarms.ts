/** The guards over schedules and recorded skips. */
import {
  scheduleDstHazard,
  scheduleImpossible,
  scheduleNeverFires,
  scheduleSkipsExceedFires,
} from "@casebook/guards";
import type { LayoutObservation } from "../observation.ts";
import { dstHazards } from "./dst-hazards.ts";
import { type ExamineWindow, FIELD_LOST, type LayoutLedger } from "./ledger-of-layout.ts";
import { raise, type Raised } from "./raised.ts";

/** Slots that nobody can name although the schedule is well: its tasks are NOT RUN. */
const NOBODYS_FAULT: ReadonlySet<string> = new Set(["INTERVAL_UNANCHORED", "TOO_MANY_SLOTS", FIELD_LOST]);

/** Schedules whose fault is told whole; all of them are counted. */
const MAX_SAID = 3;

export function scheduleAlarms(layout: LayoutObservation, ledger: LayoutLedger, window: ExamineWindow): Raised[] {
  const registered = layout.tasks.filter((task) => task.registries.length > 0);
  const around = (ids: readonly string[]) => ({
    tasks: ids.toSorted(),
    where: registered.find(({ id }) => ids.includes(id))?.place,
    proof: [`tasks ${registered.length} (registry)`],
    confidence: "measured" as const,
  });
  const unreadable = registered.flatMap(({ id, schedule }) => {
    const answer = ledger.schedules.get(id);
    // A schedule that could not be read at all is the entry's fault, and registry/entry-invalid says so.
    return schedule !== undefined && answer?.outcome === "problem" && !NOBODYS_FAULT.has(answer.code) ? [{ taskId: id, problem: answer.code, says: answer.message }] : [];
  });
  const never = registered.filter(({ id, enabled }) => enabled && ledger.schedules.get(id)?.outcome === "never").map(({ id }) => id);
  const impossible = around(unreadable.map(({ taskId }) => taskId));
  const said = unreadable.slice(0, MAX_SAID).map(({ taskId, says }) => `${taskId}: ${says}`);
  const hazards = dstHazards(registered, window.zone, window.nowMs);
  return [
    ...raise(scheduleImpossible, { schedules: registered.length, unreadable }, { ...impossible, proof: [...impossible.proof, ...said] }),
    ...raise(scheduleNeverFires, { schedules: registered.length, never }, around(never)),
    ...raise(scheduleDstHazard, hazards, around([...new Set(hazards.hazards.map(({ taskId }) => taskId))])),
    ...skips(layout, ledger, window),
  ];
}

/** Skips within the window against the slots within the window. */
function skips(layout: LayoutObservation, { ledger, schedules }: LayoutLedger, { fromMs, toMs }: ExamineWindow): Raised[] {
  const recorded = layout.registries.flatMap((registry) => registry.skips);
  // Of a task whose slots nobody knows it cannot be said that they are fewer than its skips.
  const isKnown = (taskId: string) => ledger.tasks.some((one) => one.taskId === taskId) && schedules.get(taskId)?.outcome !== "problem";
  const ids = [...new Set(recorded.map(({ taskId }) => taskId))].filter(isKnown).toSorted();
  // A slot whose grace is still running has been skipped as well as any other.
  const slotsOf = (taskId: string) => {
    const sum = ledger.tasks.find((one) => one.taskId === taskId);
    return sum === undefined ? 0 : sum.due + sum.pending;
  };
  const tasks = ids.map((taskId) => {
    const own = recorded.filter((one) => one.taskId === taskId);
    const within = own.map(({ reason, atMs }) => ({ reason, times: atMs.filter((at) => at >= fromMs && at <= toMs).length }));
    return {
      taskId,
      skips: within.reduce((sum, { times }) => sum + times, 0),
      expectedFires: slotsOf(taskId),
      reasons: [...new Set(within.filter(({ times }) => times > 0).map(({ reason }) => reason))].toSorted(),
    };
  });
  const over = tasks.filter((task) => task.skips > task.expectedFires).map(({ taskId }) => taskId);
  return raise(scheduleSkipsExceedFires, { tasks }, {
    tasks: over.filter((id) => layout.tasks.some((task) => task.id === id)),
    where: layout.tasks.find(({ id }) => over.includes(id))?.place,
    proof: tasks.filter(({ taskId }) => over.includes(taskId)).slice(0, 5).map((task) => `${task.taskId}: skips ${task.skips}, slots ${task.expectedFires}`),
    confidence: "measured",
  });
}
