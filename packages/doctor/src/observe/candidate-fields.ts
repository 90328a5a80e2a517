/** Which fields of records of unknown shape are a schedule and a last run, by what they hold; a name only helps where the value could be anything. */
import { instantOf, type JsonValue } from "@casebook/registry/judge";
import { readCalendar } from "@casebook/scheduler/judge";
import { durationOf } from "./duration-text.ts";
import { isObject, membersOfValue } from "./record.ts";

/** `word`: as `--schedule` or `--last-run` takes it. */
export interface FoundField {
  readonly pointer: string;
  readonly word: string;
}

export interface FoundSchedule extends FoundField {
  readonly kind: "cron" | "every" | "once" | "seconds";
}

/** How deep inside a record a field may stand: `/trigger/timing/cron`. */
const MAX_DEPTH = 3;
const MAX_FIELDS = 200;

const SCHEDULE_LIKE = /cron|sched|expr|interval|every|rrule|fire_?at|run_?at|due|next_?run|freq|cadence|period|timing|trigger|repeat/i;
const PERIOD_LIKE = /every|interval|freq|cadence|period|repeat|minutes|ms$|millis|sched|cron|timing/i;
const NOT_A_PERIOD = /time_?out|max|limit|retr|grace|delay|ttl|duration|took|elapsed/i;
const LAST_RUN_LIKE = /(last|prev|latest|recent).*(run|ran|fire|exec|trigger|start|invo)/i;
const NEXT_LIKE = /next/i;
/** True where it runs: `paused` and `disabled` say the contrary, `active` perhaps that it runs just now, `/notify/enabled` something else. */
const ENABLED_LIKE = /^(\/(flags|schedule|trigger|timing|config|settings|options))?\/(is_?)?enabled$/i;

interface Leaf {
  readonly pointer: string;
  readonly value: JsonValue;
}

/** Of all records together: the best one, and others for the records that it is not in. */
export function schedulesOf(records: readonly JsonValue[]): FoundSchedule[] {
  const inEach = records.map((record) => leavesOf(record).flatMap(scheduleIn).toSorted((one, other) => rank(other) - rank(one)));
  const chosen: FoundSchedule[] = [];
  for (const found of inEach) {
    const [best] = found;
    if (best === undefined || found.some(({ word }) => chosen.some((one) => one.word === word))) continue;
    chosen.push(best);
  }
  return chosen;
}

/** The first that some record has an instant in, if at least half of those that have it do. */
export function lastRunOf(records: readonly JsonValue[]): FoundField | undefined {
  const named = records.flatMap(leavesOf).filter(({ pointer, value }) => LAST_RUN_LIKE.test(pointer) && !NEXT_LIKE.test(pointer) && value !== null);
  const read = named.flatMap(({ pointer, value }) => {
    const unit = unitOf(value);
    return unit === undefined ? [] : [{ pointer, word: `${pointer}${unit}` }];
  });
  return read.find(({ word, pointer }) => read.filter((one) => one.word === word).length * 2 >= named.filter((one) => one.pointer === pointer).length);
}

/** The least deep one that is true or false wherever it is. */
export function enabledOf(records: readonly JsonValue[]): string | undefined {
  const named = records.flatMap(leavesOf).filter(({ pointer, value }) => ENABLED_LIKE.test(pointer) && value !== null);
  const plain = named.filter(({ pointer }) => named.every((one) => one.pointer !== pointer || typeof one.value === "boolean"));
  return plain.toSorted((one, other) => one.pointer.split("/").length - other.pointer.split("/").length)[0]?.pointer;
}

function leavesOf(record: JsonValue): Leaf[] {
  const leaves: Leaf[] = [];
  const queue: (Leaf & { readonly depth: number })[] = [{ pointer: "", value: record, depth: 0 }];
  for (const { value, pointer, depth } of queue) {
    if (leaves.length >= MAX_FIELDS) break;
    // A pointer with one of these is no word of the command line.
    if (/[,:]/.test(pointer)) continue;
    if (!isObject(value)) leaves.push({ pointer, value });
    else if (depth < MAX_DEPTH) queue.push(...membersOfValue(value, pointer).slice(0, MAX_FIELDS).map((member) => ({ pointer: member.pointer, value: member.value, depth: depth + 1 })));
  }
  return leaves;
}

function scheduleIn({ pointer, value }: Leaf): FoundSchedule[] {
  if (LAST_RUN_LIKE.test(pointer)) return [];
  const isNamed = SCHEDULE_LIKE.test(pointer);
  if (typeof value === "string") {
    const fields = value.trim().split(/\s+/);
    if (fields.length === 5 && (isNamed ? fields.every(isCronField) : isCron(value))) return [{ pointer, word: pointer, kind: "cron" }];
    if (fields.length === 6 && fields.every(isCronField) && isCron(fields.slice(1).join(" "))) return [{ pointer, word: pointer, kind: "seconds" }];
    if (isPeriod(pointer) && durationOf(value) !== undefined) return [{ pointer, word: `every:${pointer}:duration`, kind: "every" }];
  }
  if (!isNamed) return [];
  if (typeof value === "number" && value > 0 && value < 1e9 && isPeriod(pointer)) {
    const unit = /min/i.test(pointer) ? "minutes" : "ms";
    return unit === "minutes" || /ms$|millis/i.test(pointer) || value >= 1_000 ? [{ pointer, word: `every:${pointer}:${unit}`, kind: "every" }] : [];
  }
  const unit = unitOf(value);
  return unit === undefined ? [] : [{ pointer, word: `once:${pointer}${unit}`, kind: "once" }];
}

/** Its own name says so, or the one above it. */
function isPeriod(pointer: string): boolean {
  return PERIOD_LIKE.test(pointer) && !NOT_A_PERIOD.test(pointer);
}

function isCronField(field: string): boolean {
  return /^[0-9*][0-9A-Za-z*,\-/#]*$|^[A-Z]{3}([,-][A-Z]{3})*$/i.test(field);
}

function isCron(expression: string): boolean {
  return readCalendar({ kind: "cron", expression, zone: "UTC" }, { zone: "UTC" }).outcome === "calendar";
}

/** As it is appended to a pointer; undefined for no instant. */
function unitOf(value: JsonValue): string | undefined {
  if (typeof value === "string") return instantOf(value) === undefined ? undefined : "";
  if (typeof value !== "number") return undefined;
  if (value > 1e11 && value < 1e13) return ":epoch-ms";
  return value > 1e9 && value < 1e10 ? ":epoch-s" : undefined;
}

/** An expression before a period and that before an instant; `nextRun` last, which is only what somebody expects. */
function rank({ kind, pointer }: FoundSchedule): number {
  const kinds = { cron: 4, seconds: 3, every: 2, once: 1 } as const;
  return kinds[kind] + (NEXT_LIKE.test(pointer) ? 0 : 10);
}
