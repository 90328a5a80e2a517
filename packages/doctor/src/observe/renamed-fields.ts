/**
 * Fields that are not where the layout has them. A field that is read and absent is reported as renamed if a key that the
 * layout never had stands in its place, is named alike and holds what the field would. Both, because new fields are no damage. Leaves out what was renamed into a key that is known.
 */
import { escapePointerToken, type JsonValue } from "@casebook/registry/judge";
import type { FieldProblem } from "../observation.ts";
import type { FieldType, RecordFields } from "../preset.ts";
import { valueAt } from "../read/index.ts";
import { absentFields, readFields, type Likeness } from "./field-likeness.ts";
import { fieldOf, isObject, problemAt, type LayoutRecord } from "./record.ts";
import { kindWord } from "./seen-value.ts";

export interface RecordShape {
  readonly problems: readonly FieldProblem[];
  /** Pointers of fields that stand elsewhere, or in something that is no object: absent, and not because they were left out. */
  readonly lost: readonly string[];
}

export function shapeOf(record: LayoutRecord, fields: RecordFields): RecordShape {
  const renamed = renamedFields(record, fields);
  const parents = wrongParents(record, fields);
  const elsewhere = record.lost === undefined ? [] : [record.lost.problem];
  return {
    problems: [...missingFields(record, fields), ...wrongTypes(record, fields), ...parents.map(({ problem }) => problem), ...renamed.map(({ problem }) => problem), ...elsewhere],
    lost: [...[...parents, ...renamed].map(({ pointer }) => pointer), ...(record.lost === undefined ? [] : [record.lost.pointer])],
  };
}

/** A problem, and the field that it keeps from being read. */
interface Lost {
  readonly pointer: string;
  readonly problem: FieldProblem;
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
  return problems;
}

function wrongParents(record: LayoutRecord, fields: RecordFields): Lost[] {
  return parentsOf(fields.known ?? {}).flatMap((pointer) => {
    const value = fieldOf(record, pointer);
    if (value === undefined || value === null || isObject(value)) return [];
    return [{ pointer, problem: problemAt(record, "FIELD_TYPE", pointer, `${pointer} is ${kindWord(value)}`, WORDS.object) }];
  });
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

function renamedFields(record: LayoutRecord, fields: RecordFields): Lost[] {
  const known = fields.known;
  if (known === undefined) return [];
  const found: Lost[] = [];
  const absent = absentFields(record, fields);
  for (const container of ["", ...parentsOf(known)]) {
    const value = fieldOf(record, container);
    if (!isObject(value)) continue;
    for (const key of Object.keys(value)) {
      const at = `${container}/${escapePointerToken(key)}`;
      if (isKnown(at, known)) continue;
      const missing = absent.find(({ pointer, likes }) => standsFor(key, value[key] as JsonValue, container, pointer, likes));
      if (missing === undefined) continue;
      absent.splice(absent.indexOf(missing), 1);
      const seen = `${at}, which the layout does not have, is ${kindWord(value[key])}`;
      found.push({ pointer: missing.pointer, problem: problemAt(record, "FIELD_RENAMED", at, seen, `${missing.pointer}, which is not there`) });
    }
  }
  return found;
}

/** Whether an unknown key could be the field itself, or the object that the field used to stand in. */
function standsFor(key: string, value: JsonValue, container: string, missing: string, likes: Likeness): boolean {
  if (value === null || !missing.startsWith(`${container}/`)) return false;
  const rest = missing.slice(container.length).split("/").slice(1);
  const isNamedAlike = likes.names.test(key) || areAlike(key, rest[0] as string);
  if (rest.length === 1) return isNamedAlike && likes.takes(value);
  if (!isObject(value)) return false;
  return valueAt(value, `/${rest.slice(1).join("/")}`) !== undefined || (areAlike(key, rest[0] as string) && Object.keys(value).length === 0);
}

function areAlike(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return a.includes(b) || (a.length >= MIN_ALIKE && b.includes(a));
}

/** Shorter names are inside of everything. */
const MIN_ALIKE = 3;

function isKnown(pointer: string, known: Readonly<Record<string, FieldType>>): boolean {
  return Object.hasOwn(known, pointer) || parentsOf(known).includes(pointer);
}

/** Objects that known fields stand in. */
function parentsOf(known: Readonly<Record<string, FieldType>>): readonly string[] {
  const parents = Object.keys(known).map((pointer) => pointer.slice(0, pointer.lastIndexOf("/")));
  return [...new Set(parents)].filter((pointer) => pointer !== "");
}

function readPointers(fields: RecordFields): string[] {
  return readFields(fields).map(({ pointer }) => pointer);
}
