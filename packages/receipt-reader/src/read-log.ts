/**
 * Reads a receipt log from a disk: what it says about one key, or what it is like as a whole. Changes nothing. Reads as far as the file went
 * when it was opened, and again when it was shortened or when a record was being written at its end.
 */
import { type Disk, type DiskFile, errorCode } from "@casebook/ports";
import { createBackwardReader, createForwardReader, directionOf } from "./judge/read-key.ts";
import type { KeyReading } from "./judge/key-reading.ts";
import { isKey, MAX_KEY_LENGTH } from "./judge/receipt.ts";
import { type ReaderPolicies, REFERENCE_READER } from "./judge/reader-policies.ts";
import { createSurvey, type LogSurvey } from "./judge/survey.ts";
import { currentGeneration, type Generation } from "./generation.ts";
import { type LogProblem, logProblem, refusedBy } from "./log-problem.ts";
import { pushPieces } from "./pieces.ts";

/** How often a file that changed under the reader is read again. */
export const MAX_READ_ATTEMPTS = 3;

export type LogRead<T> =
  | {
      readonly outcome: "read";
      readonly value: T;
      readonly generation: Generation;
      /** No file is an empty log, and told from one that is there. */
      readonly file: "present" | "missing";
    }
  | ({ readonly outcome: "not-read" } & LogProblem);

/** Never rejects for what a disk refuses. */
export async function readReceipts(ports: { readonly disk: Disk }, path: string, key: string, policies: ReaderPolicies = REFERENCE_READER): Promise<LogRead<KeyReading>> {
  const { length } = key;
  if (!isKey(key)) {
    const text = `a key has 1 to ${MAX_KEY_LENGTH} characters, and this one has ${length}. No log can hold it, so that nothing was looked up. Give the key of the command`;
    return { outcome: "not-read", ...logProblem("RECEIPT_INVALID", text) };
  }
  return readLog(ports.disk, path, async (file, size, how) => {
    const reader = directionOf(policies) === "forward" ? createForwardReader(key, { policies }) : createBackwardReader(key, size, { policies, how });
    const ended = await pushPieces(file, size, reader.direction, reader.push);
    if (ended === "shorter") return { again: "shorter" };
    const value = reader.end(how);
    return { value, again: value.tail === "torn" ? "may-grow" : "no" };
  });
}

export function surveyReceipts(ports: { readonly disk: Disk }, path: string): Promise<LogRead<LogSurvey>> {
  return readLog(ports.disk, path, async (file, size, how) => {
    const survey = createSurvey();
    const ended = await pushPieces(file, size, "forward", (piece) => (survey.push(piece), "more"));
    if (ended === "shorter") return { again: "shorter" };
    const value = survey.end(how);
    return { value, again: value.tail === "torn" ? "may-grow" : "no" };
  });
}

type Attempt<T> = { readonly value: T; readonly again: "no" | "may-grow" } | { readonly again: "shorter" };

async function readLog<T>(disk: Disk, path: string, read: (file: DiskFile, size: number, how: "growing" | undefined) => Promise<Attempt<T>>): Promise<LogRead<T>> {
  let at = path;
  try {
    const generation = await currentGeneration(disk, path);
    at = generation.path;
    let grew = false;
    for (let attempt = 1; attempt <= MAX_READ_ATTEMPTS; attempt += 1) {
      const file = await openIfThere(disk, at);
      if (file === undefined) return { outcome: "read", value: await ofNothing(read), generation, file: "missing" };
      try {
        const stat = await file.stat();
        if (stat.kind === "directory") return { outcome: "not-read", ...logProblem("LOG_IS_DIRECTORY", `${at} is a directory, where a log should be. Give the path of a file`) };
        const done = await read(file, stat.size, grew ? "growing" : undefined);
        if (done.again === "shorter") continue;
        const isSettled = done.again === "no" || grew || (await file.stat()).size === stat.size;
        if (isSettled) return { outcome: "read", value: done.value, generation, file: "present" };
        // Its end was not written to its end; once more, and then what is torn is somebody's who is still writing.
        grew = true;
      } finally {
        await file.close();
      }
    }
    return { outcome: "not-read", ...logProblem("LOG_UNSTABLE", `${at} was shortened during each of ${MAX_READ_ATTEMPTS} readings. Read again when its writer is quiet`) };
  } catch (refusal) {
    return { outcome: "not-read", ...refusedBy(refusal, at, "read") };
  }
}

async function openIfThere(disk: Disk, path: string): Promise<DiskFile | undefined> {
  try {
    return await disk.open(path, "r");
  } catch (refusal) {
    if (errorCode(refusal) === "ENOENT") return undefined;
    throw refusal;
  }
}

const EMPTY_FILE = { read: () => Promise.resolve(new Uint8Array(0)) } as unknown as DiskFile;

async function ofNothing<T>(read: (file: DiskFile, size: number, how: undefined) => Promise<Attempt<T>>): Promise<T> {
  const done = await read(EMPTY_FILE, 0, undefined);
  if (!("value" in done)) throw new Error("a file of no bytes was shorter than that");
  return done.value;
}
