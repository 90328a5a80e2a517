/**
 * Finds the characters beyond ASCII that a script's reader takes for quotes. Works on bytes: follows the strings as ASCII alone
 * has them, which is how they were meant, and asks at every other quote whether the reader would do something else there.
 *
 * Looks at quotes alone: that a byte is a blank or a dash to the code page, outside of a string, is not seen.
 * Knows strings in double and single quotes, here-strings, comments, expressions inside of strings, doubled quotes and
 * backticks. Leaves out `--%`, names in braces that hold a quote, and a `#` right behind an operator (taken for a comment).
 */

/** `windows-125x`: code pages 1250 to 1258, which have their quotes at the same bytes. */
export type ScriptEncoding = "windows-125x" | "utf-8";

export type Place = "code" | "a double-quoted string" | "a single-quoted string" | "a here-string";

export interface StrayQuote {
  /** Position of the quote in the bytes. */
  readonly at: number;
  readonly place: Place;
}

const NONE = 0;
const DOUBLE = 1;
const SINGLE = 2;
/** Added to a kind: a quote of that kind that is no ASCII. */
const BEYOND_ASCII = 2;

const HASH = 0x23;
const DOLLAR = 0x24;
const OPEN = 0x28;
const CLOSE = 0x29;
const LESS = 0x3c;
const GREATER = 0x3e;
const AT = 0x40;
const BACKTICK = 0x60;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;

/** What the walk is inside of. A string that holds an expression waits below it. */
interface Level {
  readonly within: "code" | "double" | "here";
  /** Of code in an expression: parentheses that are open. */
  depth: number;
}

/** In the order of the bytes. Takes time in proportion to them; a script may nest as deep as it is long. */
export function strayQuotes(bytes: Uint8Array, from: number, encoding: ScriptEncoding): StrayQuote[] {
  const kinds = quoteKinds(bytes, encoding);
  const found: StrayQuote[] = [];
  const levels: Level[] = [{ within: "code", depth: 0 }];
  let at = from;
  /** Whether a `#` here belongs to a word. */
  let isInWord = false;

  /** Bytes of a quote that is no ASCII. */
  const width = encoding === "utf-8" ? 3 : 1;
  const isNewline = (position: number) => bytes[position] === LINE_FEED || bytes[position] === RETURN;
  const kindAt = (position: number) => kinds[position] ?? NONE;
  const isStray = (position: number, kind: number) => kindAt(position) === kind + BEYOND_ASCII;
  const pass = (place: Place) => found.push({ at, place });

  while (at < bytes.length) {
    const level = levels.at(-1) as Level;
    if (level.within === "code") inCode(level);
    else if (level.within === "double") inDouble();
    else inHere();
  }
  return found;

  function inCode(level: Level): void {
    const byte = bytes[at];
    const kind = kindAt(at);
    if (byte === BACKTICK) {
      at += 2;
      isInWord = true;
      return;
    }
    if (byte === LESS && bytes[at + 1] === HASH) return blockComment();
    if (byte === HASH && !isInWord) return lineComment();
    if (byte === AT && opensHere(at + 1)) return hereString(kindAt(at + 1));
    if (byte === DOLLAR) return variable();
    if (kind === SINGLE) return singleString();
    isInWord = kind > BEYOND_ASCII || (kind === NONE && isWordByte(byte));
    if (kind > BEYOND_ASCII) pass("code");
    if (kind === DOUBLE) levels.push({ within: "double", depth: 0 });
    if (byte === OPEN) level.depth += 1;
    if (byte === CLOSE) level.depth -= 1;
    if (level.depth === 0 && byte === CLOSE && levels.length > 1) levels.pop();
    at += 1;
  }

  function inDouble(): void {
    if (bytes[at] === BACKTICK) at += 2;
    else if (opensExpression()) enterExpression();
    else if (quoted(DOUBLE, "a double-quoted string")) levels.pop();
  }

  /** One step in a string; true when its end was passed. Two quotes side by side are one that belongs to the string. */
  function quoted(kind: number, place: Place): boolean {
    if (kindAt(at) === kind) {
      const isPair = kindAt(at + 1) === kind;
      at += isPair ? 2 : 1;
      return !isPair;
    }
    const isPair = isStray(at, kind) && isStray(at + width, kind);
    if (isStray(at, kind) && !isPair) pass(place);
    at += isPair ? 2 * width : 1;
    return false;
  }

  function singleString(): void {
    at += 1;
    while (at < bytes.length) if (quoted(SINGLE, "a single-quoted string")) break;
    isInWord = false;
  }

  /** The quote of a here-string's head ends its line. */
  function opensHere(quote: number): boolean {
    const kind = kindAt(quote);
    if (kind !== DOUBLE && kind !== SINGLE) return false;
    let end = quote + 1;
    while (bytes[end] === 0x20 || bytes[end] === 0x09) end += 1;
    return isNewline(end);
  }

  function hereString(kind: number): void {
    at += 2;
    while (!isNewline(at)) at += 1;
    if (kind === DOUBLE) return void levels.push({ within: "here", depth: 0 });
    while (at < bytes.length) if (endsHere(SINGLE)) break;
    isInWord = false;
  }

  function inHere(): void {
    if (bytes[at] === BACKTICK) at += 2;
    else if (opensExpression()) enterExpression();
    else if (endsHere(DOUBLE)) {
      levels.pop();
      isInWord = false;
    }
  }

  /** One step in a here-string; true when its end was passed: a newline, a quote and an at sign. */
  function endsHere(kind: number): boolean {
    const isNew = isNewline(at);
    at += 1;
    if (!isNew) return false;
    if (isStray(at, kind) && bytes[at + width] === AT) pass("a here-string");
    if (kindAt(at) !== kind || bytes[at + 1] !== AT) return false;
    at += 2;
    return true;
  }

  function opensExpression(): boolean {
    return bytes[at] === DOLLAR && bytes[at + 1] === OPEN;
  }

  function enterExpression(): void {
    levels.push({ within: "code", depth: 1 });
    at += 2;
    isInWord = false;
  }

  function variable(): void {
    at += 1;
    while (at < bytes.length && kindAt(at) === NONE && isNameByte(bytes[at])) at += 1;
    isInWord = false;
  }

  function lineComment(): void {
    while (at < bytes.length && !isNewline(at)) at += 1;
  }

  function blockComment(): void {
    // The # of the head is not that of the end as well.
    at += 3;
    while (at < bytes.length && !(bytes[at - 1] === HASH && bytes[at] === GREATER)) at += 1;
    at += 1;
    isInWord = false;
  }
}

