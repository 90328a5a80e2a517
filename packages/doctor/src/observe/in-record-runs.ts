/** Runs that a layout keeps inside the record of their task. */
import type { Artefact } from "@casebook/guards";
import type { ArtefactObservation } from "../observation.ts";
import type { ArtefactPattern } from "../preset.ts";
import { valueAt } from "../read/index.ts";
import { readInstant } from "./instant-field.ts";
import type { RecordReading } from "./read-record.ts";
import { fieldOf, isObject, membersOfValue, type LayoutRecord } from "./record.ts";
import { renamedField } from "./trace-start.ts";
import type { Trace, TraceReading } from "./traces.ts";

const TRIGGERS: readonly Artefact["trigger"][] = ["scheduled", "catch-up", "manual", "unknown"];

type InRecordPattern = Extract<ArtefactPattern, { kind: "in-record" }>;

/** `known`: the fields that the layout has, among which no list of runs is one that moved. */
export function readInRecordRuns(records: readonly RecordReading[], pattern: InRecordPattern, known: Readonly<Record<string, unknown>> = {}): TraceReading {
  const traces: Trace[] = [];
  const damaged: ArtefactObservation["damaged"][number][] = [];
  let lines = 0;
  for (const { id, record } of records) {
    const list = fieldOf(record, pattern.pointer) ?? undefined;
    const moved = list === undefined || (Array.isArray(list) && list.length === 0) ? movedRuns(record, pattern, known) : undefined;
    if (moved !== undefined) damaged.push({ code: "RUNS_RENAMED", place: record.placeOf(moved), goodLinesAfter: 0 });
    if (list === undefined) continue;
    if (!Array.isArray(list)) {
      damaged.push({ code: "WRONG_SHAPE", place: record.placeOf(pattern.pointer), goodLinesAfter: 0 });
      continue;
    }
    lines += list.length;
    for (const { pointer, key, value } of membersOfValue(list, pattern.pointer)) {
      const at = readInstant(valueAt(value, pattern.at.pointer), pattern.at.unit);
      if (!isObject(value) || at.outcome !== "instant") {
        const field = isObject(value) ? (renamedField(value, pattern.at.pointer) ?? pattern.at.pointer) : "";
        damaged.push({ code: "WRONG_SHAPE", place: record.placeOf(`${pointer}${field}`), goodLinesAfter: list.length - 1 - Number(key) });
        continue;
      }
      if ((pattern.unless ?? []).some((flag) => isTruthy(valueAt(value, flag)))) continue;
      const word = pattern.trigger === undefined ? undefined : valueAt(value, pattern.trigger);
      const known = TRIGGERS.find((one) => one === word);
      if (pattern.trigger !== undefined && known === undefined) {
        const field = renamedField(value, pattern.trigger) ?? pattern.trigger;
        damaged.push({ code: "TRIGGER_UNKNOWN", place: record.placeOf(`${pointer}${field}`), goodLinesAfter: list.length - 1 - Number(key) });
      }
      const trigger = known ?? "unknown";
      traces.push({ taskId: id, startedAtMs: at.atMs, trigger, place: record.placeOf(pointer), source: "in-record", session: undefined });
    }
  }
  return { traces, files: 0, lines, damaged, notRead: [], writtenAtMs: [] };
}

/** A list of runs under a key that the layout does not have. */
function movedRuns({ value }: LayoutRecord, { at }: InRecordPattern, known: Readonly<Record<string, unknown>>): string | undefined {
  if (!isObject(value)) return undefined;
  return membersOfValue(value, "").find(({ pointer, value: list }) => {
    if (Object.hasOwn(known, pointer) || !Array.isArray(list) || list.length === 0) return false;
    return list.every((one) => isObject(one) && readInstant(valueAt(one, at.pointer), at.unit).outcome === "instant");
  })?.pointer;
}

function isTruthy(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== "" && value !== 0;
}
