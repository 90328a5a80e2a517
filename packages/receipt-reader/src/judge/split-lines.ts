/**
 * Cuts a file that comes in pieces into lines, from its start or from its end. Holds at most one line that goes over the edge of a
 * piece, and of that no more than `maxLineBytes`: a longer one is told by its length. A piece may be overwritten once it was pushed.
 */

/** Of one line, without its line feed. A receipt has some hundred bytes; a longer line is no receipt. */
export const MAX_LINE_BYTES = 1024 * 1024;

export interface LinePlace {
  /** Of the line's first byte, from 0. */
  readonly byteOffset: number;
  /** Without the line feed. */
  readonly bytes: number;
  readonly isEnded: boolean;
}

/** `bytes` is undefined for a line that is too long, and else valid during the call only. Answering `enough` ends the reading. */
export type OnLine = (bytes: Uint8Array | undefined, place: LinePlace) => "more" | "enough";

export interface LineSplitter {
  push(piece: Uint8Array): "more" | "enough";
  /** Nothing more comes: hands out what is left. */
  end(): void;
}

export interface SplitOptions {
  readonly maxLineBytes?: number;
}

/** Lines of which only their ends are looked at, because they have not in them what is looked for. */
export interface PassOver {
  /** The first place at or after `from` at which it stands in the piece, or -1. It has no line feed in it. */
  find(piece: Uint8Array, from: number): number;
  /** Told of each line that was passed over: its length in bytes, without the line feed. */
  passed(bytes: number): void;
}

const LINE_FEED = 0x0a;

/** Pieces in the order of the file. */
export function splitForward(onLine: OnLine, { maxLineBytes = MAX_LINE_BYTES }: SplitOptions = {}, over?: PassOver): LineSplitter {
  const held = createHeld(maxLineBytes);
  let lineStart = 0;

  function release(tail: Uint8Array, isEnded: boolean): "more" | "enough" {
    const bytes = held.length() + tail.length;
    const line = bytes > maxLineBytes ? undefined : held.isEmpty() ? tail : held.joined(tail);
    held.clear();
    const answer = onLine(line, { byteOffset: lineStart, bytes, isEnded });
    lineStart += bytes + 1;
    return answer;
  }

  return {
    push(piece) {
      let start = 0;
      // Asked once for each place at which it stands, and not once a line.
      let hit = over?.find(piece, 0) ?? -1;
      for (;;) {
        const feed = piece.indexOf(LINE_FEED, start);
        if (feed === -1) break;
        if (hit !== -1 && hit < start) hit = over?.find(piece, start) ?? -1;
        if (over !== undefined && (hit === -1 || hit > feed) && held.isEmpty() && looksWhole(piece, start, feed) && feed - start <= maxLineBytes) {
          over.passed(feed - start);
          lineStart += feed - start + 1;
        } else if (release(piece.subarray(start, feed), true) === "enough") return "enough";
        start = feed + 1;
      }
      if (start < piece.length) held.add(piece.subarray(start));
      return "more";
    },
    end() {
      if (held.length() > 0) release(NO_BYTES, false);
    },
  };
}

/** Pieces from the end of the file towards its start. `size`: of the file, bytes; without it no place could be told. */
export function splitBackward(size: number, onLine: OnLine, { maxLineBytes = MAX_LINE_BYTES }: SplitOptions = {}): LineSplitter {
  const held = createHeld(maxLineBytes);
  /** First byte of what was pushed so far, and the end of the line that is being put together. */
  let pieceStart = size;
  let lineEnd = size;
  let isEnded = false;

  function release(head: Uint8Array): "more" | "enough" {
    const bytes = head.length + held.length();
    // Behind the last line feed of a file stands no line.
    const isNone = bytes === 0 && !isEnded;
    const line = bytes > maxLineBytes ? undefined : held.isEmpty() ? head : held.joinedBehind(head);
    held.clear();
    const place = { byteOffset: lineEnd - bytes, bytes, isEnded };
    lineEnd -= bytes + 1;
    isEnded = true;
    return isNone ? "more" : onLine(line, place);
  }

  return {
    push(piece) {
      pieceStart -= piece.length;
      let end = piece.length;
      while (end > 0) {
        const feed = piece.lastIndexOf(LINE_FEED, end - 1);
        if (feed === -1) break;
        if (release(piece.subarray(feed + 1, end)) === "enough") return "enough";
        end = feed;
      }
      if (end > 0) held.add(piece.subarray(0, end));
      return "more";
    },
    end() {
      if (held.length() > 0 || isEnded) release(NO_BYTES);
    },
  };
}

/** An object as far as its ends tell: enough for a line that nobody asked for. */
function looksWhole(piece: Uint8Array, start: number, end: number): boolean {
  const last = piece[end - 1] === CARRIAGE_RETURN ? piece[end - 2] : piece[end - 1];
  return piece[start] === OPEN && last === CLOSE && end > start + 1;
}

const CARRIAGE_RETURN = 0x0d;
const OPEN = 0x7b;
const CLOSE = 0x7d;

const NO_BYTES = new Uint8Array(0);

/** Parts of one line, in the order in which they were pushed. Beyond the limit only their length is kept. */
function createHeld(maxBytes: number) {
  let parts: Uint8Array[] = [];
  let total = 0;

  function join(all: readonly Uint8Array[]): Uint8Array {
    const joined = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of all) {
      joined.set(part, at);
      at += part.length;
    }
    return joined;
  }

  return {
    add(part: Uint8Array): void {
      total += part.length;
      if (total > maxBytes) parts = [];
      // Not `slice`: that of a Buffer is a view on what will be overwritten.
      else parts.push(new Uint8Array(part));
    },
    length: () => total,
    isEmpty: () => total === 0,
    joined: (tail: Uint8Array) => join([...parts, tail]),
    joinedBehind: (head: Uint8Array) => join([head, ...parts.toReversed()]),
    clear(): void {
      parts = [];
      total = 0;
    },
  };
}
