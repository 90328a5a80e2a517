/** When the clocks of a zone change, from the runtime's own zone data. Leaves out why they do. */
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const DAYS_AHEAD = 366;

export interface ClockChange {
  readonly atMs: number;
  /** How far the wall clock jumps: above zero a gap, below zero an overlap. */
  readonly jumpMs: number;
}

/** A year takes two milliseconds, and every installation of a machine asks for the same one. */
const known = new Map<string, readonly ClockChange[]>();
const MAX_KNOWN = 100;

/** Within a year of the start, or up to the end; ascending; none for a zone that the runtime does not know. */
export function clockChanges(zone: string, fromMs: number, toMs: number = fromMs + DAYS_AHEAD * DAY_MS): readonly ClockChange[] {
  const asked = JSON.stringify([zone, fromMs, toMs]);
  const found = known.get(asked);
  if (found !== undefined) return found;
  if (known.size >= MAX_KNOWN) known.clear();
  const changes = findChanges(zone, fromMs, toMs);
  known.set(asked, changes);
  return changes;
}

function findChanges(zone: string, fromMs: number, toMs: number): readonly ClockChange[] {
  const format = formatOf(zone);
  if (format === undefined) return [];
  const offset = (atMs: number) => offsetAt(format, atMs);
  const changes: ClockChange[] = [];
  let before = offset(fromMs);
  for (let startMs = fromMs; startMs < toMs; startMs += DAY_MS) {
    const after = offset(startMs + DAY_MS);
    if (before === after) continue;
    const atMs = firstDifferent(offset, startMs, startMs + DAY_MS);
    changes.push({ atMs, jumpMs: offset(atMs) - before });
    before = after;
  }
  return changes;
}

/** By halving, to the minute: clocks change at whole minutes. */
function firstDifferent(offset: (atMs: number) => number, fromMs: number, toMs: number): number {
  const before = offset(fromMs);
  let low = Math.floor(fromMs / MINUTE_MS);
  let high = Math.ceil(toMs / MINUTE_MS);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offset(middle * MINUTE_MS) === before) low = middle;
    else high = middle;
  }
  return high * MINUTE_MS;
}

function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  } catch {
    return undefined;
  }
}

function offsetAt(format: Intl.DateTimeFormat, atMs: number): number {
  const seconds = Math.floor(atMs / 1000) * 1000;
  const part = new Map(format.formatToParts(seconds).map(({ type, value }) => [type, Number(value)]));
  const field = (name: Intl.DateTimeFormatPartTypes) => part.get(name) ?? 0;
  return Date.UTC(field("year"), field("month") - 1, field("day"), field("hour"), field("minute"), field("second")) - seconds;
}
