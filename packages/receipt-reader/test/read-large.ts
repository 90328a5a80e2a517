/**
 * A program of its own: reads a file in pieces and prints what it found, how long that took and how much memory it had. `count`: counts
 * line feeds, for comparison. `key`: reads one key that stands nowhere, passing over lines of others. `every-line`: judges every line.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { createForwardReader } from "@casebook/receipt-reader/judge";

const [, , how, path = ""] = process.argv;
const file = openSync(path, "r");
const { size } = fstatSync(file);
const piece = Buffer.allocUnsafe(1024 * 1024);
const find = (bytes: Uint8Array, needle: Uint8Array, from: number): number => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(needle, from);
const reader = createForwardReader("the-key-of-nobody", how === "key" ? { findBytes: find } : {});
const fromMs = performance.now();
let lines = 0;
for (let at = 0; at < size; ) {
  const taken = readSync(file, piece, 0, piece.length, at);
  const bytes = piece.subarray(0, taken);
  at += taken;
  if (how !== "count") reader.push(bytes);
  else for (let feed = bytes.indexOf(10); feed !== -1; feed = bytes.indexOf(10, feed + 1)) lines += 1;
}
closeSync(file);
const reading = reader.end();
const seconds = (performance.now() - fromMs) / 1000;
console.log(JSON.stringify({ seconds, peakBytes: process.resourceUsage().maxRSS * 1024, lines: how === "count" ? lines : reading.searched?.lines, damaged: reading.damage.lines, health: reading.health }));
