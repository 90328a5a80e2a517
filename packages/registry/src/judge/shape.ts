/** Where in a document the entries are. A wrong place is a problem that is named, never an empty list. */
import { kindAt, membersOf, resolvePointer, rootRange, type JsonKind, type Range } from "./document.ts";
import type { RawEntry } from "./entry-rules.ts";
import { escapePointerToken } from "./json-tokens.ts";
import { createPositions, shown } from "./text.ts";

/** A registry that is one file. Pointers are JSON pointers (RFC 6901); `""` is the whole document. */
export type DocumentShape =
  | { readonly kind: "array"; readonly pointer: string }
  | { readonly kind: "bare-array" }
  /** The key of an entry is its id; an `id` inside has to say the same. */
  | { readonly kind: "id-keyed-map"; readonly pointer: string }
  /** A document with lists at its top level; `declared` is the authoritative one. */
  | { readonly kind: "several-lists"; readonly declared: string | undefined };

export type RegistryShape = DocumentShape | { readonly kind: "file-per-task" };

export type ShapeCode =
  "RECORDS_MISSING" | "RECORDS_REPEATED" | "RECORDS_WRONG_KIND" | "LISTS_UNDECLARED" | "TOO_MANY_ENTRIES";

export type FoundEntries =
  | {
      readonly outcome: "found";
      readonly pointer: string;
      readonly records: Range;
      readonly entries: readonly RawEntry[];
    }
  | { readonly outcome: "not-found"; readonly code: ShapeCode; readonly offset: number; readonly say: string };

/** Entries of one registry; a fleet that is larger than this is another problem. */
export const MAX_ENTRIES = 100_000;

/** `text` is valid JSON. */
export function findEntries(text: string, shape: DocumentShape): FoundEntries {
  const place = placeOf(text, shape);
  if ("outcome" in place) return place;
  const { pointer, kind } = place;
  const [records, again] = resolvePointer(text, pointer);
  const root = rootRange(text);
  if (records === undefined) {
    return notFound("RECORDS_MISSING", root.start, `there is nothing at ${pointer}; ${whatIsThere(text)}`);
  }
  if (again !== undefined) {
    return notFound(
      "RECORDS_REPEATED",
      again.start,
      `${pointer} is there more than once, and which one counts is a guess`,
    );
  }
  if (kindAt(text, records.start) !== kind) {
    const there = KIND_WORDS[kindAt(text, records.start)];
    return notFound(
      "RECORDS_WRONG_KIND",
      records.start,
      `${pointer || "the document"} is ${there}, not ${KIND_WORDS[kind]}`,
    );
  }
  const members = membersOf(text, records);
  if (members.length > MAX_ENTRIES) {
    return notFound(
      "TOO_MANY_ENTRIES",
      records.start,
      `${members.length} entries, more than the limit of ${MAX_ENTRIES}`,
    );
  }
  const positionAt = createPositions(text);
  const entries = members.map((member): RawEntry => {
    const name = kind === "object" ? member.key : undefined;
    return {
      file: undefined,
      pointer: `${pointer}/${escapePointerToken(member.key)}`,
      text,
      positionAt,
      name,
      start: member.start,
      end: member.end,
    };
  });
  return { outcome: "found", pointer, records, entries };
}

const KIND_WORDS: Readonly<Record<JsonKind, string>> = {
  array: "a list",
  object: "an object",
  string: "text",
  number: "a number",
  boolean: "a word",
  null: "null",
};

function placeOf(text: string, shape: DocumentShape): { pointer: string; kind: "array" | "object" } | FoundEntries {
  switch (shape.kind) {
    case "array":
      return { pointer: shape.pointer, kind: "array" };
    case "bare-array":
      return { pointer: "", kind: "array" };
    case "id-keyed-map":
      return { pointer: shape.pointer, kind: "object" };
    case "several-lists":
      if (shape.declared === undefined) return placeOfOnlyList(text);
      return { pointer: `/${escapePointerToken(shape.declared)}`, kind: "array" };
  }
}

/**
 * Where nothing is declared, a list counts as the registry only if it is the one list there is, and may hold tasks: it is
 * empty or has an object in it. A damaged list next to a whole one has to stop the choice, not to decide it.
 */
function placeOfOnlyList(text: string): { pointer: string; kind: "array" } | FoundEntries {
  const root = rootRange(text);
  const lists = membersOf(text, root).filter((member) => kindAt(text, member.start) === "array");
  const names = [...new Set(lists.map((list) => list.key))].sort();
  const [only, another] = names;
  if (kindAt(text, root.start) !== "object" || only === undefined) {
    return notFound("RECORDS_MISSING", root.start, `there is no list at the top level; ${whatIsThere(text)}`);
  }
  const mayHoldTasks = lists.some((list) => {
    const items = membersOf(text, list);
    return items.length === 0 || items.some((item) => kindAt(text, item.start) === "object");
  });
  if (another !== undefined || !mayHoldTasks) return notFound("LISTS_UNDECLARED", root.start, undeclared(names));
  return { pointer: `/${escapePointerToken(only)}`, kind: "array" };
}

export function undeclared(lists: readonly string[]): string {
  return `top-level lists [${lists.map((list) => `'${shown(list)}'`).join(", ")}], none declared authoritative`;
}

const MAX_KEYS_NAMED = 8;

function whatIsThere(text: string): string {
  const root = rootRange(text);
  const kind = kindAt(text, root.start);
  if (kind !== "object") return `the document is ${KIND_WORDS[kind]}`;
  const keys = membersOf(text, root).map((member) => shown(member.key));
  const more = keys.length > MAX_KEYS_NAMED ? ` and ${keys.length - MAX_KEYS_NAMED} more` : "";
  return keys.length === 0
    ? "the document is an object without keys"
    : `its keys are ${keys.slice(0, MAX_KEYS_NAMED).join(", ")}${more}`;
}

function notFound(code: ShapeCode, offset: number, say: string): FoundEntries {
  return { outcome: "not-found", code, offset, say };
}
