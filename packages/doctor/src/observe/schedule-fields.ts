/** When a record says that it is due. Judges types and units; whether a cron expression means anything is the scheduler's. */
import type { JsonValue } from "@casebook/registry/judge";
import { nextSlot } from "@casebook/scheduler/judge";
import type { FieldProblem, TaskObservation } from "../observation.ts";
import type { RecordFields, ScheduleField } from "../preset.ts";
import { readInstant } from "./instant-field.ts";
import { fieldOf, hasField, problemAt, type LayoutRecord } from "./record.ts";
import { durationOf } from "./duration-text.ts";
import { seenField } from "./seen-value.ts";

type Schedule = NonNullable<TaskObservation["schedule"]>;

export interface ScheduleReading {
  readonly schedule: Schedule | undefined;
  readonly problems: readonly FieldProblem[];
}

/** `zone`: for the one slot of a cron expression that is due once. */
export function readSchedule(record: LayoutRecord, fields: RecordFields, createdAtMs: number | undefined, zone: string): ScheduleReading {
  const present = fields.schedules.filter(({ pointer }) => hasField(record, pointer));
  const [first, second] = present;
  if (first === undefined) return fields.withoutSchedule === "manual" ? NONE : missing(record, fields);
  const reading = readOne(record, first, createdAtMs, zone);
  if (second === undefined) return reading;
  const both = `both ${first.pointer} and ${second.pointer}`;
  const ambiguous = problemAt(record, "SCHEDULE_AMBIGUOUS", second.pointer, both, "one schedule");
  return { schedule: reading.schedule, problems: [...reading.problems, ambiguous] };
}

const NONE: ScheduleReading = { schedule: undefined, problems: [] };

function missing(record: LayoutRecord, fields: RecordFields): ScheduleReading {
  const wanted = fields.schedules.map(({ pointer }) => pointer).join(" or ");
  return { schedule: undefined, problems: [problemAt(record, "SCHEDULE_MISSING", "", "no schedule that is known", wanted)] };
}

function readOne(record: LayoutRecord, field: ScheduleField, createdAtMs: number | undefined, zone: string): ScheduleReading {
  switch (field.kind) {
    case "once":
      return readOnce(record, field);
    case "every":
      return readEvery(record, field, createdAtMs);
    case "cron":
      return readCron(record, field, createdAtMs, zone);
  }
}

function readOnce(record: LayoutRecord, field: Extract<ScheduleField, { kind: "once" }>): ScheduleReading {
  const reading = readInstant(fieldOf(record, field.pointer), field.unit);
  if (reading.outcome === "absent") return NONE;
  if (reading.outcome === "instant") return { schedule: { kind: "once", atMs: reading.atMs }, problems: [] };
  const code = INSTANT_CODES[reading.kind] ?? "FIRE_AT_INVALID";
  return { schedule: undefined, problems: [problemAt(record, code, field.pointer, reading.seen, reading.wanted, reading.instead)] };
}

/** A wrong type has a code of its own for each field. */
export const INSTANT_CODES: Readonly<Record<string, string>> = { unit: "TIME_UNIT", implausible: "TIME_IMPLAUSIBLE" };

/** Without an anchor of its own a period counts from its task's birth. */
function readEvery(
  record: LayoutRecord,
  field: Extract<ScheduleField, { kind: "every" }>,
  createdAtMs: number | undefined,
): ScheduleReading {
  const value = fieldOf(record, field.pointer) as JsonValue;
  const everyMs = periodOf(value, field.unit);
  if (!(everyMs >= 1 && Number.isFinite(everyMs))) {
    return unreadable(record, "EVERY_INVALID", field.pointer, value, PERIODS[field.unit]);
  }
  const anchor = field.anchor === undefined ? undefined : readInstant(fieldOf(record, field.anchor.pointer), field.anchor.unit);
  const anchorMs = anchor?.outcome === "instant" ? anchor.atMs : createdAtMs;
  const schedule: Schedule = { kind: "every", everyMs, anchorMs };
  if (anchor?.outcome !== "problem" || field.anchor === undefined) return { schedule, problems: [] };
  const code = INSTANT_CODES[anchor.kind] ?? "ANCHOR_INVALID";
  return { schedule, problems: [problemAt(record, code, field.anchor.pointer, anchor.seen, anchor.wanted, anchor.instead)] };
}

const PERIODS = { ms: "a number of milliseconds", minutes: "a number of minutes", duration: "a span such as 5m, 1h30m or PT15M" } as const;

function periodOf(value: JsonValue, unit: keyof typeof PERIODS): number {
  if (unit === "duration") return (typeof value === "string" ? durationOf(value) : undefined) ?? Number.NaN;
  return typeof value === "number" ? value * (unit === "minutes" ? 60_000 : 1) : Number.NaN;
}

function readCron(
  record: LayoutRecord,
  field: Extract<ScheduleField, { kind: "cron" }>,
  createdAtMs: number | undefined,
  machineZone: string,
): ScheduleReading {
  const value = fieldOf(record, field.pointer) as JsonValue;
  if (typeof value !== "string" || value.trim() === "") {
    return unreadable(record, "CRON_EXPRESSION_INVALID", field.pointer, value, "non-empty text");
  }
  const zoneValue = field.zonePointer === undefined ? undefined : (fieldOf(record, field.zonePointer) ?? undefined);
  if (zoneValue !== undefined && (typeof zoneValue !== "string" || zoneValue.trim() === "")) {
    return unreadable(record, "ZONE_INVALID", field.zonePointer as string, zoneValue, "the name of a time zone");
  }
  const schedule = { kind: "cron", expression: value, zone: zoneValue } as const;
  const recurring = field.recurring === undefined ? undefined : (fieldOf(record, field.recurring) ?? undefined);
  if (recurring === undefined || recurring === true) return { schedule, problems: [] };
  if (recurring !== false) return unreadable(record, "RECURRING_INVALID", field.recurring as string, recurring, "true or false");
  if (createdAtMs === undefined) {
    const wanted = "a time of creation, because it is due once, at its first slot after that";
    return { schedule: undefined, problems: [problemAt(record, "SCHEDULE_UNANCHORED", field.pointer, seenField(value), wanted)] };
  }
  const next = nextSlot({ schedule }, createdAtMs, { zone: machineZone });
  // What never fires and what cannot be read stays an expression, and is judged as one.
  return { schedule: next.outcome === "slot" ? { kind: "once", atMs: next.slotMs } : schedule, problems: [] };
}

function unreadable(record: LayoutRecord, code: string, pointer: string, value: JsonValue, wanted: string): ScheduleReading {
  return { schedule: undefined, problems: [problemAt(record, code, pointer, seenField(value), wanted)] };
}
