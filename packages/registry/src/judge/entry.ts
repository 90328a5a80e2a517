/** Judges one entry by its text, so that a repeated key or a rounded number cannot pass for what it became when parsed. */
import { type JsonValue, kindAt, membersOf, type Member, type Range } from "./document.ts";
import {
  ENTRY_FIELDS,
  entrySchema,
  FIELD_RULES,
  isTaskId,
  type CheckedEntry,
  type EntryField,
  exactInstantOf,
  instantOf,
  problem,
  type EntryProblem,
  type RawEntry,
} from "./entry-rules.ts";
import { isExactNumber } from "./number-text.ts";
import type { Task } from "./task.ts";
import { shown } from "./text.ts";

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

/** The fields that are read, as they are in the file. */
type Fields = Partial<Record<EntryField, JsonValue>>;

export function judgeEntry(raw: RawEntry, fireAtReading: FireAtReading): JudgedEntry {
  const members = fieldMembers(raw);
  const fields: Fields = {};
  for (const [field, member] of members.first) fields[field] = valueOf(raw, member);
  if (raw.name !== undefined && fields.id === undefined) fields.id = raw.name;

  const id = usableId(fields.id);
  const normalised: Normalised[] = [];
  const exact = typeof fields.fireAt === "string" ? exactInstantOf(fields.fireAt) : undefined;
  if (fireAtReading === "instant-text-to-epoch-ms" && exact !== undefined) {
    normalised.push({ file: raw.file, pointer: `${raw.pointer}/fireAt`, id, from: fields.fireAt as string, to: exact });
    fields.fireAt = exact;
  }

  if (kindAt(raw.text, raw.start) !== "object") {
    return {
      raw,
      id,
      task: undefined,
      problems: [problem(raw, id, "ENTRY_NOT_OBJECT", undefined, raw, "an object")],
      normalised: [],
    };
  }
  const checked = entrySchema.safeParse(fields);
  const invalidFields = new Set(checked.error?.issues.map((issue) => issue.path[0] as EntryField));
  const problems = findProblems(raw, id, fields, members, invalidFields);
  const task = checked.success && problems.length === 0 ? taskOf(checked.data) : undefined;
  return { raw, id, task, problems, normalised };
}

/** As `judgeEntry` would say, for whoever looks for one entry and need not judge the others. */
export function idOf(raw: RawEntry): string | undefined {
  const member = fieldMembers(raw).first.get("id");
  return usableId(member === undefined ? raw.name : valueOf(raw, member));
}

function usableId(id: JsonValue | undefined): string | undefined {
  return typeof id === "string" && isTaskId(id) ? id : undefined;
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
  fields: Fields,
  members: FieldMembers,
  invalidFields: ReadonlySet<EntryField>,
): EntryProblem[] {
  const problems = members.repeated.map((member) =>
    problem(raw, id, "DUPLICATE_KEY", member.key, member, "each key once"),
  );
  const inexactFields = new Set([...members.first].filter(([, member]) => isInexact(raw, member)).map(([field]) => field));
  for (const field of inexactFields) {
    problems.push(problem(raw, id, "NUMBER_INEXACT", field, members.first.get(field), FIELD_RULES[field].wanted));
  }
  for (const field of invalidFields) {
    const member = members.first.get(field);
    const { code, wanted } = FIELD_RULES[field];
    if (field === "id" && fields.id === undefined)
      problems.push(problem(raw, id, "ID_MISSING", undefined, undefined, wanted));
    else if (!inexactFields.has(field)) problems.push(problem(raw, id, code, field, member, wanted));
  }
  if (raw.name !== undefined && typeof fields.id === "string" && fields.id !== raw.name) {
    problems.push(
      problem(
        raw,
        id,
        "ID_MISMATCH",
        "id",
        members.first.get("id"),
        `the name it is filed under, "${shown(raw.name)}"`,
      ),
    );
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

/** The number in the file and the number in memory are not the same one. */
function isInexact(raw: RawEntry, member: Member): boolean {
  return kindAt(raw.text, member.start) === "number" && !isExactNumber(raw.text.slice(member.start, member.end));
}

function taskOf(entry: CheckedEntry): Task {
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
