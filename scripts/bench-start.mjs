/**
 * What case 001 costs to start, as ratios taken in one run: against a file that imports the same three libraries
 * and against an empty file. Prints and judges nothing. Usage: node scripts/bench-start.mjs [rounds]
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const rounds = Number(process.argv[2] ?? 11);
const root = fileURLToPath(new URL("..", import.meta.url));
const inCases = join(root, "incidents");
// Inside `incidents`, so that the libraries resolve as they do for a case.
const folder = mkdtempSync(join(inCases, ".bench-"));
try {
  const empty = join(folder, "empty.ts");
  const libraries = join(folder, "libraries.ts");
  writeFileSync(empty, "export {};\n");
  // By address, because the libraries are not all dependencies of the cases; loaded as ES modules, as a case loads them.
  const from = (owner, path) => JSON.stringify(pathToFileURL(join(root, "packages", owner, "node_modules", path)).href);
  writeFileSync(
    libraries,
    `import { createClock } from ${from("sim", "@sinonjs/fake-timers/src/fake-timers-src.js")};
import { Volume } from "memfs";
import * as z from ${from("registry", "zod/index.js")};
Volume.fromJSON({ "/a": "1" }).readFileSync("/a");
createClock(0);
z.object({ a: z.number() }).parse({ a: 1 });
`,
  );
  const files = {
    "case 001": join(inCases, "001-one-bad-entry-kills-the-scheduler", "repro.ts"),
    "three libraries": libraries,
    "empty file": empty,
  };
  const times = Object.fromEntries(Object.keys(files).map((name) => [name, []]));
  for (let round = -1; round < rounds; round += 1) {
    for (const [name, file] of Object.entries(files)) {
      const started = process.hrtime.bigint();
      const { status, stderr } = spawnSync(process.execPath, ["--import", "tsx", file], { cwd: root, encoding: "utf8" });
      if (status !== 0) throw new Error(`${name} exited ${status}: ${stderr}`);
      // The first round fills the caches and is not counted.
      if (round >= 0) times[name].push(Number(process.hrtime.bigint() - started) / 1e6);
    }
  }
  const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
  const base = median(times["case 001"]);
  process.stdout.write(`node --import tsx, median of ${rounds} starts, Node ${process.version}\n`);
  for (const [name, values] of Object.entries(times)) {
    process.stdout.write(`${name.padEnd(16)} ${median(values).toFixed(0).padStart(5)} ms   case 001 is ${(base / median(values)).toFixed(2)} x\n`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
