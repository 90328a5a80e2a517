/** One record of a registry, read by its layout's fields. A record that is wrong stays a task, with what is wrong with it. */
import { isTaskId, MAX_ID_LENGTH, type JsonValue } from "@casebook/registry/judge";
import type { FieldProblem, PromptState, TaskObservation, TimeClaim, Unreadable } from "../observation.ts";
import type { RecordFields, TimeField } from "../preset.ts";
import { readInstant } from "./instant-field.ts";
import { fieldOf, hasField, isObject, problemAt, type LayoutRecord } from "./record.ts";
import { shapeOf } from "./renamed-fields.ts";
import { INSTANT_CODES, KIND_CODES, readSchedule } from "./schedule-fields.ts";
import { kindWord, seenField, seenValue } from "./seen-value.ts";

export interface RecordReading extends Omit<TaskObservation, "id" | "registries" | "prompt"> {
  /** Undefined: it names none that can be used. */
  readonly id: string | undefined;
  readonly record: LayoutRecord;
  /** Undefined: prompts of this layout stand elsewhere. */
  readonly inlinePrompt: PromptState | undefined;
  /** Whether a loader that checks types and ids would take it. */
  readonly loads: "yes" | "no";
}

/** What a loader that checks types accepts, although it is not what was meant. */
const ACCEPTED = new Set(["TIME_UNIT", "TIME_IMPLAUSIBLE", "FIELD_RENAMED", "SCHEDULE_AMBIGUOUS", "SCHEDULE_UNANCHORED", "SCHEDULE_KIND_UNKNOWN"]);

export function readRecord(record: LayoutRecord, fields: RecordFields, zone: string): RecordReading {
  const problems: FieldProblem[] = [];
  if (!isObject(record.value)) {
    problems.push(problemAt(record, "ENTRY_NOT_OBJECT", "", kindWord(record.value), "an object"));
    return finish(record, undefined, problems, { unreadable: ["id", "when", "last-run"] });
  }
  const created = readTime(record, fields.created, "CREATED_AT_INVALID", problems);
  const lastRun = readTime(record, fields.lastRun, "LAST_RUN_AT_INVALID", problems);
  const running = readTime(record, fields.running, "RUNNING_AT_INVALID", problems);
  const id = readId(record, fields, problems);
  const enabled = readEnabled(record, fields, problems);
  const schedule = readSchedule(record, fields, created?.atMs, zone);
  const repeat = readRepeat(record, fields, problems);
  const shape = shapeOf(record, fields);
  const inlinePrompt = readInlinePrompt(record, fields, shape.lost, problems);
  const isOtherKind = schedule.problems.some(({ code }) => KIND_CODES.has(code));
  const invalid = isOtherKind ? fields.schedules.map(({ pointer }) => pointer) : [];
  const unreadable = unreadableOf(id, fields, [...shape.lost, ...invalidPointers(record, fields), ...invalid]);
  problems.push(...schedule.problems, ...shape.problems);
  const read = { unreadable, enabled, schedule: schedule.schedule, lastRun, running, createdAtMs: created?.atMs, repeat, inlinePrompt };
  return finish(record, id, problems, read);
}

/** What a field that is lost would have said. An id, or what tells whether and when it is due, is needed for everything else. */
function unreadableOf(id: string | undefined, fields: RecordFields, lost: readonly string[]): Unreadable[] {
  return [
    ...(id === undefined ? ["id" as const] : []),
    ...(whenPointers(fields).some((pointer) => isLost(pointer, lost)) ? ["when" as const] : []),
    ...(isLost(fields.lastRun?.pointer, lost) ? ["last-run" as const] : []),
  ];
}

/** Itself, or an object that it stands in. */
function isLost(pointer: string | undefined, lost: readonly string[]): boolean {
  return pointer !== undefined && lost.some((one) => pointer === one || pointer.startsWith(`${one}/`));
}

function whenPointers({ enabled, state, schedules }: RecordFields): (string | undefined)[] {
  const ofSchedules = schedules.flatMap((field) => {
    if (field.kind === "cron") return [field.pointer, field.zonePointer, field.recurring];
    return field.kind === "every" ? [field.pointer, field.anchor?.pointer] : [field.pointer];
  });
  return [enabled?.pointer, state?.pointer, ...ofSchedules];
}

/** Fields whose value is of no use, although it stands where it should. */
function invalidPointers(record: LayoutRecord, { enabled, state, lastRun, schedules }: RecordFields): string[] {
  const times = [lastRun, ...schedules.map((field) => (field.kind === "every" ? field.anchor : undefined))];
  const isOther = (pointer: string, type: "boolean" | "string") => hasField(record, pointer) && typeof fieldOf(record, pointer) !== type;
  return [
    ...times.flatMap((field) => (field !== undefined && readInstant(fieldOf(record, field.pointer), field.unit).outcome === "problem" ? [field.pointer] : [])),
    ...(enabled !== undefined && isOther(enabled.pointer, "boolean") ? [enabled.pointer] : []),
    ...(state !== undefined && isOther(state.pointer, "string") ? [state.pointer] : []),
  ];
}