/** At the first byte of each quote its kind, elsewhere nothing. */
function quoteKinds(bytes: Uint8Array, encoding: ScriptEncoding): Uint8Array {
  const kinds = new Uint8Array(bytes.length);
  const kindAt = encoding === "utf-8" ? kindInUtf8 : kindInCodePage;
  for (let at = 0; at < bytes.length; at += 1) kinds[at] = kindAt(bytes, at);
  return kinds;
}

function kindInCodePage(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === 0x84 || byte === 0x93 || byte === 0x94) return DOUBLE + BEYOND_ASCII;
  if (byte === 0x82 || byte === 0x91 || byte === 0x92) return SINGLE + BEYOND_ASCII;
  return asciiKind(byte);
}

/** U+201C to U+201E are double quotes, U+2018 to U+201B single ones. */
function kindInUtf8(bytes: Uint8Array, at: number): number {
  const last = bytes[at + 2] ?? 0;
  if (bytes[at] !== 0xe2 || bytes[at + 1] !== 0x80) return asciiKind(bytes[at]);
  if (last >= 0x9c && last <= 0x9e) return DOUBLE + BEYOND_ASCII;
  return last >= 0x98 && last <= 0x9b ? SINGLE + BEYOND_ASCII : NONE;
}

function asciiKind(byte: number | undefined): number {
  if (byte === 0x22) return DOUBLE;
  return byte === 0x27 ? SINGLE : NONE;
}

/** Letters, digits, `_`, `:`, `?`, and everything beyond ASCII. */
function isNameByte(byte = 0): boolean {
  return byte >= 0x80 || (byte >= 0x30 && byte <= 0x3a) || byte === 0x3f || byte === 0x5f || isLetter(byte);
}

/** As in a name, and what paths and numbers are made of. */
function isWordByte(byte = 0): boolean {
  return isNameByte(byte) || (byte >= 0x2d && byte <= 0x2f) || byte === 0x5c || byte === HASH;
}

function isLetter(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
}
