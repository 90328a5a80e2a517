/** Where a document has the records of a layout, and how much of the layout is recognised in them. */
import type { JsonValue } from "@casebook/registry/judge";
import type { Preset, RegistryPattern } from "../preset.ts";
import { valueAt } from "../read/index.ts";
import { isObject, membersOfValue } from "./record.ts";

/** Records that are looked at to tell layouts apart. */
const SAMPLE = 20;

export interface Fit {
  readonly records: string;
  readonly members: readonly { readonly pointer: string; readonly key: string; readonly value: JsonValue }[];
  readonly container: "list" | "map";
  /** 0: nothing in it is known, also because it is empty. */
  readonly score: number;
  /** Of the records looked at, those that have an id and a schedule of the layout. */
  readonly telling: number;
}

/** Undefined: the document has no records where the layout has them. */
export function fitOf(preset: Preset, pattern: RegistryPattern, value: JsonValue): Fit | undefined {
  for (const records of pattern.records) {
    const container = valueAt(value, records);
    // A whole document that is an object is a map of records only where the layout's ids are keys.
    const mayBeMap = records !== "" || preset.fields.id === "key";
    if (Array.isArray(container) || (mayBeMap && isMapOfObjects(container))) {
      const members = membersOfValue(container as JsonValue, records);
      const score = scoreOf(preset, pattern, value, members);
      const telling = members.slice(0, SAMPLE).filter((member) => isTelling(preset, member.value)).length;
      return { records, members, container: Array.isArray(container) ? "list" : "map", score, telling };
    }
  }
  return undefined;
}

function isMapOfObjects(value: JsonValue | undefined): boolean {
  return isObject(value) && Object.values(value).every(isObject);
}

function isTelling(preset: Preset, record: JsonValue): boolean {
  const { id, schedules } = preset.fields;
  const hasId = id === "key" || id.some((pointer) => valueAt(record, pointer) !== undefined);
  return hasId && schedules.some(({ pointer }) => valueAt(record, pointer) !== undefined);
}

function scoreOf(preset: Preset, pattern: RegistryPattern, document: JsonValue, members: Fit["members"]): number {
  const { id, schedules, known, always } = preset.fields;
  const telling = [...(id === "key" ? [] : id), ...schedules.map(({ pointer }) => pointer), ...(always ?? [])];
  const pointers = [...new Set([...telling, ...Object.keys(known ?? {})])];
  const sample = members.slice(0, SAMPLE).map(({ value }) => value);
  const topLevel = isObject(document) ? Object.keys(document).filter((key) => pattern.topLevel?.includes(key)).length : 0;
  if (sample.length === 0) return isObject(document) && pattern.topLevel !== undefined ? Math.max(0, topLevel - 1) / 10 : 0;
  const hits = sample.map((record) => pointers.filter((pointer) => valueAt(record, pointer) !== undefined).length);
  return hits.reduce((sum, one) => sum + one, 0) / sample.length;
}

/** At the top of a document: other lists of objects, and maps of objects. Keys of the layout itself are not other lists. */
export function otherListsOf(document: JsonValue, pattern: RegistryPattern, records: string | undefined): { pointer: string; entries: number }[] {
  if (!isObject(document)) return [];
  return membersOfValue(document, "")
    .filter(({ pointer, key }) => pointer !== records && !(pattern.topLevel ?? []).includes(key))
    .map(({ pointer, value }) => ({ pointer, entries: objectsIn(value) }))
    .filter(({ entries }) => entries > 0);
}

function objectsIn(value: JsonValue): number {
  if (Array.isArray(value)) return value.filter(isObject).length;
  if (!isObject(value)) return 0;
  const members = Object.values(value);
  return members.every(isObject) ? members.length : 0;
}
