/** Slots near a change of the clocks in the year ahead, as two engines have them side by side. */
import type { ScheduleDstHazardFacts } from "@casebook/guards";
import type { TaskObservation } from "../observation.ts";
import { clockChanges } from "./clock-changes.ts";
import { AROUND_MS, ENGINES } from "./cron-engines.ts";

export function dstHazards(tasks: readonly TaskObservation[], zone: string, nowMs: number): ScheduleDstHazardFacts {
  const crons = tasks.flatMap((task) => (task.enabled && task.schedule?.kind === "cron" ? [{ task, schedule: task.schedule }] : []));
  const hazards = crons.flatMap(({ task, schedule }) => {
    const own = schedule.zone ?? zone;
    return clockChanges(own, nowMs).flatMap((change) => {
      const answers = ENGINES.map(({ engine, slots }) => ({ engine, slots: slots(schedule.expression, own, change) }));
      const isNear = answers.some(({ slots }) => slots?.some((slotMs) => Math.abs(slotMs - change.atMs) <= AROUND_MS / 2) === true);
      return isNear ? [{ taskId: task.id, changeMs: change.atMs, answers }] : [];
    });
  });
  return { schedules: crons.length, hazards, nowMs };
}
