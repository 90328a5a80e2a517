/**
 * More sequences of disk operations on the simulated and on a real disk than every commit has time for, and proof of
 * what they reached. `CASEBOOK_SOAK_SHARE` (0 to 1) plays a part of them and does not ask what it reached.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Disk } from "@casebook/ports";
import { diskSequences } from "@casebook/ports/contract";
import { nodeDisk } from "@casebook/ports/node";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createWorld } from "./index.ts";

const SHARE = Number(process.env["CASEBOOK_SOAK_SHARE"] ?? 1);
const SEQUENCES = Math.ceil(4_000 * SHARE);
const SEED = 20260301;

let base = "";
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "casebook-sim-"));
});
afterAll(() => rm(base, { recursive: true }));

it("answers generated sequences as a real directory does, each operation with each of its answers", { timeout: 3_600_000 }, async () => {
  const reached = new Map<string, Set<string>>();
  const onAnswer = (step: { readonly do: string }, answer: string): void => {
    const answers = reached.get(step.do) ?? new Set<string>();
    reached.set(step.do, answers.add(/^[A-Z_]+(?=:)/.exec(answer)?.[0] ?? "an answer"));
  };
  const suite = diskSequences({ seed: SEED, sequences: SEQUENCES, stepsPerSequence: 40, makeOracle: realDirectory, onAnswer });
  await suite.run(async () => createWorld({ seed: 1, epoch: "2026-03-01T00:00:00Z" }).ports.disk);
  console.log(`${SEQUENCES} sequences from seed ${SEED}`);
  if (SHARE < 1) return;
  const inOrder = [...reached].sort().map(([operation, answers]) => `${operation}: ${[...answers].sort().join(" ")}`);
  expect(inOrder).toEqual([
    "close: EBADF an answer",
    "fstat: EBADF an answer",
    "mkdir: EEXIST EINVAL ENAMETOOLONG ENOENT ENOTDIR ERR_INVALID_ARG_VALUE an answer",
    "open: EEXIST EINVAL EISDIR ENAMETOOLONG ENOENT ENOTDIR ERR_INVALID_ARG_VALUE an answer",
    "read: EBADF EISDIR ERR_OUT_OF_RANGE an answer",
    "readdir: EINVAL ENAMETOOLONG ENOENT ENOTDIR ERR_INVALID_ARG_VALUE an answer",
    "rename: EBUSY EINVAL EISDIR ENAMETOOLONG ENOENT ENOTDIR ENOTEMPTY ERR_INVALID_ARG_VALUE an answer",
    "rmdir: EBUSY EINVAL ENAMETOOLONG ENOENT ENOTDIR ENOTEMPTY ERR_INVALID_ARG_VALUE an answer",
    "stat: EINVAL ENAMETOOLONG ENOENT ENOTDIR ERR_INVALID_ARG_VALUE an answer",
    "sync: EBADF an answer",
    "syncDirectory: EINVAL ENAMETOOLONG ENOENT ENOTDIR ERR_INVALID_ARG_VALUE an answer",
    "truncate: EBADF EINVAL ERR_OUT_OF_RANGE an answer",
    "unlink: EINVAL EISDIR ENAMETOOLONG ENOENT ENOTDIR ERR_INVALID_ARG_VALUE an answer",
    "write: EBADF ERR_OUT_OF_RANGE an answer",
  ]);
});

/** One at a time: only the directory of the last sequence is kept. */
let last: string | undefined;
async function realDirectory(): Promise<Disk> {
  if (last !== undefined) await rm(last, { recursive: true });
  last = await mkdtemp(join(base, "disk-"));
  return nodeDisk(last);
}
