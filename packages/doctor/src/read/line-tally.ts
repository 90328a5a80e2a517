/** Counts the lines of one JSONL file, hands out those that are wanted, and remembers where the damage is. */
import type { JsonObject } from "@casebook/registry/judge";
import { judgeLine, type LineDamage } from "./json-line.ts";
import type { NeedleSearch } from "./needle-search.ts";

/** How many damaged lines are listed; the counts go on. */
export const MAX_DAMAGED_LISTED = 100;

export interface JsonLine {
  readonly value: JsonObject;
  /** Counts from 1; blank lines count. */
  readonly line: number;
  /** Of the line's first byte, from 0. */
  readonly byteOffset: number;
}

/** Answering `wrong-shape` counts the line as damaged. */
export type OnJsonLine = (line: JsonLine) => "wrong-shape" | void;

export interface DamagedLine {
  readonly code: LineDamage;
  readonly line: number;
  /** Of the line's first byte. */
  readonly byteOffset: number;
  /** Without its line feed. */
  readonly bytes: number;
  /** Lines that are all right and come after it. */
  readonly goodLinesAfter: number;
}

/** `growing`: the file goes on by now, so that its last line had not been written to its end. */
export type LineEnd = "line-feed" | "end-of-file" | "growing";

export interface LineCounts {
  /** All of them: `parsed`, `passedOver`, `blank` and `damagedLines` add up to it. */
  readonly lines: number;
  /** Objects, one a line, handed out. */
  readonly parsed: number;
  /** Not handed out, because they have none of the needles. */
  readonly passedOver: number;
  readonly blank: number;
  /** The objects of a glued line are handed out, and the line is counted here. A byte order mark is listed and not counted. */
  readonly damagedLines: number;
  readonly damageCounts: Readonly<Partial<Record<LineDamage, number>>>;
  /** The first of them, in order. */
  readonly damaged: readonly DamagedLine[];
  /** `growing`: what was there of the last line could not be read yet; it is not among the lines. */
  readonly tail: "ended" | "no-line-feed" | "torn" | "growing";
}

export interface LineTally {
  /** All lines of the piece that end in it, from `start`; answers where the rest begins. */
  wholeLines(piece: Uint8Array, start: number): number;
  line(bytes: Uint8Array, end: LineEnd): void;
  tooLong(length: number, end: LineEnd): void;
  result(): LineCounts;
}

const LINE_FEED = 0x0a,
  RETURN = 0x0d,
  OPEN = 0x7b,
  CLOSE = 0x7d;

/** Without needles every line is wanted. */
export function createLineTally(onLine: OnJsonLine, maxLineBytes: number, needles?: NeedleSearch): LineTally {
  const counts = { lines: 0, parsed: 0, passedOver: 0, blank: 0, damagedLines: 0 };
  const damageCounts: Partial<Record<LineDamage, number>> = {};
  const damaged: { code: LineDamage; line: number; byteOffset: number; bytes: number; goodBefore: number }[] = [];
  let tail: LineCounts["tail"] = "ended";
  let byteOffset = 0;

  function note(code: LineDamage, bytes: number): void {
    damageCounts[code] = (damageCounts[code] ?? 0) + 1;
    if (damaged.length >= MAX_DAMAGED_LISTED) return;
    damaged.push({ code, line: counts.lines, byteOffset, bytes, goodBefore: counts.parsed + counts.passedOver });
  }

  function line(bytes: Uint8Array, end: LineEnd): void {
    const wanted = needles === undefined || needles.isIn(bytes);
    if (end === "line-feed" && !wanted && looksWhole(bytes, 0, bytes.length)) passOver(bytes.length);
    else judge(bytes, end, wanted);
  }

  function passOver(length: number): void {
    counts.lines += 1;
    counts.passedOver += 1;
    byteOffset += length + 1;
  }

  function judge(bytes: Uint8Array, end: LineEnd, wanted: boolean): void {
    const marked = byteOffset === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    const { blank, values, damage } = judgeLine(marked ? bytes.subarray(3) : bytes, end === "line-feed");
    if (end === "growing" && damage !== undefined) {
      tail = "growing";
      return;
    }
    if (end !== "line-feed") tail = damage === "TORN_TAIL" ? "torn" : "no-line-feed";
    counts.lines += 1;
    if (marked) note("BOM", bytes.length);
    const answers = wanted ? values.map((value) => onLine({ value, line: counts.lines, byteOffset })) : [];
    const found = damage ?? (answers.includes("wrong-shape") ? "WRONG_SHAPE" : undefined);
    if (found !== undefined) {
      note(found, bytes.length);
      counts.damagedLines += 1;
    } else if (blank) counts.blank += 1;
    else if (wanted) counts.parsed += 1;
    else counts.passedOver += 1;
    byteOffset += bytes.length + 1;
  }

  function tooLong(length: number, end: LineEnd): void {
    if (end !== "line-feed") tail = end === "growing" ? "growing" : "no-line-feed";
    counts.lines += 1;
    counts.damagedLines += 1;
    note("TOO_LONG", length);
    byteOffset += length + 1;
  }

  function wholeLines(piece: Uint8Array, from: number): number {
    // Each search is asked once for each thing it finds, not once a line.
    const finders = (needles?.searchesFor(piece) ?? []).map((search) => ({ search, hit: search(piece, from) }));
    let start = from;
    for (;;) {
      const end = piece.indexOf(LINE_FEED, start);
      if (end === -1) return start;
      let wanted = needles === undefined;
      for (const finder of finders) {
        if (finder.hit !== -1 && finder.hit < start) finder.hit = finder.search(piece, start);
        if (finder.hit !== -1 && finder.hit < end) wanted = true;
      }
      if (end - start > maxLineBytes) tooLong(end - start, "line-feed");
      else if (wanted || !looksWhole(piece, start, end)) judge(piece.subarray(start, end), "line-feed", wanted);
      else passOver(end - start);
      start = end + 1;
    }
  }

  function result(): LineCounts {
    const good = counts.parsed + counts.passedOver;
    const listed = damaged.map(({ goodBefore, ...where }) => ({ ...where, goodLinesAfter: good - goodBefore }));
    return { ...counts, damageCounts, damaged: listed, tail };
  }

  return { wholeLines, line, tooLong, result };
}

/** An object as far as its ends tell: enough for a line that nobody wants. */
function looksWhole(piece: Uint8Array, start: number, end: number): boolean {
  const last = piece[end - 1] === RETURN ? piece[end - 2] : piece[end - 1];
  return piece[start] === OPEN && last === CLOSE && end > start + 1;
}
