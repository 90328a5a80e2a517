/** Whether a due slot may still be dispatched, seen from the task as it is now. Pure. */
import type { Task } from "@casebook/registry/judge";
import type { DueSlot } from "./decide-pass.ts";
import type { SchedulerPolicies } from "./policies.ts";
import type { FireProblem } from "./records.ts";

/** Undefined when it may. `hasSlot`: whether a task's schedule has this slot. */
export function refusalOf(
  slot: DueSlot,
  task: Task | undefined,
  policies: SchedulerPolicies,
  hasSlot: (task: Task, slotMs: number) => boolean,
): FireProblem | undefined {
  if (task === undefined) return refusal("TASK_REMOVED", slot, "its task is gone");
  if (policies.enabledRead !== "at-fire-time") return undefined;
  if (!task.enabled) return refusal("TASK_DISABLED", slot, "its task is disabled by now");
  // A scheduler that makes slots up cannot ask the schedule for them.
  if (policies.catchUpWeekday === "ignored" || hasSlot(task, slot.slotMs)) return undefined;
  return refusal("TASK_RESCHEDULED", slot, "its task has another schedule by now");
}

function refusal(code: string, { key }: DueSlot, why: string): FireProblem {
  return { code, message: `${code}: ${key} was due, but ${why}; nothing was started.` };
}
