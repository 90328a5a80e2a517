/** The repros as a stranger runs them: real processes, other folders, other zones and locales, a pipe that closes early. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readCatalog, readTemplate } from "../catalog/catalog.ts";
import { ROOT } from "../root.ts";
import { promisedOutputs } from "./markdown.ts";

const catalog = await readCatalog(ROOT);
const TSX = join(ROOT, "node_modules", "tsx", "dist", "esm", "index.mjs");

function node(file: string, words: readonly string[] = [], options: { cwd?: string; env?: Record<string, string> } = {}) {
  return spawnSync(process.execPath, ["--import", TSX, join(ROOT, file), ...words], {
    cwd: options.cwd ?? ROOT,
    encoding: "utf8",
    env: { ...process.env, ...options.env },
  });
}

/** Every file of the tree but the installed ones, with size and time: what a run must not change. */
function treeOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name === "node_modules" || entry.name === ".git") return [];
    if (entry.isDirectory()) return treeOf(path);
    const { size, mtimeMs } = statSync(path);
    return [`${path} ${size} ${mtimeMs}`];
  });
}

// `$number` would put quotes around it, and `-t "case 001"` would find nothing.
describe.each([...catalog.cases, await readTemplate(ROOT)].map(({ number, folder }) => [number, folder] as const))("the repro of case %s", (number, folder) => {
  const file = `${folder}/repro.ts`;
  const promised = promisedOutputs(readFileSync(join(ROOT, folder, "README.md"), "utf8"));

  it("prints the same bytes under another zone, another locale and from another folder, and writes nothing", () => {
    const before = treeOf(join(ROOT, "incidents"));
    const here = node(file);
    expect([here.status, here.stdout, here.stderr]).toEqual([0, promised.find(({ id }) => id === number)?.text, ""]);
    const elsewhere = node(file, ["--all", "--twice"], {
      cwd: tmpdir(),
      env: { TZ: "Asia/Kolkata", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" },
    });
    const all = promised.find(({ id }) => id === `${number}-all`)?.text ?? "";
    expect(elsewhere.stdout.replace(/^twice: .*\n/m, "")).toBe(all);
    expect(elsewhere.status).toBe(0);
    expect(treeOf(join(ROOT, "incidents"))).toEqual(before);
  });

  it("refuses an unknown argument with exit 2 and runs nothing", () => {
    const { status, stdout, stderr } = node(file, ["--al"]);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toBe(`case ${number}: unknown argument "--al". Known: --all, --json, --twice. Nothing was run.\n`);
  });
});

describe("a pipe that closes early", () => {
  it.each([
    ["packages/cli/src/main.ts", "list"],
    ["packages/cli/src/main.ts", "run 001 --all"],
  ])("is no error: %s %s", (file, words) => {
    const command = `"${process.execPath}" --import "${TSX}" "${join(ROOT, file)}" ${words} | true; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", command], { cwd: ROOT, encoding: "utf8" });
    expect([stdout, stderr]).toEqual(["0\n", ""]);
  });
});

describe("npx tsx", () => {
  it("runs a case from its own folder", () => {
    const { status, stdout } = spawnSync("npx", ["--no-install", "tsx", "repro.ts"], {
      cwd: join(ROOT, catalog.cases[0]?.folder ?? ""),
      encoding: "utf8",
    });
    expect([status, stdout.trimEnd().split("\n").at(-1)]).toEqual([0, "repro: OK - mechanism demonstrated"]);
  });
});

describe("an answer that cannot be written", () => {
  it.each([
    ["packages/cli/src/main.ts", "list --json", "casebook: the answer could not be written (ENOSPC).\n"],
    [`${catalog.cases[0]?.folder}/repro.ts`, "", "the answer could not be written (ENOSPC).\n"],
  ])("is no verdict and no stack: %s %s", (file, words, said) => {
    const command = `"${process.execPath}" --import "${TSX}" "${join(ROOT, file)}" ${words} > /dev/full`;
    const { status, stderr } = spawnSync("bash", ["--norc", "-c", command], { cwd: ROOT, encoding: "utf8" });
    expect([status, stderr]).toEqual([3, said]);
  });
});

describe("changesets", () => {
  it("accepts the configuration, so that CONTRIBUTING's command works", () => {
    const { status, stdout, stderr } = spawnSync(join(ROOT, "node_modules/.bin/changeset"), ["status", "--since=HEAD"], { cwd: ROOT, encoding: "utf8" });
    // "No changesets" is an answer; a configuration that it refuses is not.
    expect(`${stdout}${stderr}`).not.toContain("ValidationError");
    expect(status).toBeLessThanOrEqual(1);
  });
});
