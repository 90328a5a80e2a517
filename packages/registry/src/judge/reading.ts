/** What reading a registry answers, and why a whole registry gave no tasks. Each variant has only what can be true of it. */
import type { UnreadableDocument } from "./document.ts";
import type { EntryProblem } from "./entry-rules.ts";
import type { Normalised } from "./entry.ts";
import type { ShapeCode } from "./shape.ts";
import type { Task } from "./task.ts";
import type { Position } from "./text.ts";

/**
 * What a reader does with an entry that is invalid.
 * `reject-file`: drops every entry with it. `quarantine-entry`: sets the entry aside and loads the others.
 * `normalise-then-quarantine`: first reads a `fireAt` that is ISO text with an offset as the milliseconds it names.
 */
export type LoaderPolicy = "reject-file" | "quarantine-entry" | "normalise-then-quarantine";

/** How many tasks there should be, counted without asking any loader. */
export interface Population {
  readonly count: number;
  readonly countedBy: "files" | "entries" | "prompt-folders";
}

/** An entry that was set aside, with everything that is wrong with it. */
export interface QuarantinedEntry {
  readonly file: string | undefined;
  readonly pointer: string;
  readonly id: string | undefined;
  readonly problems: readonly [EntryProblem, ...EntryProblem[]];
}

/** The entries were judged one by one; loaded and quarantined add up to the population. */
export interface LoadedReading {
  readonly outcome: "loaded";
  readonly population: Population;
  readonly loaded: readonly Task[];
  readonly quarantined: readonly QuarantinedEntry[];
  readonly normalised: readonly Normalised[];
  readonly dropped: 0;
  /** Worth knowing, cost no task: a byte order mark, keys that are repeated where nobody reads. */
  readonly notices: readonly string[];
  /** Names in the directory that are no `.json` file, sorted; none for a registry that is one file. */
  readonly ignored: readonly string[];
}

/** The file reads well; the loader dropped all of it for what it found inside. */
export interface RejectedReading {
  readonly outcome: "rejected";
  readonly population: Population;
  readonly loaded: readonly [];
  readonly quarantined: readonly [];
  /** What it was rejected for; empty if for the file as such. */
  readonly invalid: readonly QuarantinedEntry[];
  readonly dropped: number;
  readonly problem: FileProblem;
}

/** `unreadable`: there, but no entries could be told apart. `absent`: nothing there at all. Neither is an empty registry. */
export interface FailedReading {
  readonly outcome: "unreadable" | "absent";
  /** From the prompt folders; undefined: how many tasks there should be is not known, and it is not 0. */
  readonly population: Population | undefined;
  readonly loaded: readonly [];
  readonly quarantined: readonly [];
  readonly problem: FileProblem;
}

export type RegistryReading = LoadedReading | RejectedReading | FailedReading;

/** Facts for the parity guard; undefined when the population is not known (the check is NOT RUN, missing-input). */
export function parityFacts(
  reading: RegistryReading,
): { readonly onDisk: number; readonly loaded: number; readonly quarantined: number } | undefined {
  if (reading.population === undefined) return undefined;
  return { onDisk: reading.population.count, loaded: reading.loaded.length, quarantined: reading.quarantined.length };
}

/** How many good entries a loader that judges the list as a whole drops, or would drop, because of the bad ones. */
export function blastRadius(reading: LoadedReading | RejectedReading): number {
  if (reading.outcome === "rejected") return reading.population.count - reading.invalid.length;
  return reading.quarantined.length === 0 ? 0 : reading.loaded.length;
}

export type FileProblemCode =
  | `REGISTRY_${UnreadableDocument["code"]}`
  | `REGISTRY_${ShapeCode}`
  | "REGISTRY_BYTE_ORDER_MARK"
  | "REGISTRY_ENTRY_INVALID"
  /** Told by whoever reads the disk. */
  | "REGISTRY_MISSING"
  | "REGISTRY_IS_DIRECTORY"
  | "REGISTRY_NOT_DIRECTORY"
  | "REGISTRY_NOT_FILE"
  | "REGISTRY_UNREADABLE"
  | "REGISTRY_PATH_INVALID"
  | "REGISTRY_NAME_TOO_LONG"
  | "REGISTRY_TOO_LARGE"
  | "REGISTRY_TOO_MANY_FILES"
  | "REGISTRY_UNSTABLE";

export interface FileProblem {
  readonly code: FileProblemCode;
  /** Undefined where the problem has no place in a text. */
  readonly position: Position | undefined;
  readonly what: string;
  readonly why: string;
  readonly now: string;
}

/** The three parts in one line, with the place. */
export function sayFileProblem(problem: FileProblem): string {
  const place =
    problem.position === undefined ? "" : ` (line ${problem.position.line}, column ${problem.position.column})`;
  return `${problem.code}: ${problem.what}${place}. ${problem.why}. ${problem.now}.`;
}

export function fileProblem(
  code: FileProblemCode,
  what: string,
  position: Position | undefined = undefined,
): FileProblem {
  return { code, position, what, why: WHY[code], now: NOW[code] };
}

