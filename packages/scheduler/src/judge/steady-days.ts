/**
 * Days around which a zone's clocks do not change. There croner can be asked with a fixed offset, which takes a tenth of the
 * time: it needs no zone data for it. Leaves out a zone that changes its clocks and changes them back within one day; none does.
 */
import type { Cron } from "croner";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Zones and their days that are remembered; more are worked out again. */
const MAX_ZONES = 1_000;
const MAX_DAYS = 10_000;

/** Before it zones have offsets of odd seconds, and after it nobody knows. */
const EARLIEST_DAY = 0;
const LATEST_DAY = Date.UTC(2100, 0) / DAY_MS;

/** The answer to the question, or undefined where only the zone itself can give it. */
export type SteadyAnswer = (afterMs: number) => number | undefined;

/** `at` makes the reading for an offset in minutes. */
export function steadyAnswers(zone: string, at: (offsetMinutes: number) => Cron): SteadyAnswer {
  const startOf = dayStarts(zone);
  const readings = new Map<number, Cron>();
  return (afterMs) => {
    const day = Math.floor(afterMs / DAY_MS);
    if (day <= EARLIEST_DAY || day >= LATEST_DAY) return undefined;
    const offset = startOf(day);
    // The day before is asked too: after an overlap a time that was shown already is left out.
    const isSteady = startOf(day - 1) === offset && startOf(day + 1) === offset && startOf(day + 2) === offset;
    if (!isSteady || !Number.isInteger(offset)) return undefined;
    const reading = readings.get(offset) ?? at(offset);
    readings.set(offset, reading);
    const nextMs = reading.nextRun(new Date(afterMs))?.getTime();
    return nextMs !== undefined && nextMs < (day + 2) * DAY_MS ? nextMs : undefined;
  };
}

const zones = new Map<string, (day: number) => number>();

/** The zone's offset in minutes at the start of a UTC day. */
function dayStarts(zone: string): (day: number) => number {
  const before = zones.get(zone);
  if (before !== undefined) return before;
  const format = new Intl.DateTimeFormat("en-US", { ...FIELDS, timeZone: zone });
  const known = new Map<number, number>();
  const offsetOf = (day: number) => {
    const found = known.get(day);
    if (found !== undefined) return found;
    if (known.size >= MAX_DAYS) known.clear();
    const part = new Map(format.formatToParts(day * DAY_MS).map(({ type, value }) => [type, Number(value)]));
    const [year = 0, month = 1, date, hour, minute, second] = PARTS.map((name) => part.get(name));
    const offset = (Date.UTC(year, month - 1, date, hour, minute, second) - day * DAY_MS) / MINUTE_MS;
    known.set(day, offset);
    return offset;
  };
  if (zones.size >= MAX_ZONES) zones.clear();
  zones.set(zone, offsetOf);
  return offsetOf;
}

const PARTS = ["year", "month", "day", "hour", "minute", "second"] as const;
const FIELDS = { hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" } as const;
