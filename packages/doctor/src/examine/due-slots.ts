/**
 * The slots that a task's schedule has, and how late a run may start and still be the run of its slot. Pure; the calendar
 * is the scheduler's. Leaves out what the product did with a slot: that is the ledger's business.
 */
import type { DueSlot } from "@casebook/guards";
import type { Schedule } from "@casebook/registry/judge";
import { LATEST_INSTANT_MS, newestSlots, nextSlot, readCalendar, slotsBetween } from "@casebook/scheduler/judge";
import type { TaskObservation } from "../observation.ts";
import type { Preset } from "../preset.ts";
import { twinSlots } from "./twin-slots.ts";

/** The smallest and the largest grace: a start takes a while, and half a day late is another run. */
const MIN_GRACE_MS = 5 * 60_000;
const MAX_GRACE_MS = 6 * 3_600_000;

/** How long before the window a slot may lie that can first be judged in it. */
export function longestGraceMs({ jitter }: Pick<Preset, "jitter">): number {
  return MAX_GRACE_MS + jitter.atMostMs;
}

/** A one-shot has no cadence of its own. */
const ONE_SHOT_GRACE_MS = 60 * 60_000;

/** Of the distance to the next slot; never more than half of it, or a run could be that of either. */
const SHARE_OF_PERIOD = 0.1;

/** One task's slots; more than this in one question are not counted, and that is said: half of them would be a wrong count. */
export const MAX_SLOTS_A_TASK = 20_000;

export interface DueWindow {
  readonly fromMs: number;
  readonly toMs: number;
  /** IANA name, for schedules that name none. */
  readonly zone: string;
  /** Where no older slot is ever made up for than the newest: before this instant only the newest few are listed. Default: all are. */
  readonly judgedFromMs?: number | undefined;
  /** Calendars that were asked before, for tasks of one schedule. */
  readonly known?: Map<string, Instants>;
}

/** Of the slots before the judged ones. */
const MAX_SLOTS_BEFORE = 200;

export type DueAnswer =
  | { readonly outcome: "slots"; readonly slots: readonly DueSlot[]; readonly listedFromMs: number | undefined }
  /** It has a schedule, and it never comes. */
  | { readonly outcome: "never"; readonly searchedUntilMs: number }
  | { readonly outcome: "problem"; readonly code: string; readonly message: string };

export function dueSlots(task: TaskObservation, preset: Preset, window: DueWindow): DueAnswer {
  const { schedule } = task;
  if (schedule === undefined) return { outcome: "problem", code: "NO_SCHEDULE", message: "it has no schedule that could be read" };
  const instants = schedule.kind === "every" ? everySlots(schedule, task.createdAtMs, window) : knownSlots(schedule, window);
  if (instants.outcome !== "instants") return instants;
  const { all, following, twins } = instants;
  // A slot before the task existed is not its slot.
  const since = task.createdAtMs ?? Number.NEGATIVE_INFINITY;
  const kind = schedule.kind === "once" ? ("once" as const) : ("recurring" as const);
  const slots = all
    .map((slotMs, index) => ({ slotMs, nextMs: all[index + 1] ?? following }))
    .filter(({ slotMs }) => slotMs > since)
    .map(({ slotMs, nextMs }) => ({ taskId: task.id, slotMs, enabled: task.enabled, kind, graceMs: graceOf(slotMs, nextMs, preset), twinMs: twins?.get(slotMs) }));
  return { outcome: "slots", slots, listedFromMs: instants.listedFromMs };
}

/** A tenth of the distance to the next slot, between five minutes and six hours and never over half of it, plus the product's own jitter. */
export function graceOf(slotMs: number, nextMs: number | undefined, { jitter }: Pick<Preset, "jitter">): number {
  if (nextMs === undefined) return ONE_SHOT_GRACE_MS;
  const periodMs = nextMs - slotMs;
  const jitterMs = Math.min(jitter.atMostMs, Math.round(periodMs * jitter.shareOfPeriod));
  const share = Math.min(MAX_GRACE_MS, Math.max(MIN_GRACE_MS, Math.round(periodMs * SHARE_OF_PERIOD)));
  return Math.min(Math.floor(periodMs / 2), share + jitterMs);
}

