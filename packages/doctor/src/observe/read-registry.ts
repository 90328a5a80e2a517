/** One registry: what its document says as a whole, and its records. What cannot be read is said, with its place. */
import { escapePointerToken, type JsonValue } from "@casebook/registry/judge";
import type { FieldProblem, NotRead, Place, RegistryObservation } from "../observation.ts";
import type { RegistryPattern } from "../preset.ts";
import { documentPlaces, notRead, valueAt, type DocumentProblem, type Places, type ReadOptions, type Syntax, type TextDocument } from "../read/index.ts";
import type { Tree } from "../tree.ts";
import type { FoundRegistry } from "./find-registries.ts";
import { readInstant } from "./instant-field.ts";
import { readRecord, type RecordReading } from "./read-record.ts";
import { isObject, membersOfValue } from "./record.ts";
import { fits } from "./renamed-fields.ts";
import { otherListsOf } from "./registry-shape.ts";
import { sharesName } from "./trace-start.ts";
import { kindWord, seenField, seenValue } from "./seen-value.ts";
import { readSideState, recordsWith } from "./side-state.ts";

export interface RegistryReading {
  readonly observation: RegistryObservation;
  readonly records: readonly RecordReading[];
  readonly notRead: readonly NotRead[];
  /** Other files that were read as part of it. */
  readonly alsoRead: readonly string[];
}

const NOTHING = {
  modifiedAtMs: Number.NaN,
  entries: undefined,
  invalid: 0,
  otherLists: [],
  duplicateIds: [],
  duplicateKeys: [],
  encoding: [],
  version: undefined,
  skips: [],
  problem: undefined,
} as const;

export async function readRegistry(tree: Tree, found: FoundRegistry, zone: string, options: ReadOptions): Promise<RegistryReading> {
  const { path, file, pattern, preset, fit } = found;
  if (file.outcome === "not-read") {
    const outcome = file.notRead.reason === "unstable-input" ? "unstable" : "unreadable";
    return { observation: { ...NOTHING, path, outcome }, records: [], notRead: [file.notRead], alsoRead: [] };
  }
  const base = { ...NOTHING, path, modifiedAtMs: file.stat.modifiedAtMs };
  if (file.outcome === "unreadable") return unreadable(base, file.problem, file.syntax);

  const { document, value } = file;
  const places = documentPlaces(document, path);
  const whole = { ...base, ...judgeDocument(document, value, pattern, places, fit?.records, MARK_GRADES[file.syntax]) };
  if (fit === undefined) {
    const problem = { code: "RECORDS_MISSING", message: shapeMessage(path, pattern, value), place: places.placeOf("") };
    const missed = notRead(path, "unsupported", problem.message, problem.code);
    return { observation: { ...whole, outcome: "unknown-shape", problem }, records: [], notRead: [missed], alsoRead: [] };
  }
  const side = await readSideState(tree, path, pattern, options);
  const records = recordsWith(side, fit, places, pattern, preset.fields).map((record) => readRecord(record, preset.fields, zone));
  const version = whole.version;
  const isUnknownVersion = version !== undefined && version.seen !== "nothing";
  const missed = isUnknownVersion
    ? [notRead(path, "unsupported", `${path} is of version ${version.seen}; known: ${version.known.join(", ")}`, "UNSUPPORTED_VERSION")]
    : [];
  const observation: RegistryObservation = {
    ...whole,
    outcome: isUnknownVersion ? "unsupported-version" : "read",
    entries: records.length,
    invalid: records.filter(({ loads }) => loads === "no").length,
    duplicateIds: duplicateIdsOf(records),
  };
  return { observation, records, notRead: [...missed, ...side.notRead], alsoRead: side.path === undefined ? [] : [side.path] };
}

function unreadable(base: Omit<RegistryObservation, "outcome">, problem: DocumentProblem, syntax: Syntax): RegistryReading {
  const { path } = base;
  const { code, position, byteOffset, say } = problem;
  const place: Place = {
    path,
    ...(position === undefined ? {} : { line: position.line, column: position.column }),
    ...(byteOffset === undefined ? {} : { byteOffset }),
  };
  const message = `${path} could not be read as ${syntax}: ${say}`;
  const isEncoding = position === undefined;
  const observation: RegistryObservation = {
    ...base,
    outcome: code === "EMPTY" ? "empty" : "unreadable",
    encoding: isEncoding ? [{ code, place, grade: "fatal" }] : [],
    problem: { code, message, place },
  };
  return { observation, records: [], notRead: [notRead(path, "unsupported", message, code)], alsoRead: [] };
}

/** A byte order mark, where the layout does not say: JSON has none, and YAML allows it. */
const MARK_GRADES = { JSON: "fatal", YAML: "harmless" } as const;

