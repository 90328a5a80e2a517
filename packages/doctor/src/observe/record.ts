/** One record as its layout keeps it: its value, and where each of its fields stands, also if part of it is in another file. */
import { escapePointerToken, type JsonObject, type JsonValue } from "@casebook/registry/judge";
import type { FieldProblem, Place } from "../observation.ts";
import { valueAt } from "../read/index.ts";

export interface LayoutRecord {
  /** Pointer of the record in its document. */
  readonly pointer: string;
  /** Its key where records stand in a map. */
  readonly key: string | undefined;
  readonly value: JsonValue;
  /** Where a field stands; where it is not there, the nearest thing above it that is. */
  placeOf(fieldPointer: string): Place;
  /** Part of it stands in another file and could not be taken from there: the pointer that it belongs to, and why. */
  readonly lost?: { readonly pointer: string; readonly problem: FieldProblem };
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function fieldOf(record: LayoutRecord, pointer: string): JsonValue | undefined {
  return valueAt(record.value, pointer);
}

/** Present and not null. */
export function hasField(record: LayoutRecord, pointer: string): boolean {
  const value = fieldOf(record, pointer);
  return value !== undefined && value !== null;
}

export function problemAt(
  record: LayoutRecord,
  code: string,
  fieldPointer: string,
  seen: string,
  wanted: string,
  instead?: string,
): FieldProblem {
  const found = { code, place: record.placeOf(fieldPointer), seen, wanted };
  return instead === undefined ? found : { ...found, instead };
}

/** Pointer and value of every member, in the order of the document. */
export function membersOfValue(value: JsonValue, pointer: string): { pointer: string; key: string; value: JsonValue }[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).map(([key, member]: [string, JsonValue]) => {
    return { pointer: `${pointer}/${escapePointerToken(key)}`, key, value: member };
  });
}
