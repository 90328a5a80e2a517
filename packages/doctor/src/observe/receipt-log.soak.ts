/**
 * A log of 1 GB of receipts, no two of which are equal, of a thousand commands and with one bad line, read by the doctor in a process of
 * its own: every line is judged, in memory that does not grow with the log. Prints how that compares with counting line feeds, and judges no
 * speed: how fast one key is read is held by the receipt reader's own soak. `CASEBOOK_SOAK_SHARE` (0 to 1) plays a part of it.
 */
import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MAX_KEYS_FOLLOWED } from "@casebook/receipt-reader/judge";
import { expect, it } from "vitest";
import { memoryTree } from "../trees/index.ts";
import { readReceiptLog } from "./receipt-log.ts";

const SHARE = Number(process.env["CASEBOOK_SOAK_SHARE"] ?? 1);
const BYTES = Math.ceil(1_000_000_000 * SHARE);
const KEYS = 1_000;
/** The program itself, with what compiles it, has about 100 MB. */
const MAX_BYTES = 200_000_000;

interface Read {
  readonly seconds: number;
  readonly peakBytes: number;
  readonly lines: number;
}

it("reads a log of 1 GB in constant memory, and names the line of what cannot be read", () => {
  const root = mkdtempSync(join(tmpdir(), "casebook-soak-"));
  try {
    const peaks = [BYTES / 4, BYTES].map((size) => {
      const path = join(root, `receipts-${size}.jsonl`);
      const lines = write(path, size);
      const run = (how: string) => JSON.parse(execFileSync(process.execPath, ["--import", "tsx", fileURLToPath(new URL("../../test/read-receipts.ts", import.meta.url)), how, path], { encoding: "utf8" })) as Read;
      const [counted, read] = [run("count"), run("read")];
      const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
      console.log(`${megabytes(size)}, ${lines} lines: counted in ${counted.seconds.toFixed(2)} s, read in ${read.seconds.toFixed(1)} s (${(counted.seconds / read.seconds).toFixed(3)}), ${megabytes(read.peakBytes)} of memory`);
      expect(read).toMatchObject({ lines, damaged: [lines - 1], keys: KEYS, notRead: 0 });
      return read.peakBytes;
    });
    for (const peak of peaks) expect(peak).toBeLessThan(MAX_BYTES);
  } finally {
    rmSync(root, { recursive: true });
  }
}, 900_000);

it("says of a log with more commands than it follows how much it did not follow", async () => {
  const receipt = (seq: number) => `${JSON.stringify({ schema: 1, seq, epoch: 1, key: `k${seq}`, state: "completed", command: "", task: "", revision: "", actor: "", payload: "", reason: "", atMs: 1 })}\n`;
  const text = Array.from({ length: MAX_KEYS_FOLLOWED + 3 }, (_, index) => receipt(index + 1)).join("");
  const { log, notRead } = await readReceiptLog(memoryTree({ "/log": text }), "/log", { glob: "/log", mayTakeMs: 1 }, {});
  expect([log?.survey.keys.length, notRead.map(({ message }) => message)]).toEqual([MAX_KEYS_FOLLOWED, ["3 receipts of /log are of more commands than the 100000 that are followed"]]);
});

/** How many lines it has; the last but one is none. */
function write(path: string, size: number): number {
  const file = openSync(path, "w");
  let seq = 0;
  const receipt = (): string => {
    seq += 1;
    const key = `command-${Math.ceil(seq / 2) % KEYS}`;
    const state = seq % 2 === 1 ? "pending" : "completed";
    return `${JSON.stringify({ schema: 1, seq, epoch: 1, key, state, command: "start", task: "nightly-digest", revision: "r1", actor: "a1", payload: key, reason: state === "completed" ? "done" : "", atMs: 1_788_000_000_000 + seq })}\n`;
  };
  for (let written = 0; written < size; ) written += writeSync(file, Array.from({ length: 5_000 }, receipt).join(""));
  writeSync(file, `this is no record\n${receipt()}`);
  closeSync(file);
  return seq + 1;
}
