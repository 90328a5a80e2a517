/**
 * Judges the lines of a log for one key, as they come, from either end. The newest record of the key counts, and a completed one counts
 * for good: a pending one behind it came late from somebody whose time was over. So a reading from the end is over at a completed record,
 * and looks through all of the log when it finds a pending one or none.
 */
import { createDamageTally } from "./damage-tally.ts";
import { type DamageOfLine, type JudgedLine, judgeLine, LONG_LINE } from "./judge-line.ts";
import { type KeyReading, mayHide, NONE_UNREAD, type Unread } from "./key-reading.ts";
import { type ReaderPolicies, REFERENCE_READER } from "./reader-policies.ts";
import type { LogRecord, Receipt } from "./receipt.ts";
import { startsWithMark, withoutMark } from "./byte-order-mark.ts";
import type { LinePlace, OnLine, PassOver } from "./split-lines.ts";
import { encodeUtf8 } from "./text.ts";

export interface KeyTallyOptions {
  readonly policies?: ReaderPolicies;
  /**
   * Finds a needle in bytes, or answers -1. With it, a reading from the start passes over lines that have not the key in them, and counts
   * them as such: faster, and blind to damage between a line's first and last byte.
   */
  readonly findBytes?: (bytes: Uint8Array, needle: Uint8Array, from: number) => number;
}

export interface KeyTally {
  readonly line: OnLine;
  /** Where it was given something to find bytes with. */
  readonly over: PassOver | undefined;
  /** The file is longer by now than what is read of it. */
  expectGrowth(): void;
  result(): KeyReading;
}

/** Begins a character that is written by its number, so that a key may stand there in other letters. */
const ESCAPE = encodeUtf8("\\u");

/** What was met so far of what was not understood. */
interface Doubts {
  readonly unreadable: Unread;
  readonly unsupported: Unread;
  readonly byteOffset: number | undefined;
}

interface Met {
  readonly receipt: Receipt;
  readonly byteOffset: number;
  /** Good lines met before it; its own is not among them. */
  readonly goodBefore: number;
  readonly isOnGoodLine: boolean;
  /** Of what was met before it: in a reading from the end, of what is newer. */
  readonly doubts: Doubts;
}

const NO_DOUBTS: Doubts = { unreadable: NONE_UNREAD, unsupported: NONE_UNREAD, byteOffset: undefined };

