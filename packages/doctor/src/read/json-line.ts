/** What one line of a JSONL file is. Judges bytes; knows nothing of files. */
import { checkJson, decodeUtf8, type JsonObject, type JsonValue } from "@casebook/registry/judge";

/**
 * `BOM`: a byte order mark before the first line; the line itself is read. `TORN_TAIL`: the last line has no end and cannot be
 * parsed. `GLUED`: several values on one line; they are read. `NUL_RUN`: zeros, as a crash leaves. `TRUNCATED`: ends too early
 * and is followed by another line. `WRONG_SHAPE`: JSON, but no object, or not the object that was wanted.
 */
export type LineDamage =
  | "BOM"
  | "TORN_TAIL"
  | "GLUED"
  | "NUL_RUN"
  | "INVALID_UTF8"
  | "TRUNCATED"
  | "UNPARSEABLE"
  | "WRONG_SHAPE"
  | "TOO_LONG";

export interface JudgedLine {
  readonly blank: boolean;
  /** The objects on it: one, or several where lines were glued. */
  readonly values: readonly JsonObject[];
  readonly damage: LineDamage | undefined;
}

/** Values on one line that are told apart; more is no accident of two writers. */
export const MAX_GLUED = 16;

/** `ended`: whether a line feed follows. `bytes` has neither it nor a byte order mark. Never throws. */
export function judgeLine(bytes: Uint8Array, ended: boolean): JudgedLine {
  if (isBlank(bytes)) return BLANK;
  if (bytes.indexOf(0) !== -1) return damaged("NUL_RUN");
  const tail = ended ? undefined : "TORN_TAIL";
  const text = decoded(bytes);
  if (text === undefined) return damaged(tail ?? "INVALID_UTF8");
  const value = parsed(text);
  if (value !== undefined) return isObject(value) ? { blank: false, values: [value], damage: undefined } : damaged("WRONG_SHAPE");
  const glued = unglue(text);
  if (glued.length > 1) return { blank: false, values: glued.filter(isObject), damage: "GLUED" };
  const check = checkJson(text);
  const truncated = check.outcome === "invalid" && check.code === "TRUNCATED";
  return damaged(tail ?? (truncated ? "TRUNCATED" : "UNPARSEABLE"));
}

const BLANK: JudgedLine = { blank: true, values: [], damage: undefined };

function damaged(damage: LineDamage): JudgedLine {
  return { blank: false, values: [], damage };
}

/** Undefined: not UTF-8. Where it stops being so is not asked of a line, and the decoder is faster than looking first. */
function decoded(bytes: Uint8Array): string | undefined {
  try {
    return decodeUtf8(bytes);
  } catch {
    return undefined;
  }
}

/** Undefined is no JSON value, so it can say that there is none. */
function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** The values of which the line is the concatenation; none where it is not one. */
function unglue(text: string): JsonValue[] {
  const values: JsonValue[] = [];
  let rest = text;
  while (values.length < MAX_GLUED) {
    const check = checkJson(rest);
    // Where the end of the text should be, something else begins: what is before it is a whole value.
    const end = check.outcome === "valid" ? rest.length : check.offset;
    const value = parsed(rest.slice(0, end));
    if (value === undefined) return [];
    values.push(value);
    if (end === rest.length) return values;
    rest = rest.slice(end);
  }
  return [];
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
