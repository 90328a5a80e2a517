/**
 * What one line of a receipt log is. Judges bytes and knows no file. What cannot be read is never completed by a guess: of a damaged
 * line only the keys are taken that can still be made out, to say whose it may have been.
 */
import { isCutRecord } from "./cut-record.ts";
import { decodeUtf8, looselyDecoded } from "./text.ts";
import { type LogRecord, isKey, parseRecord } from "./receipt.ts";
import { splitValues } from "./split-values.ts";

/**
 * `TORN_TAIL`: the last line has no end and cannot be read. `TRUNCATED`: a line ends too early and another follows. `GLUED`: two
 * records on one line. `NUL_RUN`: zeros, as a crash leaves them. `UNPARSEABLE`: no JSON and not cut either. `WRONG_SHAPE`: JSON, and
 * no record of ours. `TOO_LONG`: longer than what is held of a line. `BOM`: a byte order mark before the first line, which is read.
 */
export const LINE_DAMAGES = ["TORN_TAIL", "TRUNCATED", "GLUED", "NUL_RUN", "INVALID_UTF8", "UNPARSEABLE", "WRONG_SHAPE", "TOO_LONG", "BOM"] as const;

export type LineDamage = (typeof LINE_DAMAGES)[number];

export interface DamageOfLine {
  readonly code: LineDamage;
  /** Whether something on the line could not be read: all of it, or what stands behind the records that could. */
  readonly isUnreadable: boolean;
  /** Keys that can be made out in what could not be read, sorted. */
  readonly mentions: readonly string[];
  /** Whether it is whole, or a beginning that was cut and not changed, so that what it mentions is what it was about. */
  readonly isOnlyCut: boolean;
}

export interface JudgedLine {
  readonly isBlank: boolean;
  /** In the order of the line: one, or several where lines were glued. */
  readonly records: readonly LogRecord[];
  /** Each record as it stands on the line, with the space around it. */
  readonly texts: readonly string[];
  readonly damage: DamageOfLine | undefined;
}

/** `isEnded`: whether a line feed follows. `bytes` has neither that nor a byte order mark. Never throws. */
export function judgeLine(bytes: Uint8Array, isEnded: boolean): JudgedLine {
  if (isBlank(bytes)) return BLANK;
  if (bytes.indexOf(0) !== -1) return unreadable("NUL_RUN", looselyDecoded(bytes));
  const text = decodeUtf8(bytes);
  if (text === undefined) return unreadable(isEnded ? "INVALID_UTF8" : "TORN_TAIL", looselyDecoded(bytes));
  const value = parsed(text);
  if (value !== undefined) {
    const record = saysOneThingTwice(text, value) ? undefined : parseRecord(value);
    return record === undefined ? otherShape(text, value) : { isBlank: false, records: [record], texts: [text], damage: undefined };
  }
  return judgeBroken(text, isEnded);
}

/** A line that was longer than what is held of one. */
export const LONG_LINE: JudgedLine = {
  isBlank: false,
  records: [],
  texts: [],
  damage: { code: "TOO_LONG", isUnreadable: true, mentions: [], isOnlyCut: false },
};

const BLANK: JudgedLine = { isBlank: true, records: [], texts: [], damage: undefined };

function judgeBroken(text: string, isEnded: boolean): JudgedLine {
  const { pieces, rest, end } = splitValues(text);
  const records = pieces.map(recordOf).filter((record) => record !== undefined);
  // A piece that is none of ours makes all of the line doubtful: brackets may have been lost.
  if (records.length < pieces.length) return unreadable(recordsBegun(text) > 1 ? "GLUED" : "UNPARSEABLE", text);
  if (records.length > 0) {
    return { isBlank: false, records, texts: pieces, damage: { code: "GLUED", isUnreadable: end !== "clean", ...about(keysIn(rest), isCutRecord(rest)) } };
  }
  if (recordsBegun(text) > 1) return unreadable("GLUED", text);
  return unreadable(!isEnded ? "TORN_TAIL" : end === "cut" ? "TRUNCATED" : "UNPARSEABLE", text);
}

function unreadable(code: LineDamage, text: string): JudgedLine {
  return { isBlank: false, records: [], texts: [], damage: { code, isUnreadable: true, ...about(keysIn(text), isCutRecord(text)) } };
}

/** Is whole: the key at its top, where it has one, is what it is about, and one further in may be another's. */
function otherShape(text: string, value: unknown): JudgedLine {
  const own = topKey(value);
  const mentions = own === undefined ? keysIn(text) : [...new Set([own, ...keysIn(text)])].sort();
  return { isBlank: false, records: [], texts: [], damage: { code: "WRONG_SHAPE", isUnreadable: true, ...about(mentions, own !== undefined) } };
}

function about(mentions: readonly string[], isOnlyCut: boolean): Pick<DamageOfLine, "mentions" | "isOnlyCut"> {
  return { mentions: mentions.slice(0, MAX_MENTIONS), isOnlyCut: isOnlyCut && mentions.length <= MAX_MENTIONS };
}

/** More are not told apart: such a line may be anyone's. */
const MAX_MENTIONS = 16;

function topKey(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { key } = value as { readonly key?: unknown };
  return isKey(key) ? key : undefined;
}

function recordOf(text: string): LogRecord | undefined {
  const value = parsed(text);
  return saysOneThingTwice(text, value) ? undefined : parseRecord(value);
}

/** Members that decide what a record says. */
const DECIDING = ["schema", "seq", "key", "state", "tombstone"];

/**
 * Whether one of them stands twice at the top of an object, of which `JSON.parse` takes the last in silence. Nearly every line is answered
 * by a look for its quoted names; a name that is also a value, or a member of something inside, is counted.
 */
function saysOneThingTwice(text: string, value: unknown): boolean {
  const suspects = DECIDING.filter((name) => text.indexOf(`"${name}"`) !== text.lastIndexOf(`"${name}"`));
  return suspects.length > 0 && namesAtTop(text, suspects) > suspects.filter((name) => Object.hasOwn(Object(value) as object, name)).length;
}

/** How many members of the object have one of these names. The text is JSON. */
function namesAtTop(text: string, names: readonly string[]): number {
  let depth = 0;
  let count = 0;
  for (const [sign, colon] of text.matchAll(SIGNS)) {
    if (sign === "{" || sign === "[") depth += 1;
    else if (sign === "}" || sign === "]") depth -= 1;
    else if (depth === 1 && colon !== undefined && names.includes(sign.slice(1, sign.lastIndexOf('"')))) count += 1;
  }
  return count;
}

/** Brackets and texts, the latter with the colon behind them where they are names. */
const SIGNS = /[{}[\]]|"(?:[^"\\]|\\.)*"(\s*:)?/g;

/** A text may hold what looks like one, but with its quotes escaped. */
function recordsBegun(text: string): number {
  return text.split('{"schema":').length - 1;
}

const KEY = /"key":("(?:[^"\\]|\\.)*")/g;

function keysIn(text: string): string[] {
  const keys = [...text.matchAll(KEY)].map(([, quoted = ""]) => parsed(quoted)).filter(isKey);
  return [...new Set(keys)].sort();
}

/** Undefined is no JSON value, so it can say that there is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
