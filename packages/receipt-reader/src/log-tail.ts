/** What a writer has to know of the end of a log: how it ends, which number comes next, and whether it may write there at all. */
import type { DiskFile } from "@casebook/ports";
import { startsWithMark, withoutMark } from "./judge/byte-order-mark.ts";
import { judgeLine } from "./judge/judge-line.ts";
import { splitBackward } from "./judge/split-lines.ts";
import { pushPieces } from "./pieces.ts";

/**
 * So many receipts are looked at for the highest number. Only owners whose time was over put a lower number behind a higher one, one
 * record each: more of them in a row than this, and a number could be given twice.
 */
export const TAIL_RECEIPTS = 64;

export interface LogTail {
  readonly size: number;
  /** Whether what is appended has to begin with a line feed. */
  readonly isOpen: boolean;
  readonly highestSeq: number;
  readonly highestEpoch: number;
  /** Lines behind the last good one that could not be read, and may have had numbers. */
  readonly unreadable: number;
  /** Of a newer version than this writer knows. */
  readonly newestSchema: number | undefined;
}

/** Undefined: the file was shortened meanwhile. */
export async function readTail(file: DiskFile): Promise<LogTail | undefined> {
  const { size } = await file.stat();
  let receipts = 0;
  let tail: Omit<LogTail, "size"> = { isOpen: false, highestSeq: 0, highestEpoch: 0, unreadable: 0, newestSchema: undefined };
  const lines = splitBackward(size, (given, { byteOffset, isEnded }) => {
    const bytes = byteOffset === 0 && startsWithMark(given) ? withoutMark(given) : given;
    const { records, damage } = bytes === undefined ? { records: [], damage: { isUnreadable: true } } : judgeLine(bytes, isEnded);
    tail = { ...tail, isOpen: tail.isOpen || !isEnded };
    if (damage?.isUnreadable === true && receipts === 0) tail = { ...tail, unreadable: tail.unreadable + 1 };
    for (const record of records.toReversed()) {
      if (record.kind === "unsupported") tail = { ...tail, newestSchema: Math.max(tail.newestSchema ?? 0, record.schema) };
      // A repaired line had a number, too.
      if (record.kind === "tombstone" && receipts === 0) tail = { ...tail, unreadable: tail.unreadable + 1 };
      if (record.kind !== "receipt") continue;
      receipts += 1;
      const { seq, epoch } = record.receipt;
      tail = { ...tail, highestSeq: Math.max(tail.highestSeq, seq), highestEpoch: Math.max(tail.highestEpoch, epoch) };
    }
    return receipts >= TAIL_RECEIPTS ? "enough" : "more";
  });
  let isDone = false;
  const ended = await pushPieces(file, size, "backward", (piece) => {
    const answer = lines.push(piece);
    isDone = answer === "enough";
    return answer;
  });
  if (ended === "shorter") return undefined;
  if (!isDone) lines.end();
  return { size, ...tail };
}
