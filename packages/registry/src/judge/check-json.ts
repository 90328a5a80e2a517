/**
 * Says whether a text is JSON (RFC 8259), and if not, where it stops being so. Never recurses, so that depth costs
 * no stack; a depth above the limit is refused before anything that does recurse sees it. Builds no value.
 */

/** Levels of arrays and objects. Real registries have under ten. */
export const MAX_JSON_DEPTH = 512;

/** Values in one text, so that a small file of brackets cannot take all memory. Real registries have under 100,000. */
export const MAX_JSON_VALUES = 2_000_000;

/** How many repeated keys are listed; the count goes on. */
export const MAX_DUPLICATE_KEYS = 100;

export interface DuplicateKey {
  /** JSON pointer of the repeated member. */
  readonly pointer: string;
  /** Where the second key of that name begins. */
  readonly offset: number;
}

export type JsonCheck =
  | {
      readonly outcome: "valid";
      /** At most `MAX_DUPLICATE_KEYS`, in the order of the text. */
      readonly duplicateKeys: readonly DuplicateKey[];
      readonly duplicateKeyCount: number;
    }
  | JsonFailure;

export interface JsonFailure {
  readonly outcome: "invalid";
  readonly code: "EMPTY" | "TRUNCATED" | "SYNTAX" | "TOO_DEEP" | "TOO_MANY_VALUES";
  readonly offset: number;
  readonly say: string;
}

interface Frame {
  /** Undefined in an array. */
  readonly keys: Set<string> | undefined;
  /** The key or index being read. */
  current: string | number;
}

type Expecting = "value" | "value-or-close" | "key" | "key-or-close" | "colon" | "comma-or-close" | "end";

const SPACE = 0x20, TAB = 0x09, NEWLINE = 0x0a, RETURN = 0x0d;
const QUOTE = 0x22, BACKSLASH = 0x5c, COMMA = 0x2c, COLON = 0x3a;
const OPEN_ARRAY = 0x5b, CLOSE_ARRAY = 0x5d, OPEN_OBJECT = 0x7b, CLOSE_OBJECT = 0x7d;

export function checkJson(text: string): JsonCheck {
  const frames: Frame[] = [];
  const duplicateKeys: DuplicateKey[] = [];
  let duplicateKeyCount = 0;
  let values = 0;
  let expecting: Expecting = "value";
  let at = 0;
  const afterValue = (): Expecting => (frames.length === 0 ? "end" : "comma-or-close");

  for (;;) {
    at = skipSpace(text, at);
    if (at >= text.length) {
      if (expecting === "end") return { outcome: "valid", duplicateKeys, duplicateKeyCount };
      if (frames.length === 0) return fail("EMPTY", 0, "there is nothing in it");
      return fail("TRUNCATED", text.length, `the text ends where ${WORDS[expecting]} should follow, ${frames.length} level(s) deep`);
    }
    const character = text.charCodeAt(at);
    const frame = frames.at(-1);

    if (closes(character, expecting, frame)) {
      frames.pop();
      expecting = afterValue();
      at += 1;
    } else if (expecting === "value" || expecting === "value-or-close") {
      values += 1;
      if (values > MAX_JSON_VALUES) return fail("TOO_MANY_VALUES", at, `more than ${MAX_JSON_VALUES} values`);
      if (character === OPEN_ARRAY || character === OPEN_OBJECT) {
        if (frames.length === MAX_JSON_DEPTH) return fail("TOO_DEEP", at, `more than ${MAX_JSON_DEPTH} levels deep`);
        const isArray = character === OPEN_ARRAY;
        frames.push({ keys: isArray ? undefined : new Set(), current: 0 });
        expecting = isArray ? "value-or-close" : "key-or-close";
        at += 1;
      } else {
        const end = scalarEnd(text, at);
        if (typeof end !== "number") return end;
        at = end;
        expecting = afterValue();
      }
    } else if ((expecting === "key" || expecting === "key-or-close") && character === QUOTE && frame?.keys !== undefined) {
      const end = stringEnd(text, at);
      if (typeof end !== "number") return end;
      const key = readKey(text, at, end);
      frame.current = key;
      if (frame.keys.has(key)) {
        duplicateKeyCount += 1;
        if (duplicateKeys.length < MAX_DUPLICATE_KEYS) duplicateKeys.push({ pointer: pointerOf(frames), offset: at });
      }
      frame.keys.add(key);
      at = end;
      expecting = "colon";
    } else if (expecting === "colon" && character === COLON) {
      expecting = "value";
      at += 1;
    } else if (expecting === "comma-or-close" && character === COMMA && frame !== undefined) {
      if (typeof frame.current === "number") frame.current += 1;
      expecting = frame.keys === undefined ? "value" : "key";
      at += 1;
    } else {
      return fail("SYNTAX", at, `${nameOf(text, at)} where ${WORDS[expecting]} should be`);
    }
  }
}

