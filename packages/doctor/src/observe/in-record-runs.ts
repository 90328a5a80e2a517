/** Runs that a layout keeps inside the record of their task. */
import type { Artefact } from "@casebook/guards";
import type { ArtefactObservation } from "../observation.ts";
import type { ArtefactPattern } from "../preset.ts";
import { valueAt } from "../read/index.ts";
import { readInstant } from "./instant-field.ts";
import type { RecordReading } from "./read-record.ts";
import { fieldOf, isObject, membersOfValue } from "./record.ts";
import type { Trace, TraceReading } from "./traces.ts";

const TRIGGERS: readonly Artefact["trigger"][] = ["scheduled", "catch-up", "manual", "unknown"];

export function readInRecordRuns(records: readonly RecordReading[], pattern: Extract<ArtefactPattern, { kind: "in-record" }>): TraceReading {
  const traces: Trace[] = [];
  const damaged: ArtefactObservation["damaged"][number][] = [];
  let lines = 0;
  for (const { id, record } of records) {
    const list = fieldOf(record, pattern.pointer) ?? undefined;
    if (list === undefined) continue;
    if (!Array.isArray(list)) {
      damaged.push({ code: "WRONG_SHAPE", place: record.placeOf(pattern.pointer), goodLinesAfter: 0 });
      continue;
    }
    lines += list.length;
    for (const { pointer, key, value } of membersOfValue(list, pattern.pointer)) {
      const at = readInstant(valueAt(value, pattern.at.pointer), pattern.at.unit);
      if (!isObject(value) || at.outcome !== "instant") {
        damaged.push({ code: "WRONG_SHAPE", place: record.placeOf(pointer), goodLinesAfter: list.length - 1 - Number(key) });
        continue;
      }
      if ((pattern.unless ?? []).some((flag) => isTruthy(valueAt(value, flag)))) continue;
      const word = pattern.trigger === undefined ? undefined : valueAt(value, pattern.trigger);
      const trigger = TRIGGERS.find((one) => one === word) ?? "unknown";
      traces.push({ taskId: id, startedAtMs: at.atMs, trigger, place: record.placeOf(pointer), source: "in-record", session: undefined });
    }
  }
  return { traces, files: 0, lines, damaged, notRead: [], writtenAtMs: [] };
}

function isTruthy(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== "" && value !== 0;
}
