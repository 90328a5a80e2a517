/** Judges one entry by its text, so that a repeated key or a rounded number cannot pass for what it became when parsed. */
import type { JsonValue } from "./document.ts";
import { ENTRY_FIELDS, entrySchema, FIELD_RULES, isTaskId, type EntryField } from "./entry-schema.ts";
import { exactInstantOf, instantOf } from "./instant.ts";
import { kindAt, membersOf, type Member, type Range } from "./members.ts";
import type { Task } from "./task.ts";
import { shown, type Position } from "./text.ts";

export type EntryProblemCode =
  | (typeof FIELD_RULES)[EntryField]["code"]
  | "ENTRY_NOT_OBJECT"
  | "ENTRY_UNREADABLE"
  | "ID_MISSING"
  | "ID_MISMATCH"
  | "DUPLICATE_ID"
  | "DUPLICATE_KEY"
  | "NUMBER_INEXACT"
  | "SCHEDULE_MISSING"
  | "SCHEDULE_AMBIGUOUS";

export interface EntryProblem {
  readonly code: EntryProblemCode;
  /** File name within a registry of one file per task; undefined where the registry is one file. */
  readonly file: string | undefined;
  readonly pointer: string;
  readonly position: Position | undefined;
  readonly id: string | undefined;
  /** Kind and clipped text of what is there. */
  readonly seen: string;
  readonly wanted: string;
  /** What to do about it, one clause. */
  readonly now: string;
  /** Code, what, why and what now, in one line. */
  readonly say: string;
}

/** An entry as it stands in the text of its file, not yet believed. */
export interface RawEntry extends Range {
  readonly file: string | undefined;
  readonly pointer: string;
  readonly text: string;
  readonly positionAt: (offset: number) => Position;
  /** The map key or file stem that names the entry; undefined in a list. */
  readonly name: string | undefined;
}

/** A value that was read as another value than the one written. */
export interface Normalised {
  readonly file: string | undefined;
  readonly pointer: string;
  readonly id: string | undefined;
  readonly from: string;
  readonly to: number;
}

export type FireAtReading = "as-written" | "instant-text-to-epoch-ms";

export interface JudgedEntry {
  readonly raw: RawEntry;
  /** The id it would have, also where something else is wrong with it. */
  readonly id: string | undefined;
  /** Undefined exactly when there are problems. */
  readonly task: Task | undefined;
  readonly problems: readonly EntryProblem[];
  readonly normalised: readonly Normalised[];
}

export function judgeEntry(raw: RawEntry, fireAtReading: FireAtReading): JudgedEntry {
  const members = fieldMembers(raw);
  const fields: Partial<Record<EntryField, JsonValue>> = {};
  for (const [field, member] of members.first) fields[field] = valueOf(raw, member);
  if (raw.name !== undefined && fields.id === undefined) fields.id = raw.name;

  const id = typeof fields.id === "string" && isTaskId(fields.id) ? fields.id : undefined;
  const normalised: Normalised[] = [];
  const exact = typeof fields.fireAt === "string" ? exactInstantOf(fields.fireAt) : undefined;
  if (fireAtReading === "instant-text-to-epoch-ms" && exact !== undefined) {
    normalised.push({ file: raw.file, pointer: `${raw.pointer}/fireAt`, id, from: fields.fireAt as string, to: exact });
    fields.fireAt = exact;
  }

  if (kindAt(raw.text, raw.start) !== "object") {
    return { raw, id, task: undefined, problems: [problem(raw, id, "ENTRY_NOT_OBJECT", undefined, raw, "an object")], normalised: [] };
  }
  const problems = findProblems(raw, id, fields, members);
  return { raw, id, task: problems.length === 0 ? taskOf(fields) : undefined, problems, normalised };
}

interface FieldMembers {
  readonly first: ReadonlyMap<EntryField, Member>;
  readonly repeated: readonly Member[];
}

function fieldMembers(raw: RawEntry): FieldMembers {
  const first = new Map<EntryField, Member>();
  const repeated: Member[] = [];
  if (kindAt(raw.text, raw.start) !== "object") return { first, repeated };
  for (const member of membersOf(raw.text, raw)) {
    const field = ENTRY_FIELDS.find((known) => known === member.key);
    if (field === undefined) continue;
    if (first.has(field)) repeated.push(member);
    else first.set(field, member);
  }
  return { first, repeated };
}

