/**
 * Judges a script by its bytes and by its reader: a character that was meant as text must not be a quote to whoever reads it.
 * UTF-16 is not judged, nor the double-byte code pages (932, 936, 949, 950), in which a byte may swallow the next one.
 */
import { defineGuard } from "./finding.ts";
import { firstFew } from "./first-few.ts";
import { type ScriptEncoding, strayQuotes, type StrayQuote } from "./script-strings.ts";

export interface EncodingScriptQuotesFacts {
  readonly path: string;
  /** The whole file, as it lies on disk. */
  readonly bytes: Uint8Array;
  /**
   * What the reader takes the bytes for when no mark comes first. Code pages 1250 to 1258 have their quotes at the same bytes.
   * With EF BB BF first every reader takes them for UTF-8.
   */
  readonly unmarked: ScriptEncoding;
}

const READ_AS = { "windows-125x": "the code page", "utf-8": "UTF-8" } as const;

export const encodingScriptQuotes = defineGuard<EncodingScriptQuotesFacts>(
  {
    id: "encoding/script-quotes",
    needs: ["the bytes of a script for PowerShell", "what its reader takes them for when no mark comes first: a code page (1250 to 1258), or UTF-8"],
    severity: "alarm",
    text: "The reader of a script takes a character beyond ASCII for a quote, so that a string ends or begins where nobody meant it to.",
    case: "004",
  },
  ({ path, bytes, unmarked }) => {
    if (startsWith(bytes, [0xff, 0xfe]) || startsWith(bytes, [0xfe, 0xff])) return undefined;
    const isMarked = startsWith(bytes, [0xef, 0xbb, 0xbf]);
    const start = isMarked ? 3 : 0;
    const encoding = isMarked ? "utf-8" : unmarked;
    const quotes = oneForEachCharacter(strayQuotes(bytes, start, encoding), bytes);
    const [first] = quotes;
    if (first === undefined) return undefined;
    const beyondAscii = bytes.subarray(start).filter((byte, index) => byte >= 0x80 && characterStart(bytes, start + index) === start + index).length;
    const places = placesOf(bytes, start, quotes.slice(0, 3));
    const named = firstFew(quotes.map((quote, index) => nameOf(bytes, quote, places[index])), "; ");
    const verb = quotes.length === 1 ? "is read as a quote" : "are read as quotes";
    return {
      subject: path,
      message: `${quotes.length} of ${beyondAscii} characters beyond ASCII ${verb} in ${READ_AS[encoding]}: ${named}`,
      counts: { beyondAscii, quotes: quotes.length, byte: first.at, line: places[0]?.line ?? 0, column: places[0]?.column ?? 0 },
    };
  },
);

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}

/** A character may hold two bytes that are quotes to the reader. */
function oneForEachCharacter(quotes: readonly StrayQuote[], bytes: Uint8Array): StrayQuote[] {
  const whole = quotes.map(({ at, place }) => ({ at: characterStart(bytes, at), place }));
  return whole.filter(({ at }, index) => at !== whole[index - 1]?.at);
}

/** Where the character begins that this byte is part of; the byte itself where it is part of none. */
function characterStart(bytes: Uint8Array, at: number): number {
  for (let start = at; start >= 0 && start > at - 4; start -= 1) {
    const width = widthOf(bytes, start);
    if (width > 1) return start + width > at ? start : at;
  }
  return at;
}

/** Bytes of the character that begins here: 1 where none of more than one does. */
function widthOf(bytes: Uint8Array, start: number): number {
  const lead = bytes[start] ?? 0;
  const width = lead < 0xc2 || lead > 0xf4 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  const isWhole = bytes.length >= start + width && bytes.subarray(start + 1, start + width).every((byte) => byte >> 6 === 0b10);
  return isWhole ? width : 1;
}

function nameOf(bytes: Uint8Array, { at, place }: StrayQuote, where: LineAndColumn | undefined): string {
  if (where === undefined) return "";
  const width = widthOf(bytes, at);
  const hex = (number: number) => number.toString(16).toUpperCase();
  const character = width === 1 ? `byte ${hex(bytes[at] ?? 0)}` : `U+${hex(codePointAt(bytes, at, width)).padStart(4, "0")}`;
  return `${character} in ${place} at ${where.line}:${where.column}, byte ${at}`;
}

function codePointAt(bytes: Uint8Array, at: number, width: number): number {
  const lead = (bytes[at] ?? 0) & (0xff >> (width + 1));
  return bytes.subarray(at + 1, at + width).reduce((point, byte) => point * 64 + (byte & 0x3f), lead);
}

interface LineAndColumn {
  readonly line: number;
  readonly column: number;
}

/** Lines and columns count from 1; a column is a character. The quotes come in the order of the bytes. */
function placesOf(bytes: Uint8Array, start: number, quotes: readonly StrayQuote[]): LineAndColumn[] {
  const places: LineAndColumn[] = [];
  let line = 1;
  let column = 1;
  for (let at = start; places.length < quotes.length; at += widthOf(bytes, at)) {
    if (at === quotes[places.length]?.at) places.push({ line, column });
    const isBreak = bytes[at] === 0x0a || (bytes[at] === 0x0d && bytes[at + 1] !== 0x0a);
    column = isBreak ? 1 : column + 1;
    if (isBreak) line += 1;
  }
  return places;
}
