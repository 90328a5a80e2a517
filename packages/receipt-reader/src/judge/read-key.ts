/**
 * Reads what a log says about one key, from bytes that come in pieces, from either end. Memory: one line of at most `maxLineBytes`, the
 * found record, and a bounded list of damage. Models logs whose newest record of a key counts; what stands on the disk is not its business.
 */
import type { KeyReading } from "./key-reading.ts";
import { createKeyTally, type KeyTallyOptions } from "./key-tally.ts";
import { type ReaderPolicies, REFERENCE_READER } from "./reader-policies.ts";
import { splitBackward, splitForward, type SplitOptions } from "./split-lines.ts";

export type ReadKeyOptions = KeyTallyOptions & SplitOptions;

export interface KeyReader {
  /** In which order it wants its pieces. */
  readonly direction: "forward" | "backward";
  push(piece: Uint8Array): "more" | "enough";
  /** `growing`: the file is longer by now, so that its last line may not have been written to its end. A reading from the end has to know before. */
  end(how?: "growing"): KeyReading;
}

/** The direction in which a policy reads. */
export function directionOf({ reader }: ReaderPolicies): KeyReader["direction"] {
  return reader === "report-health" || reader === "backward-tolerant" ? "backward" : "forward";
}

/** Pieces in the order of the file. Reads all of it. */
export function createForwardReader(key: string, options: ReadKeyOptions = {}): KeyReader {
  const tally = createKeyTally(key, "forward", options);
  const lines = splitForward(tally.line, options, tally.over);
  let isDone = false;
  return {
    direction: "forward",
    push(piece) {
      if (!isDone && lines.push(piece) === "enough") isDone = true;
      return isDone ? "enough" : "more";
    },
    end(how) {
      if (how === "growing") tally.expectGrowth();
      if (!isDone) lines.end();
      return tally.result();
    },
  };
}

/** Pieces from the end of the file towards its start; `size`: of the file, bytes. Has enough at the newest record of the key. */
export function createBackwardReader(key: string, size: number, options: ReadKeyOptions & { readonly how?: "growing" | undefined } = {}): KeyReader {
  const tally = createKeyTally(key, "backward", options);
  if (options.how === "growing") tally.expectGrowth();
  const lines = splitBackward(size, tally.line, options);
  let isDone = false;
  return {
    direction: "backward",
    push(piece) {
      if (!isDone && lines.push(piece) === "enough") isDone = true;
      return isDone ? "enough" : "more";
    },
    end() {
      if (!isDone) lines.end();
      return tally.result();
    },
  };
}

/** All bytes at once, for those who have them. */
export function readKey(bytes: Uint8Array, key: string, options: ReadKeyOptions = {}): KeyReading {
  const isForward = directionOf(options.policies ?? REFERENCE_READER) === "forward";
  const reader = isForward ? createForwardReader(key, options) : createBackwardReader(key, bytes.length, options);
  reader.push(bytes);
  return reader.end();
}
