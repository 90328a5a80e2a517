/**
 * A registry file as a writer sees it: opened, changed in the places that change and nowhere else, or made anew.
 * Unknown keys, repeated keys, the order of keys, spacing and numbers that JavaScript cannot hold stay as they were written.
 */
import {
  type JsonDocument,
  type JsonValue,
  type Member,
  membersOf,
  parseDocument,
  type Range,
  rootRange,
} from "./judge/document.ts";
import type { RawEntry } from "./judge/entry-rules.ts";
import { unescapePointerToken } from "./judge/json-tokens.ts";
import { fileProblem, type FileProblem } from "./judge/reading.ts";
import { findEntries, type RegistryShape } from "./judge/shape.ts";
import { createPositions, encodeUtf8, positionAt } from "./judge/text.ts";
import type { StableRead } from "./stable-read.ts";

export interface OpenedRegistry {
  readonly document: JsonDocument;
  /** The list or map that holds the entries; undefined where the file is one task's own. */
  readonly records: Range | undefined;
  readonly entries: readonly RawEntry[];
}

export function openRegistry(
  read: StableRead,
  shape: RegistryShape,
  id: string,
): OpenedRegistry | { problem: FileProblem } {
  if ("problem" in read) return read;
  const document = parseDocument(read.bytes);
  if (document.outcome === "unreadable") {
    return { problem: fileProblem(`REGISTRY_${document.code}`, document.say, document.position) };
  }
  const { text } = document;
  if (shape.kind === "file-per-task") {
    const entry: RawEntry = {
      file: `${id}.json`,
      pointer: "",
      text,
      positionAt: createPositions(text),
      name: id,
      ...rootRange(text),
    };
    return { document, records: undefined, entries: [entry] };
  }
  const found = findEntries(text, shape);
  if (found.outcome === "found") return { document, records: found.records, entries: found.entries };
  return { problem: fileProblem(`REGISTRY_${found.code}`, found.say, positionAt(text, found.offset)) };
}

/** Sets members of the object: a member that is there keeps its place, a new one comes last. */
export function setMembers(text: string, object: Range, values: ReadonlyMap<string, JsonValue>): string {
  const members = membersOf(text, object);
  let result = text;
  // From the back, so that the offsets of what is still to do stay true.
  for (const member of members.toReversed()) {
    const value = values.get(member.key);
    if (value !== undefined) result = splice(result, member, JSON.stringify(value));
  }
  for (const [key, value] of values) {
    if (members.some((member) => member.key === key)) continue;
    result = appendMember(result, { start: object.start, end: object.end + result.length - text.length }, key, value);
  }
  return result;
}

/** Adds a last member to an array (`key` undefined) or object, spaced like its neighbours. */
export function appendMember(text: string, container: Range, key: string | undefined, value: JsonValue): string {
  const members = membersOf(text, container);
  const last = members.at(-1);
  const added = `${key === undefined ? "" : `${JSON.stringify(key)}${colonOf(text, members)}`}${JSON.stringify(value)}`;
  if (last === undefined) return splice(text, { start: container.start + 1, end: container.start + 1 }, added);
  return splice(text, { start: last.end, end: last.end }, `,${spaceBefore(text, container, members)}${added}`);
}

/** The white space in front of the last member, which a new one gets too. */
function spaceBefore(text: string, container: Range, members: readonly Member[]): string {
  const last = members.at(-1) as Member;
  const before = text.slice(members.at(-2)?.end ?? container.start + 1, last.from);
  return before.replace(/^\s*,/, "");
}

function colonOf(text: string, members: readonly Member[]): string {
  const [first] = members;
  return first !== undefined && text.slice(first.from, first.start).endsWith(":") ? ":" : ": ";
}

function splice(text: string, range: Range, replacement: string): string {
  return text.slice(0, range.start) + replacement + text.slice(range.end);
}

/** A whole new file of this shape; undefined where the shape does not say where entries go. */
export function documentOf(
  shape: RegistryShape,
  entries: readonly (readonly [string, JsonValue])[],
): Uint8Array | undefined {
  const list = entries.map(([, entry]) => entry);
  switch (shape.kind) {
    case "file-per-task":
      return encode(list[0] ?? null);
    case "bare-array":
      return encode(list);
    case "array":
      return encode(nest(shape.pointer, list));
    case "id-keyed-map":
      return encode(nest(shape.pointer, Object.fromEntries(entries)));
    case "several-lists":
      return shape.declared === undefined ? undefined : encode({ [shape.declared]: list });
  }
}

function nest(pointer: string, inner: JsonValue): JsonValue {
  const tokens = pointer === "" ? [] : pointer.slice(1).split("/").map(unescapePointerToken);
  return tokens.reduceRight<JsonValue>((value, token) => ({ [token]: value }), inner);
}

function encode(value: JsonValue): Uint8Array {
  return encodeUtf8(`${JSON.stringify(value, null, 2)}\n`);
}
