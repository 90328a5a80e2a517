/**
 * Slots whose time the clocks show twice, in a night in which they go back. One engine starts such a task once and another
 * twice, and which of them the product has is not known. Leaves out gaps: there every engine has one slot or none.
 */
import type { Schedule } from "@casebook/registry/judge";
import { type ClockChange, clockChanges } from "./clock-changes.ts";
import { ENGINES } from "./cron-engines.ts";

/** For either slot of a pair on which the engines differ, the other one. `slots` ascend; `zone` is for a schedule that names none. */
export function twinSlots(schedule: Schedule, slots: readonly number[], zone: string): ReadonlyMap<number, number> {
  const [first] = slots;
  const last = slots.at(-1);
  if (schedule.kind !== "cron" || first === undefined || last === undefined) return new Map();
  const own = schedule.zone ?? zone;
  const has = new Set(slots);
  const twins = new Map<number, number>();
  for (const change of clockChanges(own, first, last + 1)) {
    for (const again of slots.filter((slotMs) => isRepeat(slotMs, change) && has.has(slotMs + change.jumpMs))) {
      const before = again + change.jumpMs;
      if (!isTorn(schedule.expression, own, change, [before, again])) continue;
      twins.set(again, before).set(before, again);
    }
  }
  return twins;
}

/** Whether the clocks showed its time before. */
function isRepeat(slotMs: number, { atMs, jumpMs }: ClockChange): boolean {
  return slotMs >= atMs && slotMs < atMs - jumpMs;
}

function isTorn(expression: string, zone: string, change: ClockChange, pair: readonly number[]): boolean {
  return ENGINES.some(({ slots }) => {
    const answer = slots(expression, zone, change);
    return answer !== undefined && pair.some((slotMs) => !answer.includes(slotMs));
  });
}
