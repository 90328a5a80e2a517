/**
 * One JSON file, from bytes to the ranges of its members in the text, with the place of the first thing that is wrong.
 * A repeated key is a second member here, where a parsed value would keep the last one and say nothing.
 */
import { checkJson, type DuplicateKey } from "./check-json.ts";
import { escapePointerToken, type JsonFailure, skipSpace, stringEnd } from "./json-tokens.ts";
import { createPositions, decodeUtf8, type EncodingCode, judgeEncoding, type Position, positionAt } from "./text.ts";

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export interface JsonDocument {
  readonly outcome: "parsed";
  /** Without the byte order mark. */
  readonly text: string;
  readonly byteOrderMark: "none" | "utf-8";
  /** The first of them, with their places; the count is of all. */
  readonly duplicateKeys: readonly (DuplicateKey & { readonly position: Position })[];
  readonly duplicateKeyCount: number;
}

export interface UnreadableDocument {
  readonly outcome: "unreadable";
  readonly code: JsonFailure["code"] | EncodingCode;
  /** Undefined when the bytes are not text; `byteOffset` then says where. */
  readonly position: Position | undefined;
  readonly byteOffset: number | undefined;
  /** One clause, without a stop. */
  readonly say: string;
}

/** Never throws for any bytes. */
export function parseDocument(bytes: Uint8Array): JsonDocument | UnreadableDocument {
  const encoding = judgeEncoding(bytes);
  if (encoding.encoding === "not-utf-8") {
    return {
      outcome: "unreadable",
      code: encoding.code,
      position: undefined,
      byteOffset: encoding.offset,
      say: encoding.say,
    };
  }
  const { byteOrderMark } = encoding;
  const text = decodeUtf8(byteOrderMark === "none" ? bytes : bytes.subarray(3));
  const check = checkJson(text);
  if (check.outcome === "invalid") {
    return {
      outcome: "unreadable",
      code: check.code,
      position: positionAt(text, check.offset),
      byteOffset: undefined,
      say: check.say,
    };
  }
  const place = createPositions(text);
  const duplicateKeys = check.duplicateKeys.map((key) => ({ ...key, position: place(key.offset) }));
  return { outcome: "parsed", text, byteOrderMark, duplicateKeys, duplicateKeyCount: check.duplicateKeyCount };
}

/** As `JSON.parse` gives it: the last of a repeated key, numbers rounded, `__proto__` an own property. */
export function valueOfDocument(document: JsonDocument): JsonValue {
  return JSON.parse(document.text) as JsonValue;
}

/** Offsets count UTF-16 code units; `end` is behind the last one. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Member extends Range {
  /** The property's name, or the index in decimal. */
  readonly key: string;
  /** Where the member begins: at its key, or at its value in an array. */
  readonly from: number;
}

export type JsonKind = "object" | "array" | "string" | "number" | "boolean" | "null";

/** What kind of value begins at `start`. */
export function kindAt(text: string, start: number): JsonKind {
  switch (text[start]) {
    case "{":
      return "object";
    case "[":
      return "array";
    case '"':
      return "string";
    case "t":
    case "f":
      return "boolean";
    case "n":
      return "null";
    default:
      return "number";
  }
}

/** The whole document's value. Only for a text that `checkJson` called valid. */
export function rootRange(text: string): Range {
  const start = skipSpace(text, 0);
  return { start, end: valueEnd(text, start) };
}

/** In the order of the text; none for anything but an array or object. Only for a text that `checkJson` called valid. */
export function membersOf(text: string, container: Range): Member[] {
  const kind = kindAt(text, container.start);
  if (kind !== "array" && kind !== "object") return [];
  const members: Member[] = [];
  let at = skipSpace(text, container.start + 1);
  while (at < container.end - 1) {
    const from = at;
    let key = String(members.length);
    if (kind === "object") {
      const keyEnd = stringEnd(text, at) as number;
      key = JSON.parse(text.slice(at, keyEnd)) as string;
      at = skipSpace(text, skipSpace(text, keyEnd) + 1);
    }
    const end = valueEnd(text, at);
    members.push({ key, from, start: at, end });
    at = skipSpace(text, end);
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return members;
}

/** Every range that the pointer can mean: none, one, or several where a key on the way is repeated. */
export function resolvePointer(text: string, pointer: string): Range[] {
  let ranges: Range[] = [rootRange(text)];
  for (const token of pointer === "" ? [] : pointer.slice(1).split("/")) {
    ranges = ranges.flatMap((range) =>
      membersOf(text, range).filter((member) => escapePointerToken(member.key) === token),
    );
  }
  return ranges;
}

function valueEnd(text: string, start: number): number {
  const kind = kindAt(text, start);
  if (kind === "string") return stringEnd(text, start) as number;
  if (kind !== "array" && kind !== "object") return wordEnd(text, start);
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const character = text[at];
    if (character === '"') {
      at = stringEnd(text, at) as number;
      continue;
    }
    at += 1;
    if (character === "[" || character === "{") depth += 1;
    if (character === "]" || character === "}") depth -= 1;
    if (depth === 0) break;
  }
  return at;
}

function wordEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && !",]} \n\r\t".includes(text[at] as string)) at += 1;
  return at;
}
