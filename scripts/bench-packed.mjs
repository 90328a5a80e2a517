/**
 * What `--help` and `list` of the packed command line cost, as ratios to the start of bare Node, each start of it paired with one
 * of Node right before. Prints and judges nothing. Usage: pnpm build, then node scripts/bench-packed.mjs [rounds]
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const rounds = Number(process.argv[2] ?? 21);
const main = join(fileURLToPath(new URL("..", import.meta.url)), "packages", "cli", "dist", "main.js");
if (!existsSync(main)) throw new Error(`there is no ${main}. Run \`pnpm build\` first.`);

function started(words) {
  const before = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
  if (status !== 0) throw new Error(`node ${words.join(" ")} exited ${status}: ${stderr}`);
  return Number(process.hrtime.bigint() - before) / 1e6;
}

const sorted = (values) => values.toSorted((a, b) => a - b);
const median = (values) => sorted(values)[Math.floor(values.length / 2)];

process.stdout.write(`median of ${rounds} pairs, Node ${process.version}\n`);
for (const word of ["--help", "list"]) {
  const pairs = [];
  // The first round fills the caches and is not counted.
  for (let round = -1; round < rounds; round += 1) {
    const bare = started(["-e", "0"]);
    const ours = started([main, word]);
    if (round >= 0) pairs.push({ bare, ours });
  }
  const ratios = pairs.map(({ bare, ours }) => ours / bare);
  const ms = (key) => `${median(pairs.map((pair) => pair[key])).toFixed(0)} ms`;
  process.stdout.write(`${word.padEnd(8)} ${median(ratios).toFixed(2)} x (${sorted(ratios)[0].toFixed(2)} to ${sorted(ratios).at(-1).toFixed(2)})   ${ms("ours")}, bare Node ${ms("bare")}\n`);
}
