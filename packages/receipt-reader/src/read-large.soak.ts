/**
 * A log of 1 GB with one bad line, read by a process of its own, under 150 MB. Its speed is printed beside that of counting line feeds in the same
 * run, and is not judged: at 1 GB it was 0.32 of it. `CASEBOOK_SOAK_SHARE` (0 to 1) plays a part.
 */
import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { completed } from "./log.fixture.ts";

const SHARE = Number(process.env["CASEBOOK_SOAK_SHARE"] ?? 1);
const BYTES = Math.ceil(1_000_000_000 * SHARE);

it("reads a log of 1 GB in constant memory, and finds the one bad line in it", () => {
  const root = mkdtempSync(join(tmpdir(), "casebook-soak-"));
  try {
    const path = join(root, "receipts.jsonl");
    const file = openSync(path, "w");
    const block = Array.from({ length: 5_000 }, (_, index) => completed(`command-${index}`, index + 1)).join("");
    let lines = 0;
    for (let written = 0; written < BYTES; written += writeSync(file, block)) lines += 5_000;
    writeSync(file, `this is no record\n${block}`);
    closeSync(file);
    lines += 5_001;

    const run = (how: string) => {
      const program = fileURLToPath(new URL("../test/read-large.ts", import.meta.url));
      return JSON.parse(execFileSync(process.execPath, ["--import", "tsx", program, how, path], { encoding: "utf8" })) as { seconds: number; peakBytes: number; lines: number; damaged: number; health: string };
    };
    const [counted, key, every] = [run("count"), run("key"), run("every-line")];
    for (const [name, { seconds, peakBytes }] of Object.entries({ counted, key, every })) console.log(`${name}: ${seconds.toFixed(2)} s, ${Math.round(peakBytes / 1e6)} MB`);
    console.log(`key: ${(counted.seconds / key.seconds).toFixed(2)} of the speed of counting`);
    for (const reading of [key, every]) expect(reading).toMatchObject({ lines, damaged: 1, health: "corrupt" });
    for (const { peakBytes } of [key, every]) expect(peakBytes).toBeLessThan(150_000_000);
  } finally {
    rmSync(root, { recursive: true });
  }
}, 600_000);