function judgeDocument(
  document: TextDocument,
  value: JsonValue,
  pattern: RegistryPattern,
  places: Places,
  records: string | undefined,
  markGrade: "fatal" | "harmless",
) {
  const encoding =
    document.byteOrderMark === "none"
      ? []
      : [{ code: "BYTE_ORDER_MARK", place: { ...places.placeOf(""), byteOffset: 0 }, grade: pattern.byteOrderMark ?? markGrade }];
  const skips = readSkips(value, pattern, places);
  return {
    otherLists: otherListsOf(value, pattern, records),
    duplicateKeys: document.duplicateKeys.map(({ pointer, position }) => ({
      key: pointer,
      place: { path: places.placeOf("").path, line: position.line, column: position.column, pointer },
    })),
    encoding,
    version: versionOf(value, pattern, places),
    skips: skips.skips,
    fieldProblems: [...skips.problems, ...renamedAtTop(value, pattern, places, records)],
  };
}

function versionOf(value: JsonValue, pattern: RegistryPattern, places: Places): RegistryObservation["version"] {
  if (pattern.version === undefined || !isObject(value)) return undefined;
  const { pointer, known } = pattern.version;
  const seen = valueAt(value, pointer);
  if (known.some((one) => one === seen)) return undefined;
  return { seen: seen === undefined ? "nothing" : seenField(seen), known: known.map(String), place: places.placeOf(pointer) };
}

function readSkips(value: JsonValue, pattern: RegistryPattern, places: Places) {
  const pointer = pattern.recordedSkips;
  const map = pointer === undefined ? undefined : (valueAt(value, pointer) ?? undefined);
  const skips = new Map<string, { taskId: string; reason: string; atMs: number[] }>();
  const problems: FieldProblem[] = [];
  if (pointer === undefined || map === undefined) return { skips: [], problems };
  const wrong = (at: string, seen: JsonValue, wanted: string): void =>
    void problems.push({ code: "SKIPS_INVALID", place: places.placeOf(at), seen: kindWord(seen), wanted });
  if (!isObject(map)) wrong(pointer, map, "an object: a list of skips for each task");
  for (const task of isObject(map) ? membersOfValue(map, pointer) : []) {
    if (!Array.isArray(task.value)) wrong(task.pointer, task.value, "a list of skips");
    for (const skip of Array.isArray(task.value) ? membersOfValue(task.value, task.pointer) : []) {
      const reason = isObject(skip.value) ? skip.value["reason"] : undefined;
      const at = readInstant(isObject(skip.value) ? skip.value["at"] : undefined, "epoch-ms");
      if (at.outcome !== "instant" || typeof reason !== "string") {
        wrong(skip.pointer, skip.value, "an object with at (epoch milliseconds) and reason (text)");
        continue;
      }
      const key = JSON.stringify([task.key, reason]);
      const group = skips.get(key) ?? { taskId: task.key, reason, atMs: [] };
      group.atMs.push(at.atMs);
      skips.set(key, group);
    }
  }
  return { skips: [...skips.values()], problems };
}

/** A declared part of the document is gone while a key that the layout never had is there. */
function renamedAtTop(value: JsonValue, pattern: RegistryPattern, places: Places, records: string | undefined): FieldProblem[] {
  if (pattern.topLevel === undefined || !isObject(value)) return [];
  const { topLevel } = pattern;
  const wrong = Object.entries(topLevel)
    .filter(([key, type]) => Object.hasOwn(value, key) && !fits(value[key] as JsonValue, type))
    .map(([key, type]) => ({ code: "FIELD_TYPE", place: places.placeOf(`/${key}`), seen: `/${key} is ${kindWord(value[key])}`, wanted: type }));
  const absent = Object.keys(topLevel).filter((key) => !Object.hasOwn(value, key) && `/${key}` !== records);
  const renamed = Object.keys(value)
    .filter((key) => !Object.hasOwn(topLevel, key) && absent.some((one) => fits(value[key] as JsonValue, topLevel[one] ?? "any")))
    .map((key) => ({
      code: absent.some((one) => sharesName(key, one)) ? "FIELD_RENAMED" : "FIELD_UNKNOWN",
      place: places.placeOf(`/${escapePointerToken(key)}`),
      seen: `/${escapePointerToken(key)}, which the layout does not have, is ${kindWord(value[key])}`,
      wanted: `${absent.map((one) => `/${one}`).join(" or ")}, which is not there`,
    }));
  return [...wrong, ...renamed];
}

function shapeMessage(path: string, pattern: RegistryPattern, value: JsonValue): string {
  const where = pattern.records.map((pointer) => pointer || "the whole document").join(" or ");
  const keys = isObject(value) ? `; its keys are ${Object.keys(value).slice(0, 8).map((key) => seenValue(key)).join(", ") || "none"}` : "";
  return `${path} has no list of records at ${where}: the document is ${kindWord(value)}${keys}`;
}

function duplicateIdsOf(records: readonly RecordReading[]): RegistryObservation["duplicateIds"] {
  const byId = new Map<string, Place[]>();
  for (const { id, place } of records) if (id !== undefined) byId.set(id, [...(byId.get(id) ?? []), place]);
  return [...byId].filter(([, places]) => places.length > 1).map(([id, places]) => ({ id, places }));
}