export function createKeyTally(key: string, direction: "forward" | "backward", { policies = REFERENCE_READER, findBytes }: KeyTallyOptions): KeyTally {
  const needle = encodeUtf8(JSON.stringify(key));
  const damage = createDamageTally(direction);
  const counts = { bytes: 0, lines: 0, good: 0, blank: 0, passedOver: 0, damaged: 0, unsupported: 0, tombstones: 0 };
  let found: Met | undefined;
  let doubts = NO_DOUBTS;
  let pendingBehind = 0;
  let tail: KeyReading["tail"] = "empty";
  let mayGrow = false;

  function line(given: Uint8Array | undefined, place: LinePlace): "more" | "enough" {
    const isMarked = place.byteOffset === 0 && startsWithMark(given);
    const bytes = isMarked ? withoutMark(given) : given;
    const judged = bytes === undefined ? LONG_LINE : judgeLine(bytes, place.isEnded);
    if (!place.isEnded) {
      // What was not there yet is no damage: whoever writes it is not done.
      if (mayGrow && judged.damage !== undefined) {
        tail = "growing";
        return "more";
      }
      tail = judged.damage?.isUnreadable === true ? "torn" : "no-line-feed";
    }
    meet(place);
    if (isMarked) damage.note({ code: "BOM", isUnreadable: false, mentions: [], isOnlyCut: false }, place);
    return take(judged, place);
  }

  function meet({ bytes, isEnded }: LinePlace): void {
    if (tail === "empty") tail = "ended";
    counts.lines += 1;
    counts.bytes += bytes + (isEnded ? 1 : 0);
  }

  function passed(bytes: number): void {
    if (tail === "empty") tail = "ended";
    counts.lines += 1;
    counts.bytes += bytes + 1;
    counts.passedOver += 1;
    damage.good();
  }

  function take({ isBlank, records, damage: harm }: JudgedLine, place: LinePlace): "more" | "enough" {
    const isGood = harm === undefined && records[0]?.kind === "receipt";
    // What could not be read of a line stands behind what could.
    if (direction === "backward") harmed(harm, place);
    let answer: "more" | "enough" = "more";
    for (const record of direction === "forward" ? records : records.toReversed()) {
      if (record.kind !== "receipt") unread(record, place);
      else if (answer === "more") answer = meetReceipt(record.receipt, place, isGood);
    }
    if (direction === "forward") harmed(harm, place);

    if (isBlank) counts.blank += 1;
    else if (harm !== undefined) counts.damaged += 1;
    else if (isGood) counts.good += 1;
    else if (records[0]?.kind === "tombstone") counts.tombstones += 1;
    else counts.unsupported += 1;
    if (isGood) damage.good();
    return answer;
  }

  function meetReceipt(receipt: Receipt, { byteOffset }: LinePlace, isOnGoodLine: boolean): "more" | "enough" {
    if (receipt.key !== key) return "more";
    const met: Met = { receipt, byteOffset, goodBefore: counts.good + counts.passedOver, isOnGoodLine, doubts };
    if (policies.reader === "forward-first" || policies.reader === "backward-tolerant") {
      found ??= met;
      return "enough";
    }
    const isTerminal = receipt.state === "completed";
    const isSettled = found?.receipt.state === "completed";
    if (direction === "forward") {
      if (isTerminal || !isSettled) {
        found = met;
        doubts = NO_DOUBTS;
        pendingBehind = 0;
      } else pendingBehind += 1;
      return "more";
    }
    if (!isTerminal) pendingBehind += 1;
    if (isTerminal || found === undefined) found = met;
    return isTerminal ? "enough" : "more";
  }

  function unread(record: Exclude<LogRecord, { kind: "receipt" }>, place: LinePlace): void {
    if (record.kind === "tombstone") doubt("unreadable", record.tombstone.mentions, record.tombstone.isOnlyCut, place);
    else if (policies.unknownVersion === "report") doubt("unsupported", record.key === undefined ? [] : [record.key], true, place);
  }

  function harmed(harm: DamageOfLine | undefined, place: LinePlace): void {
    if (harm === undefined) return;
    damage.note(harm, place);
    if (harm.isUnreadable) doubt("unreadable", harm.mentions, harm.isOnlyCut, place);
  }

  function doubt(what: "unreadable" | "unsupported", mentions: readonly string[], isOnlyCut: boolean, { byteOffset }: LinePlace): void {
    const whose = mentions.includes(key) ? "ofThisKey" : isOnlyCut && mentions.length > 0 ? "ofOtherKeys" : "ofNoKnownKey";
    const byOwner = { ...doubts[what], [whose]: doubts[what][whose] + 1 };
    doubts = { ...doubts, [what]: byOwner, byteOffset: direction === "backward" ? byteOffset : (doubts.byteOffset ?? byteOffset) };
  }

  function result(): KeyReading {
    if (policies.reader !== "report-health") {
      const isCaught = policies.reader === "catch-all-empty" && counts.damaged + counts.unsupported + counts.tombstones > 0;
      return silent(isCaught ? undefined : found);
    }
    const newer = direction === "backward" ? (found?.doubts ?? doubts) : doubts;
    const hidden = { unreadable: mayHide(newer.unreadable), unsupported: mayHide(newer.unsupported) };
    return {
      ...silent(found),
      ...(hidden.unreadable > 0 ? { health: "corrupt" as const } : hidden.unsupported > 0 ? { health: "unsupported" as const } : {}),
      newer,
      isStateRegression: found !== undefined && hidden.unreadable + hidden.unsupported > 0,
      damage: damage.report(),
    };
  }

  /** The answer of a reader that says nothing of what it could not read. */
  function silent(record: Met | undefined): KeyReading {
    const isEarly = record !== undefined && (policies.reader === "forward-first" || direction === "backward");
    const isOver = record?.receipt.state === "completed" || policies.reader === "backward-tolerant" || policies.reader === "forward-first";
    const isBare = record === undefined && (policies.zero === "bare" || policies.reader === "catch-all-empty");
    return {
      key,
      health: record === undefined ? "absent" : "found",
      found: record === undefined ? undefined : { receipt: record.receipt, byteOffset: record.byteOffset, goodLinesAfter: goodAfter(record) },
      newer: NO_DOUBTS,
      isStateRegression: false,
      pendingBehindCompleted: record?.receipt.state === "completed" ? pendingBehind : 0,
      damage: { lines: 0, counts: {}, listed: [] },
      searched: isBare ? undefined : { ...counts, reach: isEarly && isOver ? "to-found" : "whole" },
      tail,
    };
  }

  function goodAfter({ goodBefore, isOnGoodLine }: Met): number {
    return direction === "backward" ? goodBefore : counts.good + counts.passedOver - goodBefore - (isOnGoodLine ? 1 : 0);
  }

  const over = findBytes === undefined ? undefined : { find: firstOf([needle, ESCAPE], findBytes), passed };
  return { line, over, expectGrowth: () => void (mayGrow = true), result };
}

/** The first place at which one of the needles stands. Asks again only for one that was passed, so that each piece is looked through once. */
function firstOf(needles: readonly Uint8Array[], findBytes: NonNullable<KeyTallyOptions["findBytes"]>): PassOver["find"] {
  const places: number[] = [];
  return (piece, from) => {
    for (const [index, needle] of needles.entries()) {
      const known = places[index];
      // From 0 it is another piece.
      if (from === 0 || known === undefined || (known !== -1 && known < from)) places[index] = findBytes(piece, needle, from);
    }
    const hits = places.filter((place) => place !== -1);
    return hits.length === 0 ? -1 : Math.min(...hits);
  };
}
