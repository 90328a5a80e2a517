/** The part of each record that a layout keeps in a second file beside its registry. */
import type { JsonValue } from "@casebook/registry/judge";
import { escapePointerToken } from "@casebook/registry/judge";
import type { NotRead } from "../observation.ts";
import type { RecordFields, RegistryPattern } from "../preset.ts";
import { notRead, placesIn, readJsonFile, valueAt, type Places, type ReadOptions } from "../read/index.ts";
import type { Tree } from "../tree.ts";
import { joinPath, parentOf } from "../trees/index.ts";
import { isObject, type LayoutRecord } from "./record.ts";
import type { Fit } from "./registry-shape.ts";

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
  const from = sideState.from.map((inner) => `${at}${inner}`).find((pointer) => isObject(valueAt(side.value as JsonValue, pointer)));
  if (from === undefined) return own;
  const into = sideState.into;
  return {
    ...own,
    value: { ...own.value, [into.slice(1)]: valueAt(side.value, from) as JsonValue },
    placeOf: (field) =>
      field.startsWith(`${into}/`) && side.places !== undefined ? side.places.placeOf(`${from}${field.slice(into.length)}`) : own.placeOf(field),
  };
}
