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
  const otherKind = kindProblem(record, fields, present);
  if (otherKind !== undefined) return { schedule: undefined, problems: [otherKind] };
  const [first, second] = ofKind(record, fields, present);
  if (first === undefined) return fields.withoutSchedule === "manual" ? NONE : missing(record, fields);
  const reading = readOne(record, first, createdAtMs, zone);
  if (second === undefined) return reading;
  const both = `both ${first.pointer} and ${second.pointer}`;
  const ambiguous = problemAt(record, "SCHEDULE_AMBIGUOUS", second.pointer, both, "one schedule");
  return { schedule: reading.schedule, problems: [...reading.problems, ambiguous] };
}

/** The fields of the kind that it says it is come first. */
function ofKind(record: LayoutRecord, { scheduleKind }: RecordFields, present: readonly ScheduleField[]): readonly ScheduleField[] {
  const word = scheduleKind === undefined ? undefined : fieldOf(record, scheduleKind.pointer);
  const kind = typeof word === "string" ? scheduleKind?.words[word] : undefined;
  return [...present.filter((field) => field.kind === kind), ...present.filter((field) => field.kind !== kind)];
}

/** Codes of a record whose kind of schedule does not fit what stands beside it, so that nobody can say when it is due. */
export const KIND_CODES: ReadonlySet<string> = new Set(["SCHEDULE_KIND_UNKNOWN", "SCHEDULE_KIND_OTHER"]);

/** A word that is not known may be a newer kind; one that is known and has the fields of another is a slip. */
function kindProblem(record: LayoutRecord, { scheduleKind }: RecordFields, present: readonly ScheduleField[]): FieldProblem | undefined {
  if (scheduleKind === undefined || !hasField(record, scheduleKind.pointer)) return undefined;
  const { pointer, words } = scheduleKind;
  const word = fieldOf(record, pointer) as JsonValue;
  const known = Object.keys(words);
  const kind = typeof word === "string" && Object.hasOwn(words, word) ? words[word] : undefined;
  if (kind === undefined) return problemAt(record, "SCHEDULE_KIND_UNKNOWN", pointer, seenField(word), `${known.slice(0, -1).join(", ")} or ${known.at(-1)}`);
  const [first] = present;
  if (first === undefined || present.some((field) => field.kind === kind)) return undefined;
  const fits = known.find((one) => words[one] === first.kind);
  return problemAt(record, "SCHEDULE_KIND_OTHER", pointer, seenField(word), `${fits}, for which its fields are`);
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
