/**
 * Figures of reading much: a folder tree of 100,000 files, 20,000 session files, 2 GB of JSONL. Prints them; holds the scan to half the
 * speed of `wc -l` on the same file in the same run, with needles and without, and memory to 300 MB. `CASEBOOK_SOAK_SHARE` (0 to 1) plays a part of it, which
 * proves counts and memory and is too small to judge a speed by.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readJsonFile } from "../read/json-file.ts";
import { readMany } from "../read/read-many.ts";
import { scanJsonLines } from "../read/scan-json-lines.ts";
import { walk } from "../read/walk.ts";
import { diskTree } from "./disk-tree.ts";

const GIGABYTE = 1_000_000_000;
const SHARE = shareOf(process.env["CASEBOOK_SOAK_SHARE"]);
const FOLDERS = Math.ceil(100 * SHARE);
const LOG_BYTES = Math.ceil(2 * GIGABYTE * SHARE);
/** A disk takes its time over 100,000 files. */
const CLEAN_UP_MS = 600_000;
const tree = diskTree();
let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "casebook-soak-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }), CLEAN_UP_MS);

function shareOf(word: string | undefined): number {
  const share = Number(word ?? 1);
  if (!(share > 0 && share <= 1)) throw new Error(`SOAK_SHARE_INVALID: CASEBOOK_SOAK_SHARE is ${word}. Give a number above 0 and up to 1.`);
  return share;
}

const seconds = async (work: () => Promise<unknown> | unknown): Promise<number> => {
  const fromMs = performance.now();
  await work();
  return (performance.now() - fromMs) / 1000;
};

it(`walks ${FOLDERS * 1000} files and reads ${FOLDERS * 200} session files`, async () => {
  for (let folder = 0; folder < FOLDERS; folder += 1) {
    mkdirSync(join(root, `w${folder}`));
    for (let file = 0; file < 1000; file += 1) {
      const session = file < 200 ? JSON.stringify({ scheduledTaskId: `t${file}`, permissionMode: "plan", pad: "x".repeat(2000) }) : "";
      writeFileSync(join(root, `w${folder}`, file < 200 ? `local_${file}.json` : `other_${file}`), session);
    }
  }
  let paths: string[] = [];
  const walking = await seconds(async () => {
    const { found, capped } = await walk(tree, [root], ["*/local_*.json", "**/scheduled-tasks.json"]);
    expect(capped).toEqual([]);
    paths = found.map(({ path }) => path);
  });
  let read = 0;
  const reading = await seconds(async () => {
    const { answers } = await readMany(paths, (path) => readJsonFile(tree, path));
    read = answers.filter(({ outcome }) => outcome === "read").length;
  });
  console.log(`walked ${FOLDERS * 1000} files in ${walking.toFixed(2)} s, read ${FOLDERS * 200} session files in ${reading.toFixed(2)} s`);
  expect([paths.length, read]).toEqual([FOLDERS * 200, FOLDERS * 200]);
}, 600_000);

it(`scans ${LOG_BYTES / GIGABYTE} GB of JSONL in constant memory${SHARE === 1 ? ", at half the speed of wc -l or better" : ""}`, async (context) => {
  if (spawnSync("wc", ["--version"]).error !== undefined) return context.skip("NOT RUN (missing-dependency): wc is not installed");
  const path = join(root, "log.jsonl");
  const lines = write(path, LOG_BYTES);
  const size = statSync(path).size;
  const speeds = { wc: 0, count: 0, "1 needle": 0, "2 needles": 0, "3 needles": 0 };
  const note = (name: keyof typeof speeds, took: number) => void (speeds[name] = Math.max(speeds[name], size / 1e6 / took));
  // The best of three each, one after the other, so that a busy machine slows all of them.
  for (let round = 0; round < 3; round += 1) {
    note("wc", await seconds(() => execFileSync("wc", ["-l", path])));
    // A needle that is nowhere, of a letter that is nowhere, costs next to nothing: this is the search for line feeds.
    note("count", await seconds(() => scan(path, lines, ["\x01".repeat(200)], 0)));
    note("1 needle", await seconds(() => scan(path, lines, NEEDLES.slice(0, 1), lines / HIT_EVERY)));
    note("2 needles", await seconds(() => scan(path, lines, NEEDLES.slice(0, 2), lines / HIT_EVERY)));
    note("3 needles", await seconds(() => scan(path, lines, NEEDLES, lines / HIT_EVERY)));
  }
  const megabytes = process.memoryUsage.rss() / 1e6;
  const shown = Object.entries(speeds).map(([name, speed]) => `${name} ${speed.toFixed(0)} MB/s (${(speed / speeds.wc).toFixed(2)})`);
  console.log(`${(size / 1e9).toFixed(1)} GB, ${lines} lines: ${shown.join(", ")}; ${megabytes.toFixed(0)} MB of memory`);
  expect(megabytes).toBeLessThan(300);
  if (SHARE < 1) return;
  for (const [name, speed] of Object.entries(speeds)) expect(speed, name).toBeGreaterThan(speeds.wc / 2);
}, 600_000);

const NEEDLES = ['"scheduledTaskId"', '<scheduled-task name="', '"jobId"'];

/** Lines, of which one has a needle: about three in a hundred. */
const HIT_EVERY = 40;

async function scan(path: string, lines: number, needles: readonly string[], parsed: number): Promise<void> {
  const answer = await scanJsonLines(tree, path, () => undefined, { needles });
  expect(answer).toMatchObject({ outcome: "scanned", lines, parsed, damagedLines: 0 });
}

const SAID =
  "The run began at nine in the morning. I looked at the inbox, took the first three messages and wrote a summary for the team.\n" +
  "To be sure that nothing was lost, the tests were started again: 41 passed, 2 were skipped.\nconst total = rows.reduce((sum, row) => sum + row.count, 0);\n";

/** Lines as transcripts have them: most of 500 to 4,000 bytes, one in five up to 24,000, one in twenty up to 200,000. */
function write(path: string, size: number): number {
  const block = Array.from({ length: 1000 }, (_, index) => {
    const step = (index * 7919) % 1000;
    const length = step < 750 ? 300 + step * 5 : step < 950 ? 4_000 + (step - 750) * 100 : 50_000 + (step - 950) * 3_000;
    const hit = index % HIT_EVERY === 0 ? { scheduledTaskId: `t${index}`, jobId: `t${index}` } : {};
    const text = SAID.repeat(Math.ceil(length / SAID.length)).slice(0, length);
    return JSON.stringify({ type: "assistant", ...hit, uuid: `u${index}`, timestamp: "2026-09-01T00:00:00.000Z", text });
  }).join("\n");
  const bytes = Buffer.from(`${block}\n`);
  const file = openSync(path, "w");
  let written = 0;
  let lines = 0;
  while (written < size) {
    written += writeSync(file, bytes);
    lines += 1000;
  }
  closeSync(file);
  return lines;
}
