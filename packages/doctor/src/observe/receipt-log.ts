/**
 * Reads a log of command receipts as a whole: its newest generation, as far as it went when it was looked at, and again while somebody
 * writes at its end. Memory does not grow with the log, only with its keys, up to a limit.
 */
import { createSurvey, type LogSurvey, MAX_KEYS_FOLLOWED } from "@casebook/receipt-reader/judge";
import type { NotRead, ReceiptLogObservation } from "../observation.ts";
import type { ReceiptLogPattern } from "../preset.ts";
import { MAX_READ_ATTEMPTS, notRead, type ReadOptions, refusedRead } from "../read/index.ts";
import { lineNumbers } from "../read/line-numbers.ts";
import { piecesOf } from "../read/pieces.ts";
import { baseName, parentOf } from "../trees/index.ts";
import type { Tree } from "../tree.ts";

export interface ReceiptLogReading {
  readonly log: ReceiptLogObservation | undefined;
  /** Also what was read and says too little: no receipt at all, newer versions, more keys than are followed. */
  readonly notRead: readonly NotRead[];
}

/** Keys of one kind whose lines are looked up. */
const MAX_PLACES = 100;

/** Never rejects for what a tree refuses. */
export async function readReceiptLog(tree: Tree, given: string, { mayTakeMs }: ReceiptLogPattern, { pause }: ReadOptions): Promise<ReceiptLogReading> {
  let path = given;
  try {
    path = await newestGeneration(tree, given);
    for (let attempt = 1; attempt <= MAX_READ_ATTEMPTS; attempt += 1) {
      if (attempt > 1) await pause?.();
      const { size } = await tree.stat(path);
      const survey = await surveyed(tree, path, size);
      const isMoving = survey === undefined || ((survey.damage.counts.TORN_TAIL ?? 0) > 0 && (await tree.stat(path)).size !== size);
      if (isMoving) continue;
      return { log: { path, survey, mayTakeMs, lines: await lineNumbers(tree, path, offsetsOf(survey)) }, notRead: tooLittle(path, survey) };
    }
    const moved = `${path} changed during each of ${MAX_READ_ATTEMPTS} reads; run again when its writer is quiet`;
    return { log: undefined, notRead: [notRead(path, "unstable-input", moved)] };
  } catch (refusal) {
    return { log: undefined, notRead: [refusedRead(path, refusal)] };
  }
}

/** A repair leaves the log as it was, and writes what it could read to `receipts.jsonl.g000002` and so on. */
async function newestGeneration(tree: Tree, path: string): Promise<string> {
  const start = `${baseName(path)}.g`;
  const names = (await tree.list(parentOf(path))).map(({ name }) => name).filter((name) => name.startsWith(start) && /^\d{6}$/.test(name.slice(start.length)));
  const newest = names.toSorted().at(-1);
  return newest === undefined ? path : `${path}${newest.slice(baseName(path).length)}`;
}

/** Undefined: it was shortened meanwhile. */
async function surveyed(tree: Tree, path: string, size: number): Promise<LogSurvey | undefined> {
  const survey = createSurvey();
  let read = 0;
  // Of an empty one a byte is asked for as well, so that one that may not be read is told from it.
  for await (const piece of piecesOf(tree, path, Math.max(1, size))) {
    survey.push(piece);
    read += piece.length;
  }
  return read < size ? undefined : survey.end();
}

/** Of the lines that a finding may name. */
function offsetsOf({ damage, sequence, keys }: LogSurvey): number[] {
  const told = keys.filter(({ state, completed, actors, payloads, pendingBehindCompleted }) => state === "pending" || completed > 1 || actors + payloads > 2 || pendingBehindCompleted > 0);
  return [...damage.listed, ...sequence.gaps, ...sequence.repeated, ...sequence.backwards, ...told.slice(0, MAX_PLACES)].map(({ byteOffset }) => byteOffset);
}

function tooLittle(path: string, { receipts, recordsNotFollowed, searched }: LogSurvey): NotRead[] {
  const { lines, unsupported } = searched;
  const newer = `${unsupported} of ${lines} lines of ${path} are of a newer version, and what they say is not known here`;
  const none = lines === 0 ? `${path} is empty` : `none of the ${lines} lines of ${path} is a receipt in the shape that is known`;
  const beyond = `${recordsNotFollowed} receipts of ${path} are of more commands than the ${MAX_KEYS_FOLLOWED} that are followed`;
  return [
    ...(unsupported > 0 ? [notRead(path, "unsupported", newer)] : []),
    ...(receipts === 0 && unsupported < Math.max(1, lines) ? [notRead(path, lines === 0 ? "missing-input" : "unsupported", none)] : []),
    ...(recordsNotFollowed > 0 ? [notRead(path, "unsupported", beyond)] : []),
  ];
}
