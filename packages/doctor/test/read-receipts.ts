/** A program of its own: reads a log of receipts as the doctor does, or counts its line feeds, and prints how long that took and how much memory it had. */
import { closeSync, openSync, readSync } from "node:fs";
import { diskTree } from "../src/node/disk-tree.ts";
import { readReceiptLog } from "../src/observe/receipt-log.ts";

const [, , how, path = ""] = process.argv;
const fromMs = performance.now();
const found = how === "count" ? { lines: count() } : await read();
const seconds = (performance.now() - fromMs) / 1000;
// Of Linux and macOS this is told in different units; the soak runs on Linux.
console.log(JSON.stringify({ ...found, seconds, peakBytes: process.resourceUsage().maxRSS * 1024 }));

async function read() {
  const { log, notRead } = await readReceiptLog(diskTree(), path, { glob: path, mayTakeMs: 1 }, {});
  const survey = log?.survey;
  return { lines: survey?.searched.lines, damaged: survey?.damage.listed.map(({ byteOffset }) => log?.lines.get(byteOffset)), keys: survey?.keys.length, notRead: notRead.length };
}

function count(): number {
  const file = openSync(path, "r");
  const piece = Buffer.allocUnsafe(1024 * 1024);
  let lines = 0;
  for (;;) {
    const taken = readSync(file, piece, 0, piece.length, null);
    if (taken === 0) break;
    const bytes = piece.subarray(0, taken);
    for (let feed = bytes.indexOf(10); feed !== -1; feed = bytes.indexOf(10, feed + 1)) lines += 1;
  }
  closeSync(file);
  return lines;
}
