/**
 * What an entry has to be, field by field, and what can be wrong with one: where, whose, what is there, what was wanted, what
 * now. Says nothing about whether a cron expression means anything: that is the scheduler's.
 */
import * as z from "zod";
import { kindAt, membersOf, type Range } from "./document.ts";
import { type Position, shown } from "./text.ts";

/** The range of `Date`, in milliseconds either side of 1970. */
export const MAX_INSTANT_MS = 8_640_000_000_000_000;

export function isInstantMs(value: number): boolean {
  return Number.isSafeInteger(value) && Math.abs(value) <= MAX_INSTANT_MS;
}

const instantText = z.iso.datetime({ offset: true });

/** Only what names one instant of the real calendar: no date without offset, no 30 February. */
export function isInstantText(text: string): boolean {
  return instantText.safeParse(text).success;
}

/**
 * Epoch milliseconds of an ISO-8601 text with `Z` or an offset; undefined for anything else.
 * What a text says below the millisecond is cut off.
 */
export function instantOf(text: string): number | undefined {
  return isInstantText(text) ? Date.parse(text) : undefined;
}

/** As `instantOf`, but undefined too where milliseconds cannot hold all that the text says. */
export function exactInstantOf(text: string): number | undefined {
  return /\.\d{3}\d*[1-9]/.test(text) ? undefined : instantOf(text);
}

export const MAX_ID_LENGTH = 200;

/** An id becomes a file name and a word in a log line, so it may hold no separator and nothing that breaks a line. */
export function isTaskId(id: string): boolean {
  if (id.trim() === "" || id === "." || id === ".." || id.length > MAX_ID_LENGTH) return false;
  return !/[/\\\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(id);
}

/** The fields that are read. Every other key of an entry is kept and not looked at. */
export const entrySchema = z.object({
  id: z.string().refine(isTaskId),
  enabled: z.boolean().default(true),
  fireAt: z.number().refine(isInstantMs).optional(),
  cronExpression: z
    .string()
    .refine((text) => text.trim() !== "")
    .optional(),
  zone: z
    .string()
    .refine((text) => text.trim() !== "")
    .optional(),
  lastRunAt: z.string().refine(isInstantText).nullable().optional(),
});

export type CheckedEntry = z.output<typeof entrySchema>;
export type EntryField = keyof typeof entrySchema.shape;

export const ENTRY_FIELDS = Object.keys(entrySchema.shape) as readonly EntryField[];

export const FIELD_RULES = {
  id: {
    code: "ID_INVALID",
    wanted: `text of 1 to ${MAX_ID_LENGTH} characters without / \\ or control characters, and not . or ..`,
  },
  enabled: { code: "ENABLED_INVALID", wanted: "true, false or no such key, which means true" },
  fireAt: { code: "FIRE_AT_INVALID", wanted: "a whole number of milliseconds since 1970" },
  cronExpression: { code: "CRON_EXPRESSION_INVALID", wanted: "non-empty text" },
  zone: { code: "ZONE_INVALID", wanted: "non-empty text" },
  lastRunAt: { code: "LAST_RUN_AT_INVALID", wanted: "an ISO-8601 date and time with Z or an offset, or null" },
} as const satisfies Record<EntryField, { code: string; wanted: string }>;

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
export function whatIsWrong(
  found: Pick<EntryProblem, "file" | "pointer" | "id" | "seen" | "wanted">,
  place: string,
): string {
  const parts = [found.file, found.pointer]
    .filter((part) => part !== undefined && part !== "")
    .map((part) => shown(part as string));
  const who = found.id === undefined ? "" : ` of "${shown(found.id)}"`;
  return `${parts.join(" ") || "the document"}${place}${who} is ${found.seen}, wanted ${found.wanted}`;
}

function adviceFor(text: string, code: EntryProblemCode, at: Range | undefined): string {
  const value: unknown =
    code === "FIRE_AT_INVALID" && at !== undefined ? JSON.parse(text.slice(at.start, at.end)) : undefined;
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
