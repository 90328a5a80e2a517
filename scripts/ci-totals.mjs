/** Adds up the closing lines of the tiers in a log. Usage: node scripts/ci-totals.mjs LOG EXIT… (one exit code a tier). */
import { readFileSync } from "node:fs";

const [, , path, ...exits] = process.argv;
const lines = readFileSync(path, "utf8").split("\n").map((line) => line.trimEnd());
const closing = lines.flatMap((line) => {
  const [, passed, failed] = /^(\d+) passed, (\d+) failed(?:, \d+ skipped)?$/.exec(line) ?? [];
  return passed === undefined ? [] : [{ passed: Number(passed), failed: Number(failed) }];
});
const notRun = lines.filter((line) => /^not run: \d+/.test(line));

const passed = closing.reduce((sum, tier) => sum + tier.passed, 0);
let failed = closing.reduce((sum, tier) => sum + tier.failed, 0);
const broken = exits.map(Number).filter((code) => code !== 0 && code !== 3).length;
const silent = Math.max(0, exits.length - closing.length);
// A tier that broke without a failure in its line, or that died before it, counts as one.
if (failed === 0) failed = Math.max(broken, silent);

process.stdout.write(`\n${notRun.length === 0 ? "not run: unknown, no tier said" : notRun.join("; ")}\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
// Something planned that was not run is no failure and no pass either: CI has no verdict, and says so by 3.
process.exitCode = failed > 0 || passed === 0 ? 1 : exits.includes("3") ? 3 : 0;
