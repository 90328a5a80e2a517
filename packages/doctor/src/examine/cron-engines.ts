/**
 * Two cron engines side by side. Neither is right: what counts is that products use one or the other. Asks them as they
 * come, without this project's own policy for gap and overlap.
 */
import { CronExpressionParser } from "cron-parser";
import { Cron } from "croner";
import type { ClockChange } from "./clock-changes.ts";

const HOUR_MS = 3_600_000;

/** Around the change: a slot moves by the jump at most, and jumps are an hour or less. */
export const AROUND_MS = 3 * HOUR_MS;

/** A schedule with more slots than this in six hours follows elapsed time, and no one waits for one of its slots. */
const MAX_SLOTS = 12;

type Engine = (expression: string, zone: string, change: ClockChange) => number[] | undefined;

export const ENGINES: readonly { readonly engine: string; readonly slots: Engine }[] = [
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
