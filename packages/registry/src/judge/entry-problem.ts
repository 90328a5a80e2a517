/** What can be wrong with one entry, and how it is said: where, whose, what is there, what was wanted, what now. */
import type { EntryField, FIELD_RULES } from "./entry-schema.ts";
import { exactInstantOf } from "./instant.ts";
import { kindAt, membersOf, type Range } from "./members.ts";
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
  const what = whatIsWrong(found, ` (line ${position.line}, column ${position.column})`);
  return { ...found, say: `${code}: ${what}. A task that is set aside does not fire. ${now}.` };
}

/** Where, whose, what is there and what was wanted. `place`: line and column, where nobody says them besides. */
export function whatIsWrong(found: Pick<EntryProblem, "file" | "pointer" | "id" | "seen" | "wanted">, place: string): string {
  const parts = [found.file, found.pointer].filter((part) => part !== undefined && part !== "").map((part) => shown(part as string));
  const who = found.id === undefined ? "" : ` of "${shown(found.id)}"`;
  return `${parts.join(" ") || "the document"}${place}${who} is ${found.seen}, wanted ${found.wanted}`;
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
  if (kind === "object") return `an object of ${membersOf(text, range).length} key(s)`;
  return source;
}
