/**
 * Decided slots in few words: neighbours of one cron schedule become one span, so a state grows with its tasks and not with
 * their slots. Exact: a span says what it says for its own schedule, so another schedule's slot in between is not decided.
 */
import type { Schedule, Task } from "@casebook/registry/judge";
import type { Calendars } from "./judge/calendar.ts";
import { slotKey } from "./judge/slots.ts";
import { MAX_SPANS_PER_TASK } from "./policies.ts";
import type { DecidedSpan, RememberedSlot, SchedulerState } from "./state.ts";

/** Whether a slot got anywhere before. */
export function isKnown(state: SchedulerState, taskId: string, slotMs: number, calendars: Calendars): boolean {
  if (state.slots.has(slotKey(taskId, slotMs))) return true;
  const spans = state.spans.get(taskId) ?? [];
  return spans.some((span) => span.fromMs <= slotMs && slotMs <= span.toMs && calendars.hasSlot(cronOf(span), slotMs));
}

/** Not decided yet, so never forgotten. */
export function isOpen({ stage }: RememberedSlot): boolean {
  return stage === "queued" || stage === "intended";
}

/**
 * Makes spans of the closed slots of listed cron tasks, and forgets spans up to `earliestMs`. Per task the newest
 * MAX_SPANS_PER_TASK are kept: a window starts at the last pass, so older ones matter only to a clock that is set back.
 */
export function foldDecided(
  state: SchedulerState,
  tasks: readonly Task[],
  earliestMs: number,
  calendars: Calendars,
): Pick<SchedulerState, "slots" | "spans"> {
  const slots = new Map(state.slots);
  const fresh = new Map<string, DecidedSpan[]>();
  const schedules = cronSchedules(tasks, calendars.zone);
  for (const [key, slot] of state.slots) {
    const schedule = isOpen(slot) ? undefined : schedules.get(slot.taskId);
    if (schedule === undefined || !calendars.hasSlot(cronOf(schedule), slot.slotMs)) continue;
    const spans = fresh.get(slot.taskId) ?? [];
    spans.push({ taskId: slot.taskId, ...schedule, fromMs: slot.slotMs, toMs: slot.slotMs });
    fresh.set(slot.taskId, spans);
    slots.delete(key);
  }
  const spans = new Map(state.spans);
  for (const [taskId, added] of fresh) spans.set(taskId, joined(spans.get(taskId) ?? [], added, calendars));
  for (const [taskId, all] of spans) {
    const kept = all.filter(({ toMs }) => toMs > earliestMs).slice(-MAX_SPANS_PER_TASK);
    if (kept.length === 0) spans.delete(taskId);
    // What lies behind is forgotten, so that a clock that is set back by months does not stop a task for months.
    else spans.set(taskId, kept.map((span) => (span.fromMs > earliestMs ? span : { ...span, fromMs: earliestMs + 1 })));
  }
  return { slots, spans };
}

type CronNames = Pick<DecidedSpan, "expression" | "zone">;

/** By task id; of a repeated id the first counts, as it does in a pass. */
function cronSchedules(tasks: readonly Task[], zone: string): Map<string, CronNames | undefined> {
  const schedules = new Map<string, CronNames | undefined>();
  for (const { id, schedule } of tasks) {
    if (schedules.has(id)) continue;
    schedules.set(id, schedule.kind === "cron" ? { expression: schedule.expression, zone: schedule.zone ?? zone } : undefined);
  }
  return schedules;
}

/** In order of time. Only neighbours of which one is new are looked at: the others have been found apart before. */
function joined(known: readonly DecidedSpan[], added: readonly DecidedSpan[], calendars: Calendars): DecidedSpan[] {
  const isNew = new Set(added);
  const result: DecidedSpan[] = [];
  for (const span of [...known, ...added].sort((one, other) => one.fromMs - other.fromMs)) {
    const last = result.at(-1);
    if (last !== undefined && (isNew.has(last) || isNew.has(span)) && areNeighbours(last, span, calendars)) {
      const both = { ...last, toMs: Math.max(last.toMs, span.toMs) };
      isNew.add(both);
      result[result.length - 1] = both;
    } else {
      result.push(span);
    }
  }
  return result;
}

function areNeighbours(one: DecidedSpan, next: DecidedSpan, calendars: Calendars): boolean {
  if (one.expression !== next.expression || one.zone !== next.zone) return false;
  if (next.fromMs <= one.toMs) return true;
  const answer = calendars.of(cronOf(one));
  return answer.outcome === "calendar" && answer.calendar.nextAfter(one.toMs) === next.fromMs;
}

function cronOf({ expression, zone }: CronNames): { readonly schedule: Schedule } {
  return { schedule: { kind: "cron", expression, zone } };
}
