/**
 * Finds a few needles in much text. A tree may bring a search of the machine's own, which is fast where a needle begins with a
 * byte that is rare in the text; so it is asked for the part of the needle that begins with its rarest, by a sample of the text.
 * Without one Horspool's search does it. Which way was taken never shows in what is found.
 */
import { createByteSearch, type ByteSearch } from "./byte-search.ts";

/** The first offset at or after `from` at which the needle stands, or -1. */
export type FindBytes = (bytes: Uint8Array, needle: Uint8Array, from: number) => number;

export interface NeedleSearch {
  /** One for each needle: the best for text like this piece, and right for any. */
  searchesFor(piece: Uint8Array): readonly ByteSearch[];
  /** Whether one of the needles is in a line that lay across pieces. */
  isIn(line: Uint8Array): boolean;
}

/** Below this a sample costs more than it saves. */
const MIN_SAMPLED_BYTES = 16 * 1024;

/** A file goes on as it began, for the most part. */
const PIECES_A_SAMPLE = 16;

/** A prime, so that it falls into step with no pattern of the text. */
const SAMPLE_STEP = 251;

/** Long enough to be rare itself. Node looks for up to seven bytes from first byte to first byte, and for more at every byte. */
const MIN_PART_BYTES = 4;
const MAX_PART_BYTES = 7;

/** The needles are ASCII and not empty. */
export function createNeedleSearch(texts: readonly string[], find?: FindBytes): NeedleSearch {
  const needles = texts.map((text) => Uint8Array.from(text, (character) => character.charCodeAt(0)));
  let searches: readonly ByteSearch[] = texts.map(createByteSearch);
  let pieces = 0;

  function searchesFor(piece: Uint8Array): readonly ByteSearch[] {
    if (find === undefined || piece.length < MIN_SAMPLED_BYTES) return searches;
    if (pieces % PIECES_A_SAMPLE === 0) searches = sampled(piece, find);
    pieces += 1;
    return searches;
  }

  function sampled(piece: Uint8Array, find: FindBytes): readonly ByteSearch[] {
    const counts = new Uint32Array(256);
    for (let at = 0; at < piece.length; at += SAMPLE_STEP) counts[piece[at] as number] = (counts[piece[at] as number] as number) + 1;
    return needles.map((needle) => partSearch(needle, rarestOf(needle, counts), find));
  }

  return { searchesFor, isIn: (line) => searches.some((search) => search(line, 0) !== -1) };
}

/** Where in the needle its rarest byte is, of those with enough behind them. */
function rarestOf(needle: Uint8Array, counts: Uint32Array): number {
  let rarest = 0;
  for (let index = 1; index <= needle.length - MIN_PART_BYTES; index += 1) {
    if ((counts[needle[index] as number] as number) < (counts[needle[rarest] as number] as number)) rarest = index;
  }
  return rarest;
}

function partSearch(needle: Uint8Array, partAt: number, find: FindBytes): ByteSearch {
  const part = needle.slice(partAt, partAt + MAX_PART_BYTES);
  return (bytes, from) => {
    for (let at = find(bytes, part, from + partAt); at !== -1; at = find(bytes, part, at + 1)) {
      if (standsAt(bytes, at - partAt, needle)) return at - partAt;
    }
    return -1;
  };
}

function standsAt(bytes: Uint8Array, start: number, needle: Uint8Array): boolean {
  for (let index = 0; index < needle.length; index += 1) if (bytes[start + index] !== needle[index]) return false;
  return true;
}
