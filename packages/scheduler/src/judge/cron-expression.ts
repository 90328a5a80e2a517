/**
 * Turns five cron fields and a zone name into croner's two readings of them, or into why they cannot be read.
 * Accepted: minute, hour, day of month, month, day of week, each made of numbers, names (JAN, MON), `*`, `,`, `-`, steps
 * after `*` or a range, and `L` and `#` where croner and cron-parser agree on them. A restricted day of month and a
 * restricted day of week are joined by OR, as in Vixie cron. Left out: seconds, years, `@daily`, `?`, `W`, `+`, which
 * engines read differently, and `5/15`, which croner refuses.
 */
import { Cron } from "croner";

/** Every minute, hour, day, month and weekday written out is about 400 characters. */
export const MAX_EXPRESSION_LENGTH = 1_000;

/** The two ways in which croner reads an expression at a change of the clocks. */
export interface CronReadings {
  /** Fixed times: a time in the gap moves to its end, a repeated time counts once, at its first occurrence. */
  readonly fixed: Cron;
  /** Elapsed time: a time in the gap is left out, a repeated time counts twice. Made when it is asked for. */
  elapsed(): Cron;
  /** Fixed times in a place whose clocks never change and are this many minutes ahead of UTC. */
  atOffset(minutes: number): Cron;
  readonly zone: string;
}

export type CronAnswer =
  | { readonly outcome: "readings"; readonly readings: CronReadings }
  | { readonly outcome: "problem"; readonly problem: ScheduleProblem };

/** Never throws. An expression whose date never comes is readable; it has no slots. */
export function readCron(expression: string, zone: string): CronAnswer {
  const problem = zoneProblem(zone) ?? fieldsProblem(expression);
  if (problem !== undefined) return { outcome: "problem", problem };
  const fields = expression.trim().split(/\s+/).join(" ");
  const options = { timezone: zone, paused: true, fixedTimeRule: "no-wildcard" } as const;
  try {
    // Lists and ranges of hours count as fixed times too: "30 2,14 * * *" is a daily promise like "30 2 * * *".
    const fixed = new Cron(fields, { ...options, mode: "5-part" });
    // A step in the seconds field is how croner is told that an expression follows elapsed time.
    const elapsed = () => new Cron(`0-0/1 ${fields}`, { ...options, mode: "6-part" });
    const atOffset = (utcOffset: number) => new Cron(fields, { utcOffset, paused: true, mode: "5-part" });
    return { outcome: "readings", readings: { fixed, elapsed, atOffset, zone } };
  } catch (refusal) {
    return { outcome: "problem", problem: unreadable(expression, reasonOf(refusal)) };
  }
}

/** Zones that the runtime knows: asking it costs more than everything else about a schedule. `UTC` it has to know (ECMA-402). */
const knownZones = new Set<string>(["UTC"]);

/** Why a zone names no instants; undefined when it does. */
export function zoneProblem(zone: string): ScheduleProblem | undefined {
  if (knownZones.has(zone)) return undefined;
  // An empty zone would silently be the machine's own, and offsets are zones on some engines only.
  if (/^[A-Za-z]/.test(zone)) {
    try {
      new Intl.DateTimeFormat("en-US", { timeZone: zone });
      knownZones.add(zone);
      return undefined;
    } catch {
      // Falls through to the answer below.
    }
  }
  return {
    code: "ZONE_UNKNOWN",
    message:
      `ZONE_UNKNOWN: ${quoted(zone)} is not a time zone that this runtime knows, so the expression names no instants. ` +
      'Use an IANA name such as "America/New_York" or "UTC".',
  };
}

function fieldsProblem(expression: string): ScheduleProblem | undefined {
  if (expression.length > MAX_EXPRESSION_LENGTH) {
    return unreadable(expression, `it has ${expression.length} characters, more than ${MAX_EXPRESSION_LENGTH}`);
  }
  const fields = expression.trim().split(/\s+/).filter((field) => field !== "");
  if (fields.length === 1 && fields[0]!.startsWith("@")) return extension(expression, "@");
  if (fields.length !== 5) return unreadable(expression, `it has ${fields.length} fields`);
  for (const field of fields) {
    const sign = /[?@+]/.exec(field) ?? /[wW](?!ed)/i.exec(field);
    if (sign !== null) return extension(expression, sign[0]);
    const foreign = /[^0-9A-Za-z*,\-/#]/.exec(field);
    if (foreign !== null) return unreadable(expression, `it holds the character ${quoted(foreign[0])}`);
  }
  return undefined;
}

function unreadable(expression: string, reason: string): ScheduleProblem {
  return {
    code: "CRON_UNREADABLE",
    message:
      `CRON_UNREADABLE: ${quoted(expression)} is not a five-field cron expression: ${reason}. ` +
      'Write minute, hour, day of month, month and day of week, such as "30 2 * * 1".',
  };
}

function extension(expression: string, sign: string): ScheduleProblem {
  return {
    code: "CRON_EXTENSION_UNSUPPORTED",
    message:
      `CRON_EXTENSION_UNSUPPORTED: ${quoted(expression)} uses ${quoted(sign)}, which schedulers read in different ways or not at all. ` +
      "Write the five fields out.",
  };
}

function reasonOf(refusal: unknown): string {
  const text = refusal instanceof Error ? refusal.message : String(refusal);
  return text.replace(/^CronPattern: /, "").replace(/\.$/, "");
}

/** Why a schedule has no slots that anyone could name. Data, never thrown. */
export interface ScheduleProblem {
  readonly code:
    | "CRON_UNREADABLE"
    | "CRON_EXTENSION_UNSUPPORTED"
    | "ZONE_UNKNOWN"
    | "INSTANT_OUT_OF_RANGE";
  /** What is wrong, why that matters, what to do now. */
  readonly message: string;
}

/** The longest piece of somebody's input that a message repeats. */
const MAX_QUOTED_LENGTH = 60;

/** Input as it may stand in a message: quoted, control characters escaped, cut. */
export function quoted(input: string): string {
  return input.length <= MAX_QUOTED_LENGTH
    ? JSON.stringify(input)
    : `${JSON.stringify(input.slice(0, MAX_QUOTED_LENGTH))} and ${input.length - MAX_QUOTED_LENGTH} more`;
}