function findProblems(
  raw: RawEntry,
  id: string | undefined,
  fields: Partial<Record<EntryField, JsonValue>>,
  members: FieldMembers,
): EntryProblem[] {
  const problems = members.repeated.map((member) => problem(raw, id, "DUPLICATE_KEY", member.key, member, "each key once"));
  const checked = entrySchema.safeParse(fields);
  for (const field of new Set(checked.error?.issues.map((issue) => issue.path[0] as EntryField))) {
    const member = members.first.get(field);
    const { code, wanted } = FIELD_RULES[field];
    if (field === "id" && fields.id === undefined) problems.push(problem(raw, id, "ID_MISSING", undefined, undefined, wanted));
    else if (isInexact(fields[field])) problems.push(problem(raw, id, "NUMBER_INEXACT", field, member, wanted));
    else problems.push(problem(raw, id, code, field, member, wanted));
  }
  if (raw.name !== undefined && typeof fields.id === "string" && fields.id !== raw.name) {
    problems.push(problem(raw, id, "ID_MISMATCH", "id", members.first.get("id"), `the name it is filed under, "${shown(raw.name)}"`));
  }
  const one = "exactly one of fireAt and cronExpression";
  if (fields.fireAt === undefined && fields.cronExpression === undefined) {
    problems.push(problem(raw, id, "SCHEDULE_MISSING", undefined, undefined, one));
  }
  if (fields.fireAt !== undefined && fields.cronExpression !== undefined) {
    problems.push(problem(raw, id, "SCHEDULE_AMBIGUOUS", "cronExpression", members.first.get("cronExpression"), one));
  }
  return problems;
}

/** Beyond 2^53 the number in the file and the number in memory need not be the same one. */
function isInexact(value: JsonValue | undefined): boolean {
  return typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

function taskOf(fields: Partial<Record<EntryField, JsonValue>>): Task {
  const entry = entrySchema.parse(fields);
  return {
    id: entry.id,
    enabled: entry.enabled,
    schedule:
      entry.fireAt !== undefined
        ? { kind: "once", atMs: entry.fireAt }
        : { kind: "cron", expression: entry.cronExpression ?? "", zone: entry.zone },
    lastRunAtMs: typeof entry.lastRunAt === "string" ? instantOf(entry.lastRunAt) : undefined,
  };
}

function valueOf(raw: RawEntry, range: Range): JsonValue {
  return JSON.parse(raw.text.slice(range.start, range.end)) as JsonValue;
}

/** `field` undefined: the entry as a whole. `at` undefined: the thing is not there. */
export function problem(
  raw: RawEntry,
  id: string | undefined,
  code: EntryProblemCode,
  field: string | undefined,
  at: Range | undefined,
  wanted: string,
): EntryProblem {
  const pointer = field === undefined ? raw.pointer : `${raw.pointer}/${field}`;
  const seen = at === undefined ? "nothing" : describe(raw.text, at);
  const position = raw.positionAt(at?.start ?? raw.start);
  const now = adviceFor(raw.text, code, at);
  const found = { code, file: raw.file, pointer, position, id, seen, wanted, now };
  const place = `(line ${position.line}, column ${position.column})`;
  return { ...found, say: `${code}: ${whatIsWrong(found)} ${place}. A task that is set aside does not fire. ${now}.` };
}

/** Where, whose, what is there and what was wanted; without code and position. */
export function whatIsWrong(found: Pick<EntryProblem, "file" | "pointer" | "id" | "seen" | "wanted">): string {
  const place = [found.file, found.pointer].filter((part) => part !== undefined && part !== "").map((part) => shown(part as string));
  const who = found.id === undefined ? "" : ` of "${shown(found.id)}"`;
  return `${place.join(" ") || "the document"}${who} is ${found.seen}, wanted ${found.wanted}`;
}

function adviceFor(text: string, code: EntryProblemCode, at: Range | undefined): string {
  const value: unknown = code === "FIRE_AT_INVALID" && at !== undefined ? JSON.parse(text.slice(at.start, at.end)) : undefined;
  const exact = typeof value === "string" ? exactInstantOf(value) : undefined;
  return exact === undefined ? "Correct it in the file" : `Write ${exact}, the instant it names`;
}

function describe(text: string, range: Range): string {
  const kind = kindAt(text, range.start);
  const source = text.slice(range.start, range.end);
  if (kind === "string") return `text ${shown(source)}`;
  if (kind === "number") return `number ${shown(source)}`;
  if (kind === "array") return `a list of ${membersOf(text, range).length}`;
  if (kind === "object") return `an object of ${membersOf(text, range).length} keys`;
  return source;
}
