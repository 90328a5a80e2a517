/**
 * Reads JSONL as bytes, line by line, in memory that does not grow with the file. Says of every line what it is, and of every
 * damage where it is and how many good lines follow it. Reads as far as the file went when it began, so that a log which is
 * being written ends.
 */
import type { NotRead } from "../observation.ts";
import type { Tree, TreeStat } from "../tree.ts";
import { isSpent, type Budget } from "./budget.ts";
import { createLineBuffer } from "./line-buffer.ts";
import { createLineTally, type LineCounts, type LineEnd, type OnJsonLine } from "./line-tally.ts";
import { createNeedleSearch } from "./needle-search.ts";
import { notRead, refusedRead } from "./not-read.ts";
import { piecesOf } from "./pieces.ts";

/** A longer line is skipped and counted. Transcripts with pictures in them have lines of several MiB. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

export interface ScanOptions {
  /**
   * ASCII texts such as `"jobId"`; only lines that have one of them are parsed and handed out. The others are counted, and
   * judged by their first and last byte alone. A key that is written with an escape is not found: no known writer does so.
   */
  readonly needles?: readonly string[];
  readonly maxLineBytes?: number;
  /** Reads no further than this; the line that is cut by it is left out and is no damage. */
  readonly firstBytes?: number;
  readonly budget?: Budget;
}

export interface ScannedLines extends LineCounts {
  readonly outcome: "scanned";
  /** As it was when the reading began. */
  readonly stat: TreeStat;
  /** How far it was read. */
  readonly bytes: number;
  readonly reach: "whole" | "first-bytes";
}

export type JsonLinesScan = ScannedLines | { readonly outcome: "not-read"; readonly notRead: NotRead };

/**
 * Never rejects for what a tree refuses. After `not-read`, what was handed out is to be forgotten: the file was replaced or
 * shortened under the reader, or the time was up. See `collectJsonLines`, which does so and tries again.
 */
export async function scanJsonLines(
  tree: Tree,
  path: string,
  onLine: OnJsonLine,
  options: ScanOptions = {},
): Promise<JsonLinesScan> {
  try {
    return await scan(tree, path, onLine, options);
  } catch (refusal) {
    return { outcome: "not-read", notRead: refusedRead(path, refusal) };
  }
}

async function scan(tree: Tree, path: string, onLine: OnJsonLine, options: ScanOptions): Promise<JsonLinesScan> {
  const stat = await tree.stat(path);
  if (stat.kind !== "file") return refuse(path, "unsupported", "is no file");
  const wanted = Math.min(stat.size, options.firstBytes ?? stat.size);
  const maxLineBytes = options.maxLineBytes ?? MAX_LINE_BYTES;
  const tally = createLineTally(onLine, maxLineBytes, options.needles === undefined ? undefined : createNeedleSearch(options.needles, tree.findBytes));
  let head: Uint8Array | undefined;
  const held = createLineBuffer(maxLineBytes);
  let read = 0;

  const release = (end: LineEnd): void => {
    const length = held.length();
    const line = held.take();
    if (length > maxLineBytes) tally.tooLong(length, end);
    else tally.line(line, end);
  };

  for await (const piece of piecesOf(tree, path, wanted)) {
    if (isSpent(options.budget)) return refuse(path, "timed-out", `was read to byte ${read} of ${wanted} when the time was up`);
    head ??= new Uint8Array(piece.subarray(0, HEAD_BYTES));
    read += piece.length;
    let start = 0;
    if (held.length() > 0) {
      const end = piece.indexOf(LINE_FEED);
      held.add(piece.subarray(0, end === -1 ? piece.length : end));
      if (end === -1) continue;
      release("line-feed");
      start = end + 1;
    }
    start = tally.wholeLines(piece, start);
    if (start < piece.length) held.add(piece.subarray(start));
  }

  const after = await tree.stat(path);
  const grew = after.size > stat.size;
  const moved = after.size !== stat.size || after.modifiedAtMs !== stat.modifiedAtMs;
  if (read < wanted || after.size < stat.size || (moved && !(await beginsWith(tree, path, head)))) {
    return refuse(path, "unstable-input", "was shortened or replaced while it was read; run again when its writer is quiet");
  }
  const cut = wanted < stat.size;
  if (!cut && held.length() > 0) release(grew ? "growing" : "end-of-file");
  return { outcome: "scanned", stat, bytes: read, reach: cut ? "first-bytes" : "whole", ...tally.result() };
}

const LINE_FEED = 0x0a;

/** What has to be the same for a file that moved to count as appended to. */
const HEAD_BYTES = 4096;

async function beginsWith(tree: Tree, path: string, head: Uint8Array | undefined): Promise<boolean> {
  if (head === undefined) return true;
  const now = await tree.readRange(path, 0, head.length);
  return now.length === head.length && head.every((byte, index) => byte === now[index]);
}

function refuse(path: string, reason: NotRead["reason"], what: string): JsonLinesScan {
  return { outcome: "not-read", notRead: notRead(path, reason, `${path} ${what}`) };
}