const NO_ENTRY = "No entry can be told from another, so no task is loaded";

const WHY: Readonly<Record<FileProblemCode, string>> = {
  REGISTRY_EMPTY: "An empty file is what a crash or a full disk leaves; it is not an empty list",
  REGISTRY_TRUNCATED: NO_ENTRY,
  REGISTRY_SYNTAX: NO_ENTRY,
  REGISTRY_TOO_DEEP: "Readers that recurse run out of stack on it",
  REGISTRY_TOO_MANY_VALUES: "It is left unread, so that one file cannot take all memory",
  REGISTRY_TOO_MANY_ENTRIES: "It is left unread, so that one file cannot take all day",
  REGISTRY_NUL_BYTES: "A run of NULs is what a crash leaves where data never reached the disk",
  REGISTRY_UTF16_LE: "JSON is UTF-8; some editors and shells write UTF-16 by default",
  REGISTRY_UTF16_BE: "JSON is UTF-8; some editors and shells write UTF-16 by default",
  REGISTRY_UTF32: "JSON is UTF-8",
  REGISTRY_INVALID_UTF8: "JSON is UTF-8, and guessing another encoding changes ids and prompts",
  REGISTRY_RECORDS_MISSING: "A reader that takes this for an empty list reports zero tasks",
  REGISTRY_RECORDS_REPEATED: "JSON readers keep the last one and say nothing about the first",
  REGISTRY_RECORDS_WRONG_KIND: "A reader that takes this for an empty list reports zero tasks",
  REGISTRY_LISTS_UNDECLARED: "Reading the wrong one reports a confident zero",
  REGISTRY_BYTE_ORDER_MARK: "A strict JSON reader fails on the first character and loads nothing",
  REGISTRY_ENTRY_INVALID: "This loader checks the list as a whole, so one bad entry costs all of them",
  REGISTRY_MISSING: "Nothing was ever written here, or it was moved or removed",
  REGISTRY_IS_DIRECTORY: "A file was expected",
  REGISTRY_NOT_DIRECTORY: "A directory with one file per task was expected",
  REGISTRY_NOT_FILE: "Reading a device or a socket may never end",
  REGISTRY_UNREADABLE: "What cannot be read is not empty",
  REGISTRY_PATH_INVALID: "No disk has a file of that name",
  REGISTRY_NAME_TOO_LONG: "The disk holds no file of that name, and takes none",
  REGISTRY_TOO_LARGE: "It is left unread, so that one file cannot take all memory",
  REGISTRY_TOO_MANY_FILES: "It is left unread, so that one directory cannot take all day",
  REGISTRY_UNSTABLE: "Someone writes it at this moment, and half of two versions is neither",
};

const RESTORE = "Restore it from a copy, or repair it at the place named; write nothing through it until then";
const SAVE_UTF8 = "Save it as UTF-8 without a byte order mark";
const SHAPE = "Check which file this is, and declare where its records are";

const NOW: Readonly<Record<FileProblemCode, string>> = {
  REGISTRY_EMPTY: RESTORE,
  REGISTRY_TRUNCATED: RESTORE,
  REGISTRY_SYNTAX: RESTORE,
  REGISTRY_TOO_DEEP: RESTORE,
  REGISTRY_TOO_MANY_VALUES: "Find out what grows in it",
  REGISTRY_TOO_MANY_ENTRIES: "Find out what grows in it",
  REGISTRY_NUL_BYTES: RESTORE,
  REGISTRY_UTF16_LE: SAVE_UTF8,
  REGISTRY_UTF16_BE: SAVE_UTF8,
  REGISTRY_UTF32: SAVE_UTF8,
  REGISTRY_INVALID_UTF8: SAVE_UTF8,
  REGISTRY_RECORDS_MISSING: SHAPE,
  REGISTRY_RECORDS_REPEATED: "Keep one of the two by hand",
  REGISTRY_RECORDS_WRONG_KIND: SHAPE,
  REGISTRY_LISTS_UNDECLARED: "Declare the authoritative list",
  REGISTRY_BYTE_ORDER_MARK: SAVE_UTF8,
  REGISTRY_ENTRY_INVALID: "Correct the entry, or load entry by entry",
  REGISTRY_MISSING: "Check the path, the account and the workspace",
  REGISTRY_IS_DIRECTORY: "Check the path, or read it as one file per task",
  REGISTRY_NOT_DIRECTORY: "Check the path, or read it as one file",
  REGISTRY_NOT_FILE: "Check the path",
  REGISTRY_UNREADABLE: "Check permissions and the disk",
  REGISTRY_PATH_INVALID: "Check the path",
  REGISTRY_NAME_TOO_LONG: "Choose a shorter id or path",
  REGISTRY_TOO_LARGE: "Find out what grows in it",
  REGISTRY_TOO_MANY_FILES: "Check the path",
  REGISTRY_UNSTABLE: "Try again when the writer is done",
};
