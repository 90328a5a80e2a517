/** One JSON file, from bytes to a value, with the place of the first thing that is wrong. */
import { checkJson, type DuplicateKey } from "./check-json.ts";
import { judgeEncoding, type EncodingCode } from "./encoding.ts";
import type { JsonFailure } from "./json-tokens.ts";
import { createPositions, decodeUtf8, positionAt, type Position } from "./text.ts";

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
    return { outcome: "unreadable", code: encoding.code, position: undefined, byteOffset: encoding.offset, say: encoding.say };
  }
  const { byteOrderMark } = encoding;
  const text = decodeUtf8(byteOrderMark === "none" ? bytes : bytes.subarray(3));
  const check = checkJson(text);
  if (check.outcome === "invalid") {
    return { outcome: "unreadable", code: check.code, position: positionAt(text, check.offset), byteOffset: undefined, say: check.say };
  }
  const place = createPositions(text);
  const duplicateKeys = check.duplicateKeys.map((key) => ({ ...key, position: place(key.offset) }));
  return { outcome: "parsed", text, byteOrderMark, duplicateKeys, duplicateKeyCount: check.duplicateKeyCount };
}

/** As `JSON.parse` gives it: the last of a repeated key, numbers rounded, `__proto__` an own property. */
export function valueOfDocument(document: JsonDocument): JsonValue {
  return JSON.parse(document.text) as JsonValue;
}
