/** The part of each record that a layout keeps in a second file beside its registry. */
import type { JsonValue } from "@casebook/registry/judge";
import { escapePointerToken } from "@casebook/registry/judge";
import type { FieldProblem, NotRead } from "../observation.ts";
import type { RecordFields, RegistryPattern } from "../preset.ts";
import { notRead, placesIn, readJsonFile, valueAt, type Places, type ReadOptions } from "../read/index.ts";
import type { Tree } from "../tree.ts";
import { joinPath, parentOf } from "../trees/index.ts";
import { isObject, membersOfValue, type LayoutRecord } from "./record.ts";
import type { Fit } from "./registry-shape.ts";
import { kindWord } from "./seen-value.ts";

export interface SideState {
  /** Undefined: there is no such file. */
  readonly path: string | undefined;
  readonly value: JsonValue | undefined;
  readonly places: Places | undefined;
  readonly notRead: readonly NotRead[];
}

const NONE: SideState = { path: undefined, value: undefined, places: undefined, notRead: [] };

export async function readSideState(tree: Tree, registry: string, pattern: RegistryPattern, options: ReadOptions): Promise<SideState> {
  if (pattern.sideState === undefined) return NONE;
  const path = joinPath(parentOf(registry), pattern.sideState.file);
  const file = await readJsonFile(tree, path, options);
  if (file.outcome === "not-read") {
    const isAbsent = file.notRead.evidence.firstLines?.includes("ENOENT") ?? false;
    return isAbsent ? NONE : { ...NONE, path, notRead: [file.notRead] };
  }
  if (file.outcome === "unreadable") {
    const message = `${path} could not be read as JSON: ${file.problem.say}. What its tasks last did is unknown`;
    return { ...NONE, path, notRead: [notRead(path, "unsupported", message, file.problem.code)] };
  }
  const { records } = pattern.sideState;
  if (isObject(valueAt(file.value, records))) return { path, value: file.value, places: placesIn(file.document, path), notRead: [] };
  const message = `${path} has no map of states at ${records || "its top"}. What its tasks last did is unknown`;
  return { ...NONE, path, notRead: [notRead(path, "unsupported", message, "RECORDS_MISSING")] };
}

/** The records of a registry, each with its part of the side file in the place where the layout's fields expect it. */
export function recordsWith(
  side: SideState,
  fit: Fit,
  places: Places,
  pattern: RegistryPattern,
  fields: RecordFields,
): LayoutRecord[] {
  return fit.members.map(({ pointer, key, value }) => {
    const own: LayoutRecord = {
      pointer,
      key: fit.container === "map" ? key : undefined,
      value,
      placeOf: (field) => places.placeOf(`${pointer}${field}`),
    };
    return withSide(own, side, pattern, fields);
  });
}

function withSide(own: LayoutRecord, side: SideState, pattern: RegistryPattern, fields: RecordFields): LayoutRecord {
  const { sideState } = pattern;
  if (sideState === undefined || side.value === undefined || !isObject(own.value)) return own;
  const pointers = fields.id === "key" ? [] : fields.id;
  const id = pointers.map((pointer) => valueAt(own.value, pointer)).find((one) => typeof one === "string") ?? own.key;
  if (typeof id !== "string") return own;
  const at = `${sideState.records}/${escapePointerToken(id)}`;
  const into = sideState.into;
  const lost = lostIn(side, at, sideState, fields);
  if (lost !== undefined) return { ...own, lost: { pointer: into, problem: lost } };
  const from = sideState.from.map((inner) => `${at}${inner}`).find((pointer) => isObject(valueAt(side.value as JsonValue, pointer)));
  if (from === undefined) return own;
  return {
    ...own,
    value: { ...own.value, [into.slice(1)]: valueAt(side.value, from) as JsonValue },
    placeOf: (field) =>
      field.startsWith(`${into}/`) && side.places !== undefined ? side.places.placeOf(`${from}${field.slice(into.length)}`) : own.placeOf(field),
  };
}

/** A part that is there and no object, or that stands under another name: with it all that its task last did. */
function lostIn(side: SideState, at: string, { from, into }: NonNullable<RegistryPattern["sideState"]>, fields: RecordFields): FieldProblem | undefined {
  const whole = valueAt(side.value as JsonValue, at) ?? undefined;
  if (whole === undefined || side.places === undefined) return undefined;
  const placeOf = side.places.placeOf;
  const wrong = from.map((inner) => `${at}${inner}`).find((pointer) => isWrong(valueAt(side.value as JsonValue, pointer)));
  if (wrong !== undefined) {
    return { code: "FIELD_TYPE", place: placeOf(wrong), seen: `${wrong} is ${kindWord(valueAt(side.value as JsonValue, wrong))}`, wanted: "an object" };
  }
  const [inner = ""] = from;
  if (inner === "" || valueAt(whole, inner) !== undefined) return undefined;
  const names = Object.keys(fields.known ?? {}).flatMap((pointer) => (pointer.startsWith(`${into}/`) ? [pointer.slice(into.length)] : []));
  const renamed = membersOfValue(whole, at).find(({ key, value }) => {
    return isObject(value) && (key.startsWith(inner.slice(1)) || names.some((name) => valueAt(value, name) !== undefined));
  });
  if (renamed === undefined) return undefined;
  const seen = `${renamed.pointer}, which the layout does not have, is ${kindWord(renamed.value)}`;
  return { code: "FIELD_RENAMED", place: placeOf(renamed.pointer), seen, wanted: `${at}${inner}, which is not there` };
}

function isWrong(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && !isObject(value);
}