export type Instants =
  | {
      readonly outcome: "instants";
      readonly all: readonly number[];
      readonly following: number | undefined;
      readonly listedFromMs?: number | undefined;
      readonly twins?: ReadonlyMap<number, number>;
    }
  | Exclude<DueAnswer, { outcome: "slots" }>;

function knownSlots(schedule: Schedule, window: DueWindow): Instants {
  const key = JSON.stringify(schedule);
  const found = window.known?.get(key);
  if (found !== undefined) return found;
  const instants = calendarSlots(schedule, window);
  window.known?.set(key, instants);
  return instants;
}

function calendarSlots(schedule: Schedule, { fromMs, toMs, zone, judgedFromMs = fromMs }: DueWindow): Instants {
  const options = { zone };
  const calendar = judgedFromMs > fromMs ? readCalendar(schedule, options) : undefined;
  const before = calendar?.outcome === "calendar" ? newestSlots(calendar.calendar, fromMs - 1, judgedFromMs - 1, MAX_SLOTS_BEFORE) : undefined;
  const all: number[] = [...(before?.slots ?? [])];
  const listedFromMs = before?.older === "some" ? all[0] : undefined;
  for (let afterMs = (before === undefined ? fromMs : judgedFromMs) - 1; ; ) {
    const answer = slotsBetween({ schedule }, afterMs, toMs, options);
    if (answer.outcome === "problem") return { outcome: "problem", code: answer.problem.code, message: answer.problem.message };
    all.push(...answer.slots);
    const last = answer.slots.at(-1);
    if (answer.listed === "all" || last === undefined) break;
    if (all.length >= MAX_SLOTS_A_TASK) return TOO_MANY;
    afterMs = last;
  }
  const next = nextSlot({ schedule }, toMs, options);
  if (all.length === 0 && next.outcome === "never" && schedule.kind === "cron") {
    return { outcome: "never", searchedUntilMs: next.searchedUntilMs };
  }
  return { outcome: "instants", all, following: next.outcome === "slot" ? next.slotMs : undefined, listedFromMs, twins: twinSlots(schedule, all, zone) };
}

const TOO_MANY = {
  outcome: "problem",
  code: "TOO_MANY_SLOTS",
  message: `it has more than ${MAX_SLOTS_A_TASK} slots in the window and what a catch-up may reach back to; look at less with --since`,
} as const;

/** Counted from the anchor, or from the task's creation; without either nobody can say where its slots lie, unless no calendar has the first. */
function everySlots(
  schedule: { readonly everyMs: number; readonly anchorMs: number | undefined },
  createdAtMs: number | undefined,
  { fromMs, toMs }: DueWindow,
): Instants {
  const { everyMs } = schedule;
  const anchorMs = schedule.anchorMs ?? createdAtMs;
  if (!(everyMs > 0)) return { outcome: "problem", code: "INTERVAL_INVALID", message: "its interval is not above zero" };
  if (everyMs > LATEST_INSTANT_MS - Math.max(0, anchorMs ?? 0)) return { outcome: "never", searchedUntilMs: LATEST_INSTANT_MS };
  if (anchorMs === undefined) {
    return { outcome: "problem", code: "INTERVAL_UNANCHORED", message: "its interval is counted from a moment that the file does not say" };
  }
  const first = Math.max(0, Math.ceil((fromMs - anchorMs) / everyMs));
  const last = Math.floor((toMs - anchorMs) / everyMs);
  if (last - first >= MAX_SLOTS_A_TASK) return TOO_MANY;
  const all = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => anchorMs + (first + index) * everyMs);
  return { outcome: "instants", all, following: anchorMs + (Math.max(last, -1) + 1) * everyMs };
}
