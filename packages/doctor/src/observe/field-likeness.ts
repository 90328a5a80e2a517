/** The fields of a record that are read, and by what one of them would be known under another name. */
import type { JsonValue } from "@casebook/registry/judge";
import type { RecordFields, TimeField } from "../preset.ts";
import { readInstant } from "./instant-field.ts";
import { fieldOf, type LayoutRecord } from "./record.ts";

export interface Likeness {
  /** Names that people give to such a field. */
  readonly names: RegExp;
  readonly takes: (value: JsonValue) => boolean;
}

interface ReadField {
  readonly pointer: string;
  readonly likes: Likeness;
  /** Of fields in one group one is enough: the others are not missing. */
  readonly group?: "schedule" | "prompt";
}

const isText = (value: JsonValue): boolean => typeof value === "string";
const isCount = (value: JsonValue): boolean => typeof value === "number";
const isFlag = (value: JsonValue): boolean => typeof value === "boolean";
const isCron = (value: JsonValue): boolean => typeof value === "string" && value.trim().split(/\s+/).length === 5;

export function readFields(fields: RecordFields): ReadField[] {
  const { id, enabled, state, schedules, lastRun, running, created, prompt, repeat } = fields;
  const found: ReadField[] = [];
  const add = (pointer: string | undefined, names: RegExp, takes: Likeness["takes"], group?: ReadField["group"]): void => {
    if (pointer === undefined || found.some((one) => one.pointer === pointer)) return;
    found.push({ pointer, likes: { names, takes }, ...(group === undefined ? {} : { group }) });
  };
  const addTime = (field: TimeField | undefined, names: RegExp): void => {
    if (field !== undefined) add(field.pointer, names, (value) => readInstant(value, field.unit).outcome === "instant");
  };
  for (const pointer of id === "key" ? [] : id) add(pointer, /^_?(id|uid|uuid|(task|job|routine)_?id)$/i, isText);
  for (const field of schedules) {
    const { pointer } = field;
    if (field.kind === "cron") {
      add(pointer, /./, isCron, "schedule");
      add(field.zonePointer, /^(tz|zone|time_?zone)$/i, isText);
      add(field.recurring, /recur|repeat/i, isFlag);
    } else if (field.kind === "once") {
      add(pointer, /at$|when|date|due/i, (value) => readInstant(value, field.unit).outcome === "instant", "schedule");
    } else add(pointer, /every|interval|period|minutes/i, isCount, "schedule");
  }
  add(enabled?.pointer, /enabled|active|disabled|paused/i, isFlag);
  add(state?.pointer, /^(state|status)$/i, isText);
  addTime(lastRun, /last_?(run|ran|fired|exec|start)|ran_?at|executed/i);
  addTime(running, /running|started/i);
  addTime(created, /creat|added/i);
  for (const pointer of prompt ?? []) add(pointer, /prompt|message|instruction/i, isText, "prompt");
  add(repeat?.times, /times|count/i, isCount);
  add(repeat?.completed, /completed|done/i, isCount);
  for (const field of schedules) if (field.kind === "every") addTime(field.anchor, /anchor/i);
  return found;
}

export function absentFields(record: LayoutRecord, fields: RecordFields): ReadField[] {
  const all = readFields(fields);
  const present = new Set(all.filter(({ pointer }) => fieldOf(record, pointer) !== undefined).map(({ group }) => group));
  return all.filter(({ pointer, group }) => fieldOf(record, pointer) === undefined && (group === undefined || !present.has(group)));
}
