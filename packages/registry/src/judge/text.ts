/**
 * Bytes to text and back: whether bytes are UTF-8, what they are instead, and places in a text. UTF-8 only: code pages are
 * left out, a file in one is only ever "not UTF-8 at this byte".
 */

export type EncodingCode = "NUL_BYTES" | "UTF16_LE" | "UTF16_BE" | "UTF32" | "INVALID_UTF8";

export type EncodingVerdict =
  | { readonly encoding: "utf-8"; readonly byteOrderMark: "none" | "utf-8" }
  | {
      readonly encoding: "not-utf-8";
      readonly code: EncodingCode;
      /** The first byte that says so, from 0. */
      readonly offset: number;
      readonly say: string;
    };

export function judgeEncoding(bytes: Uint8Array): EncodingVerdict {
  if (startsWith(bytes, [0xff, 0xfe, 0, 0]) || startsWith(bytes, [0, 0, 0xfe, 0xff])) {
    return refuse("UTF32", 0, "the file starts with a UTF-32 byte order mark");
  }
  if (startsWith(bytes, [0xff, 0xfe]))
    return refuse("UTF16_LE", 0, "the file starts with a UTF-16 (LE) byte order mark");
  if (startsWith(bytes, [0xfe, 0xff]))
    return refuse("UTF16_BE", 0, "the file starts with a UTF-16 (BE) byte order mark");
  const nul = bytes.indexOf(0);
  if (nul !== -1) return judgeNul(bytes, nul);
  const invalid = firstInvalidUtf8(bytes);
  if (invalid !== -1) return refuse("INVALID_UTF8", invalid, `byte ${invalid} of ${bytes.length} is not UTF-8`);
  return { encoding: "utf-8", byteOrderMark: startsWith(bytes, [0xef, 0xbb, 0xbf]) ? "utf-8" : "none" };
}

/** JSON begins with two ASCII characters, which is how RFC 4627 told its encodings apart. A hole left by a crash does not alternate. */
function judgeNul(bytes: Uint8Array, nul: number): EncodingVerdict {
  const nulsAt = [0, 1, 2, 3].filter((offset) => bytes[offset] === 0).join();
  const pattern = "every second byte is NUL, as in UTF-16";
  if (nulsAt === "1,3") return refuse("UTF16_LE", nul, `${pattern} (LE) without a mark`);
  if (nulsAt === "0,2") return refuse("UTF16_BE", nul, `${pattern} (BE) without a mark`);
  let end = nul;
  while (bytes[end] === 0) end += 1;
  return refuse("NUL_BYTES", nul, `${end - nul} of ${bytes.length} bytes, from byte ${nul}, are NUL`);
}

/** Offset of the first byte that no UTF-8 text has there, or -1. Ranges as in the Unicode standard, table 3-7. */
export function firstInvalidUtf8(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const lead = bytes[at] as number;
    const length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (length === 0) return at;
    for (let more = 1; more < length; more += 1) {
      const byte = bytes[at + more] ?? 0;
      const [lowest, highest] = more === 1 ? secondByteRange(lead) : [0x80, 0xbf];
      if (byte < lowest || byte > highest) return at;
    }
    at += length;
  }
  return -1;
}

/** Overlong forms, surrogates and code points beyond U+10FFFF all show in the second byte. */
function secondByteRange(lead: number): readonly [number, number] {
  if (lead === 0xe0) return [0xa0, 0xbf];
  if (lead === 0xed) return [0x80, 0x9f];
  if (lead === 0xf0) return [0x90, 0xbf];
  if (lead === 0xf4) return [0x80, 0x8f];
  return [0x80, 0xbf];
}

function startsWith(bytes: Uint8Array, prefix: readonly number[]): boolean {
  return prefix.every((byte, index) => bytes[index] === byte);
}

function refuse(code: EncodingCode, offset: number, say: string): EncodingVerdict {
  return { encoding: "not-utf-8", code, offset, say };
}

// Both exist in browsers and in Node, but neither is in the language's own library, and a judge has no platform types.
declare const TextDecoder: new (
  label: string,
  options: { fatal: boolean; ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

/** Strict: throws on a byte that is not UTF-8. Keeps a byte order mark as U+FEFF, so that encoding gives the same bytes. */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

export function encodeUtf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** A place in a text. Line and column count from 1, the column in UTF-16 code units; the offset counts from 0. */
export interface Position {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

export function positionAt(text: string, offset: number): Position {
  return createPositions(text)(offset);
}

/** Characters between two places whose line is remembered: two numbers for each, and no question reads further than this. */
const STRIDE = 1024;

/**
 * Looks up many places in one text, in any order. Reads the text once, up to the furthest place that is asked for. Remembers
 * no line of its own: a file of nothing but line breaks would make more of them than there is memory.
 */
export function createPositions(text: string): (offset: number) => Position {
  const lines = [1];
  const lineStarts = [0];
  const walk = (index: number, end: number): readonly [line: number, lineStart: number] => {
    let line = lines[index] as number;
    let lineStart = lineStarts[index] as number;
    for (let at = index * STRIDE; at < end; at += 1) {
      if (text.charCodeAt(at) !== NEWLINE) continue;
      line += 1;
      lineStart = at + 1;
    }
    return [line, lineStart];
  };
  return (offset) => {
    const index = Math.floor(offset / STRIDE);
    while (lines.length <= index) {
      const [line, lineStart] = walk(lines.length - 1, lines.length * STRIDE);
      lines.push(line);
      lineStarts.push(lineStart);
    }
    const [line, lineStart] = walk(index, offset);
    return { line, column: offset - lineStart + 1, offset };
  };
}

const NEWLINE = 0x0a;

const MAX_SHOWN_LENGTH = 60;

/** A foreign text, safe to print on one line: clipped, and everything invisible written as an escape. */
export function shown(text: string): string {
  const clipped = text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
  return clipped.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
