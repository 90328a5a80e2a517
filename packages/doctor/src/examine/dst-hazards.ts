/**
 * Slots near a change of the clocks, as two engines have them side by side. Neither is right: what counts is that products
 * use one or the other. Asks them as they come, without this project's own policy for gap and overlap.
 */
import type { ScheduleDstHazardFacts } from "@casebook/guards";
import { CronExpressionParser } from "cron-parser";
import { Cron } from "croner";
import type { TaskObservation } from "../observation.ts";
import { clockChanges, type ClockChange } from "./clock-changes.ts";

const HOUR_MS = 3_600_000;

/** Around the change: a slot moves by the jump at most, and jumps are an hour or less. */
const AROUND_MS = 3 * HOUR_MS;

/** A schedule with more slots than this in six hours follows elapsed time, and no one waits for one of its slots. */
const MAX_SLOTS = 12;

export function dstHazards(tasks: readonly TaskObservation[], zone: string, nowMs: number): ScheduleDstHazardFacts {
  const changes = new Map<string, ClockChange[]>();
  const crons = tasks.flatMap((task) => (task.enabled && task.schedule?.kind === "cron" ? [{ task, schedule: task.schedule }] : []));
  const hazards = crons.flatMap(({ task, schedule }) => {
    const own = schedule.zone ?? zone;
    if (!changes.has(own)) changes.set(own, clockChanges(own, nowMs));
    return (changes.get(own) ?? []).flatMap((change) => {
      const answers = ENGINES.map(({ engine, slots }) => ({ engine, slots: slots(schedule.expression, own, change) }));
      const isNear = answers.some(({ slots }) => slots?.some((slotMs) => Math.abs(slotMs - change.atMs) <= AROUND_MS / 2) === true);
      return isNear ? [{ taskId: task.id, changeMs: change.atMs, answers }] : [];
    });
  });
  return { schedules: crons.length, hazards, nowMs };
}

type Engine = (expression: string, zone: string, change: ClockChange) => number[] | undefined;

const ENGINES: readonly { readonly engine: string; readonly slots: Engine }[] = [
  { engine: "croner", slots: bounded((expression, zone) => cronerNext(expression, zone)) },
  {
    engine: "cron-parser",
    // It searches for seconds and gives up where clocks change by half an hour.
    slots: (expression, zone, change) => (change.jumpMs % HOUR_MS === 0 ? bounded(parserNext)(expression, zone, change) : undefined),
  },
];

type Next = (expression: string, zone: string) => (afterMs: number) => number | undefined;

/** Undefined: the engine refuses the expression, or has too many slots to compare. */
function bounded(next: Next): Engine {
  return (expression, zone, { atMs }) => {
    try {
      const after = next(expression, zone);
      const slots: number[] = [];
      for (let slot = after(atMs - AROUND_MS); slot !== undefined && slot <= atMs + AROUND_MS; slot = after(slot)) {
        slots.push(slot);
        if (slots.length > MAX_SLOTS) return undefined;
      }
      return slots;
    } catch {
      return undefined;
    }
  };
}

function cronerNext(expression: string, zone: string) {
  const cron = new Cron(expression, { timezone: zone, mode: "5-part", paused: true });
  return (afterMs: number) => cron.nextRun(new Date(afterMs))?.getTime();
}

function parserNext(expression: string, zone: string) {
  return (afterMs: number) => CronExpressionParser.parse(expression, { tz: zone, currentDate: new Date(afterMs) }).next().getTime();
}
