/**
 * Where the tokens of a JSON text end, and how one is written in a JSON pointer. Loops only: a token of any length costs no
 * stack, which a regular expression may.
 */

export interface JsonFailure {
  readonly outcome: "invalid";
  readonly code: "EMPTY" | "TRUNCATED" | "SYNTAX" | "TOO_DEEP" | "TOO_MANY_VALUES";
  readonly offset: number;
  readonly say: string;
}

const SPACE = 0x20,
  TAB = 0x09,
  NEWLINE = 0x0a,
  RETURN = 0x0d;
const QUOTE = 0x22,
  BACKSLASH = 0x5c,
  ZERO = 0x30,
  NINE = 0x39;

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
      if (length === 0)
        return at >= text.length ? truncatedString(text) : fail("SYNTAX", at - 1, "an escape that JSON does not know");
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

/** Where the string, number or word that begins at `start` ends. */
export function scalarEnd(text: string, start: number): number | JsonFailure {
  if (text.charCodeAt(start) === QUOTE) return stringEnd(text, start);
  const literal = LITERALS[text[start] as string];
  return literal === undefined ? numberEnd(text, start) : literalEnd(text, start, literal);
}

const LITERALS: Readonly<Record<string, string>> = { t: "true", f: "false", n: "null" };

function literalEnd(text: string, start: number, literal: string): number | JsonFailure {
  if (text.startsWith(literal, start)) return start + literal.length;
  const rest = text.slice(start, start + literal.length);
  if (start + rest.length === text.length && literal.startsWith(rest)) {
    return fail("TRUNCATED", text.length, `the text ends inside the word ${literal}`);
  }
  return fail("SYNTAX", start, `${nameOf(text, start)} where a value should be`);
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
  while (text.charCodeAt(at) >= ZERO && text.charCodeAt(at) <= NINE) at += 1;
  return at;
}

function noDigit(text: string, start: number, at: number): JsonFailure {
  if (at >= text.length) return fail("TRUNCATED", text.length, "the text ends inside a number");
  return fail(
    "SYNTAX",
    at,
    at === start ? `${nameOf(text, at)} where a value should be` : `${nameOf(text, at)} inside a number`,
  );
}

/** The character there, printable. */
export function nameOf(text: string, at: number): string {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0xfffd);
  const code = character.codePointAt(0) ?? 0;
  return code > SPACE && code < 0x7f ? `'${character}'` : `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

export function fail(code: JsonFailure["code"], offset: number, say: string): JsonFailure {
  return { outcome: "invalid", code, offset, say };
}

/** Tokens of a JSON pointer (RFC 6901). */
export function escapePointerToken(token: string): string {
  return token.replaceAll("~", "~0").replaceAll("/", "~1");
}

export function unescapePointerToken(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}
