/**
 * Fields that are not where the layout has them. A field that is read and absent is reported as renamed if a key that the
 * layout never had stands in its place with its type. Leaves out what was renamed into a key that is known.
 */
import { escapePointerToken, type JsonValue } from "@casebook/registry/judge";
import type { FieldProblem } from "../observation.ts";
import type { FieldType, RecordFields } from "../preset.ts";
import { valueAt } from "../read/index.ts";
import { fieldOf, isObject, problemAt, type LayoutRecord } from "./record.ts";
import { kindWord } from "./seen-value.ts";

export function shapeProblems(record: LayoutRecord, fields: RecordFields): FieldProblem[] {
  return [...missingFields(record, fields), ...wrongTypes(record, fields), ...renamedFields(record, fields)];
}

function missingFields(record: LayoutRecord, fields: RecordFields): FieldProblem[] {
  return (fields.always ?? [])
    .filter((pointer) => fieldOf(record, pointer) === undefined)
    .map((pointer) => problemAt(record, "FIELD_MISSING", pointer, `no ${pointer}`, `${pointer}, which every record of this layout has`));
}

/** Of fields that are not read; those that are read say more themselves. */
function wrongTypes(record: LayoutRecord, fields: RecordFields): FieldProblem[] {
  const read = new Set(readPointers(fields));
  const problems: FieldProblem[] = [];
  for (const [pointer, type] of Object.entries(fields.known ?? {})) {
    const value = fieldOf(record, pointer);
    if (read.has(pointer) || value === undefined || fits(value, type)) continue;
    problems.push(problemAt(record, "FIELD_TYPE", pointer, `${pointer} is ${kindWord(value)}`, WORDS[type]));
  }
  for (const parent of parentsOf(fields.known ?? {})) {
    const value = fieldOf(record, parent);
    if (value === undefined || value === null || isObject(value)) continue;
    problems.push(problemAt(record, "FIELD_TYPE", parent, `${parent} is ${kindWord(value)}`, WORDS.object));
  }
  return problems;
}

const WORDS: Readonly<Record<FieldType, string>> = {
  text: "text",
  number: "a number",
  boolean: "true or false",
  object: "an object",
  list: "a list",
  any: "anything",
};

export function fits(value: JsonValue, type: FieldType): boolean {
  if (value === null || type === "any") return true;
  if (type === "text") return typeof value === "string";
  if (type === "list") return Array.isArray(value);
  if (type === "object") return isObject(value);
  return typeof value === type;
}

function renamedFields(record: LayoutRecord, fields: RecordFields): FieldProblem[] {
  const known = fields.known;
  if (known === undefined) return [];
  const problems: FieldProblem[] = [];
  const absent = new Set(readPointers(fields).filter((pointer) => fieldOf(record, pointer) === undefined));
  // One schedule is enough: the kinds that a record does not have are not missing.
  const schedules = fields.schedules.map(({ pointer }) => pointer);
  if (schedules.some((pointer) => !absent.has(pointer))) schedules.forEach((pointer) => absent.delete(pointer));
  for (const container of ["", ...parentsOf(known)]) {
    const value = fieldOf(record, container);
    if (!isObject(value)) continue;
    for (const key of Object.keys(value)) {
      const at = `${container}/${escapePointerToken(key)}`;
      if (isKnown(at, known)) continue;
      const missing = [...absent].find((pointer) => standsFor(value[key] as JsonValue, container, pointer, known));
      if (missing === undefined) continue;
      absent.delete(missing);
      const seen = `${at}, which the layout does not have, is ${kindWord(value[key])}`;
      problems.push(problemAt(record, "FIELD_RENAMED", at, seen, `${missing}, which is not there`));
    }
  }
  return problems;
}

/** Whether an unknown value could be the field itself, or the object that the field used to stand in. */
function standsFor(value: JsonValue, container: string, missing: string, known: Readonly<Record<string, FieldType>>): boolean {
  if (value === null || !missing.startsWith(`${container}/`)) return false;
  const rest = missing.slice(container.length).split("/").slice(1);
  const type = known[missing];
  if (rest.length === 1) return type !== undefined && type !== "any" && fits(value, type);
  return isObject(value) && valueAt(value, `/${rest.slice(1).join("/")}`) !== undefined;
}

function isKnown(pointer: string, known: Readonly<Record<string, FieldType>>): boolean {
  return Object.hasOwn(known, pointer) || parentsOf(known).includes(pointer);
}

/** Objects that known fields stand in. */
function parentsOf(known: Readonly<Record<string, FieldType>>): readonly string[] {
  const parents = Object.keys(known).map((pointer) => pointer.slice(0, pointer.lastIndexOf("/")));
  return [...new Set(parents)].filter((pointer) => pointer !== "");
}

function readPointers(fields: RecordFields): string[] {
  const { id, enabled, state, schedules, lastRun, running, created, prompt, repeat } = fields;
  const schedule = schedules.flatMap((field) =>
    field.kind === "cron"
      ? [field.pointer, field.zonePointer, field.recurring]
      : [field.pointer, field.kind === "every" ? field.anchor?.pointer : undefined],
  );
  const pointers = [
    ...(id === "key" ? [] : id),
    enabled?.pointer,
    ...schedule,
    state?.pointer,
    lastRun?.pointer,
    running?.pointer,
    created?.pointer,
    ...(prompt ?? []),
    repeat?.times,
    repeat?.completed,
  ];
  return [...new Set(pointers.filter((pointer) => pointer !== undefined))];
}