function finish(
  record: LayoutRecord,
  id: string | undefined,
  problems: readonly FieldProblem[],
  read: Partial<RecordReading>,
): RecordReading {
  return {
    enabled: true,
    schedule: undefined,
    lastRun: undefined,
    running: undefined,
    createdAtMs: undefined,
    repeat: undefined,
    inlinePrompt: undefined,
    ...read,
    id,
    record,
    place: record.placeOf(""),
    problems,
    loads: problems.every(({ code }) => ACCEPTED.has(code)) ? "yes" : "no",
  };
}

function readId(record: LayoutRecord, fields: RecordFields, problems: FieldProblem[]): string | undefined {
  const pointers = fields.id === "key" ? [] : fields.id;
  const pointer = pointers.find((one) => fieldOf(record, one) !== undefined);
  const value: JsonValue | undefined = pointer === undefined ? record.key : fieldOf(record, pointer);
  if (value === undefined) {
    problems.push(problemAt(record, "ID_MISSING", "", "no id", pointers.join(" or ")));
    return undefined;
  }
  if (typeof value === "string" && isTaskId(value)) {
    if (record.key !== undefined && pointer !== undefined && value !== record.key) {
      problems.push(problemAt(record, "ID_MISMATCH", pointer, seenValue(value), `the key it stands under, ${seenValue(record.key)}`));
    }
    return value;
  }
  const wanted = `text of 1 to ${MAX_ID_LENGTH} characters without / \\ or control characters, and not . or ..`;
  problems.push(problemAt(record, "ID_INVALID", pointer ?? "", seenValue(value), wanted));
  return undefined;
}

function readEnabled(record: LayoutRecord, fields: RecordFields, problems: FieldProblem[]): boolean {
  const { enabled, state } = fields;
  const value = enabled === undefined ? undefined : fieldOf(record, enabled.pointer);
  if (enabled !== undefined && value !== undefined && typeof value !== "boolean") {
    problems.push(problemAt(record, "ENABLED_INVALID", enabled.pointer, seenField(value), "true or false"));
  }
  const word = state === undefined ? undefined : (fieldOf(record, state.pointer) ?? undefined);
  if (state !== undefined && word !== undefined && typeof word !== "string") {
    problems.push(problemAt(record, "STATE_INVALID", state.pointer, kindWord(word), "text"));
  }
  const on = typeof value === "boolean" ? value : (enabled?.whenAbsent ?? true);
  return on && !(typeof word === "string" && state?.off.includes(word));
}

function readTime(
  record: LayoutRecord,
  field: TimeField | undefined,
  code: string,
  problems: FieldProblem[],
): TimeClaim | undefined {
  if (field === undefined) return undefined;
  const reading = readInstant(fieldOf(record, field.pointer), field.unit);
  if (reading.outcome === "absent") return undefined;
  if (reading.outcome === "instant") return { atMs: reading.atMs, place: record.placeOf(field.pointer) };
  const { seen, wanted, instead } = reading;
  problems.push(problemAt(record, INSTANT_CODES[reading.kind] ?? code, field.pointer, seen, wanted, instead));
  return undefined;
}

function readRepeat(record: LayoutRecord, fields: RecordFields, problems: FieldProblem[]): TaskObservation["repeat"] {
  if (fields.repeat === undefined) return undefined;
  const { times, completed } = fields.repeat;
  const values = [times, completed].map((pointer) => {
    const value = fieldOf(record, pointer) ?? undefined;
    if (value === undefined || (typeof value === "number" && value >= 0)) return value;
    problems.push(problemAt(record, "REPEAT_INVALID", pointer, seenField(value), "a count"));
    return undefined;
  });
  return values[0] === undefined ? undefined : { times: values[0], completed: values[1] ?? 0 };
}

/** The prompt itself goes no further than this function. */
function readInlinePrompt(record: LayoutRecord, fields: RecordFields, lost: readonly string[], problems: FieldProblem[]): PromptState | undefined {
  if (fields.prompt === undefined) return undefined;
  const pointer = fields.prompt.find((one) => hasField(record, one));
  const prompt = pointer === undefined ? undefined : fieldOf(record, pointer);
  const replaced = (fields.promptInstead ?? []).some((one) => isSet(fieldOf(record, one)));
  if (prompt !== undefined && typeof prompt !== "string") {
    problems.push(problemAt(record, "PROMPT_INVALID", pointer as string, kindWord(prompt), "text"));
    return "unreadable";
  }
  if (prompt === undefined || prompt.trim() === "") {
    if (replaced) return "inline";
    // One that stands under another name is not missing.
    if (prompt === undefined) return fields.prompt.some((one) => isLost(one, lost)) ? "unreadable" : "missing";
    return "empty";
  }
  const name = fields.name === undefined ? undefined : fieldOf(record, fields.name);
  return typeof name === "string" && name.trim() === prompt.trim() ? "is-its-name" : "inline";
}

function isSet(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === "" || value === false) return false;
  return !(Array.isArray(value) && value.length === 0);
}
