/**
 * What a whole log is like: counts by class, and what its records say together that none of them says alone. Bounded: keys beyond
 * `MAX_KEYS_FOLLOWED` are counted and not followed. Reads from the start.
 */
import { startsWithMark, withoutMark } from "./byte-order-mark.ts";
import { createDamageTally, type DamageReport } from "./damage-tally.ts";
import { createKeyBook } from "./key-book.ts";
import { type DamageOfLine, type JudgedLine, judgeLine, LONG_LINE } from "./judge-line.ts";
import type { KeyReading, Searched } from "./key-reading.ts";
import type { LogRecord, Receipt } from "./receipt.ts";
import { createSequence } from "./sequence.ts";
import { type LinePlace, splitForward, type SplitOptions } from "./split-lines.ts";

/** The state events of one key, not the number of times that something was done. */
export interface KeySummary {
  readonly key: string;
  readonly pending: number;
  readonly completed: number;
  /** Of its newest record, or of its completed one where there is one. */
  readonly state: Receipt["state"];
  readonly atMs: number;
  readonly byteOffset: number;
  /** Lines behind that record that could not be read and may be of this key. */
  readonly unreadableBehind: number;
  /** Different fingerprints of who asked and of what was asked, up to a hundred. */
  readonly actors: number;
  readonly payloads: number;
  /** Completed records that differ in their reason. */
  readonly outcomes: number;
  readonly pendingBehindCompleted: number;
}

export interface SequenceSummary {
  readonly first: number | undefined;
  readonly last: number | undefined;
  /** Numbers that stand on more than one record, the first of them. */
  readonly repeated: readonly { readonly seq: number; readonly byteOffset: number }[];
  readonly repeats: number;
  /** Jumps over numbers, the first of them; `unreadableBetween`: lines there that may have had them. `late`: numbers of it that came behind it. */
  readonly gaps: readonly { readonly after: number; readonly next: number; readonly byteOffset: number; readonly unreadableBetween: number; readonly late: number }[];
  /** At most so many: of a log with a thousand gaps and more, a late number may not be known for one of them. */
  readonly missing: number;
  /** Records with a lower number than one before them, repeats left out. */
  readonly backwards: readonly { readonly seq: number; readonly before: number; readonly byteOffset: number }[];
  readonly backwardsCount: number;
  /** Records of an owner of the lock whose time was over. */
  readonly lateEpochs: number;
}

export interface LogSurvey {
  readonly searched: Searched;
  readonly damage: DamageReport;
  readonly receipts: number;
  readonly pending: number;
  readonly completed: number;
  /** Records that stand there twice, equal in every field; of keys that are followed. */
  readonly duplicated: number;
  readonly keys: readonly KeySummary[];
  /** Records of keys beyond those that are followed. */
  readonly recordsNotFollowed: number;
  readonly sequence: SequenceSummary;
  /** Records whose instant lies before that of the record before them. */
  readonly clockBackwards: number;
  /** Lines that end with a carriage return as well. */
  readonly carriageReturns: number;
  readonly tail: KeyReading["tail"];
}

export interface SurveyReader {
  push(piece: Uint8Array): void;
  /** `growing`: the file is longer by now, so that a last line that cannot be read may not have been written to its end, and is left out. */
  end(how?: "growing"): LogSurvey;
}

/** All bytes at once. */
export function surveyLog(bytes: Uint8Array, options: SplitOptions = {}): LogSurvey {
  const reader = createSurvey(options);
  reader.push(bytes);
  return reader.end();
}

export function createSurvey(options: SplitOptions = {}): SurveyReader {
  const damage = createDamageTally("forward");
  const sequence = createSequence();
  const book = createKeyBook();
  const counts = { bytes: 0, lines: 0, good: 0, blank: 0, passedOver: 0, damaged: 0, unsupported: 0, tombstones: 0 };
  const receipts = { pending: 0, completed: 0 };
  let clockBackwards = 0;
  let lastAtMs = -Infinity;
  let carriageReturns = 0;
  let tail: LogSurvey["tail"] = "empty";
  let mayGrow = false;

  function line(given: Uint8Array | undefined, place: LinePlace): "more" {
    const isMarked = place.byteOffset === 0 && startsWithMark(given);
    const bytes = isMarked ? withoutMark(given) : given;
    const judged = bytes === undefined ? LONG_LINE : judgeLine(bytes, place.isEnded);
    tail = tailAfter(judged, place);
    if (tail === "growing") return "more";
    if (bytes?.at(-1) === 0x0d) carriageReturns += 1;
    counts.lines += 1;
    counts.bytes += place.bytes + (place.isEnded ? 1 : 0);
    if (isMarked) damage.note({ code: "BOM", isUnreadable: false, mentions: [], isOnlyCut: false }, place);
    take(judged, place);
    return "more";
  }

  function tailAfter({ damage: harm }: JudgedLine, { isEnded }: LinePlace): LogSurvey["tail"] {
    if (isEnded) return "ended";
    if (harm !== undefined && mayGrow) return "growing";
    return harm?.isUnreadable === true ? "torn" : "no-line-feed";
  }

  function take({ isBlank, records, damage: harm }: JudgedLine, place: LinePlace): void {
    const isGood = harm === undefined && records[0]?.kind === "receipt";
    for (const record of records) met(record, place);
    if (harm !== undefined) harmed(harm, place);
    if (isBlank) counts.blank += 1;
    else if (harm !== undefined) counts.damaged += 1;
    else if (isGood) counts.good += 1;
    else if (records[0]?.kind === "tombstone") counts.tombstones += 1;
    else counts.unsupported += 1;
    if (isGood) damage.good();
  }

  function met(record: LogRecord, { byteOffset }: LinePlace): void {
    if (record.kind === "tombstone") return unread(record.tombstone.mentions, record.tombstone.isOnlyCut);
    if (record.kind === "unsupported") return unread(record.key === undefined ? [] : [record.key], true);
    const { receipt } = record;
    receipts[receipt.state] += 1;
    if (receipt.atMs < lastAtMs) clockBackwards += 1;
    lastAtMs = receipt.atMs;
    sequence.receipt(receipt, byteOffset);
    book.receipt(receipt, byteOffset);
  }

  function harmed(harm: DamageOfLine, place: LinePlace): void {
    damage.note(harm, place);
    if (harm.isUnreadable) unread(harm.mentions, harm.isOnlyCut);
  }

  function unread(mentions: readonly string[], isOnlyCut: boolean): void {
    sequence.unreadable();
    book.unreadable(isOnlyCut && mentions.length > 0 ? mentions : undefined);
  }

  const lines = splitForward(line, options);
  return {
    push: (piece) => void lines.push(piece),
    end(how) {
      mayGrow = how === "growing";
      lines.end();
      return {
        searched: { ...counts, reach: "whole" },
        damage: damage.report(),
        receipts: receipts.pending + receipts.completed,
        ...receipts,
        duplicated: book.duplicated(),
        keys: book.summaries(),
        recordsNotFollowed: book.notFollowed(),
        sequence: sequence.summary(),
        clockBackwards,
        carriageReturns,
        tail,
      };
    },
  };
}