function closes(character: number, expecting: Expecting, frame: Frame | undefined): boolean {
  if (frame === undefined) return false;
  if (frame.keys === undefined) {
    return character === CLOSE_ARRAY && (expecting === "value-or-close" || expecting === "comma-or-close");
  }
  return character === CLOSE_OBJECT && (expecting === "key-or-close" || expecting === "comma-or-close");
}

const WORDS: Readonly<Record<Expecting, string>> = {
  value: "a value",
  "value-or-close": "a value or the end of the list",
  key: "a key in double quotes",
  "key-or-close": "a key or the end of the object",
  colon: "a colon",
  "comma-or-close": "a comma or the end of the list or object",
  end: "the end of the file",
};

export function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const character = text.charCodeAt(at);
    if (character !== SPACE && character !== NEWLINE && character !== RETURN && character !== TAB) return at;
    at += 1;
  }
}

/** Where the string that opens at `start` ends: behind its closing quote. */
export function stringEnd(text: string, start: number): number | JsonFailure {
  let at = start + 1;
  while (at < text.length) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) return at + 1;
    if (character < SPACE) return fail("SYNTAX", at, "a bare control character inside a string");
    at += 1;
    if (character === BACKSLASH) {
      const length = escapeLength(text, at);
      if (length === 0) return at >= text.length ? truncatedString(text) : fail("SYNTAX", at - 1, "an escape that JSON does not know");
      at += length;
    }
  }
  return truncatedString(text);
}

function truncatedString(text: string): JsonFailure {
  return fail("TRUNCATED", text.length, "the text ends inside a string");
}

/** Characters of the escape after its backslash; 0 if it is none. */
function escapeLength(text: string, at: number): number {
  const letter = text[at];
  if (letter === undefined) return 0;
  if (letter !== "u") return `"\\/bfnrt`.includes(letter) ? 1 : 0;
  const digits = text.slice(at + 1, at + 5);
  // A \u cut short by the end of the text is a truncation, which the caller's loop finds.
  return /^[0-9a-fA-F]*$/.test(digits) && (digits.length === 4 || at + 5 > text.length) ? 1 + digits.length : 0;
}

function scalarEnd(text: string, start: number): number | JsonFailure {
  if (text.charCodeAt(start) === QUOTE) return stringEnd(text, start);
  for (const literal of ["true", "false", "null"]) {
    if (text.startsWith(literal, start)) return start + literal.length;
    const rest = text.slice(start, start + literal.length);
    if (start + rest.length === text.length && literal.startsWith(rest)) {
      return fail("TRUNCATED", text.length, `the text ends inside the word ${literal}`);
    }
  }
  return numberEnd(text, start);
}

function numberEnd(text: string, start: number): number | JsonFailure {
  let at = text[start] === "-" ? start + 1 : start;
  const whole = digitsEnd(text, at);
  if (whole === at) return noDigit(text, start, at);
  // JSON has no leading zeros: a zero stands alone, and what follows it is judged as what follows a value.
  at = text[at] === "0" ? at + 1 : whole;
  if (text[at] === ".") {
    const end = digitsEnd(text, at + 1);
    if (end === at + 1) return noDigit(text, start, end);
    at = end;
  }
  if (text[at] === "e" || text[at] === "E") {
    const sign = text[at + 1] === "+" || text[at + 1] === "-" ? 2 : 1;
    const end = digitsEnd(text, at + sign);
    if (end === at + sign) return noDigit(text, start, end);
    at = end;
  }
  return at;
}

function digitsEnd(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) >= 0x30 && text.charCodeAt(at) <= 0x39) at += 1;
  return at;
}

function noDigit(text: string, start: number, at: number): JsonFailure {
  if (at >= text.length) return fail("TRUNCATED", text.length, "the text ends inside a number");
  return fail("SYNTAX", at, at === start ? `${nameOf(text, at)} where a value should be` : `${nameOf(text, at)} inside a number`);
}

function readKey(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end - 1);
  return raw.includes("\\") ? (JSON.parse(text.slice(start, end)) as string) : raw;
}

function pointerOf(frames: readonly Frame[]): string {
  return frames.map((frame) => `/${escapePointerToken(String(frame.current))}`).join("");
}

/** RFC 6901. */
export function escapePointerToken(token: string): string {
  return token.replaceAll("~", "~0").replaceAll("/", "~1");
}

export function unescapePointerToken(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}

function nameOf(text: string, at: number): string {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0xfffd);
  const code = character.codePointAt(0) ?? 0;
  return code > SPACE && code < 0x7f ? `'${character}'` : `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

function fail(code: JsonFailure["code"], offset: number, say: string): JsonFailure {
  return { outcome: "invalid", code, offset, say };
}
