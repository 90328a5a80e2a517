/** `version-packages` in a copy of this tree: changesets become versions and changelogs, and everything that names the version follows. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { releaseProblems } from "../../../../scripts/check-release.mjs";
import { fences } from "./markdown.ts";
import { ROOT } from "../root.ts";
import { copyTree } from "./copy-tree.ts";

const tree = copyTree();
afterAll(() => rmSync(tree, { recursive: true, force: true }));

/** Only against a hang: a whole test runner works inside this one, and the machine may be busy. */
const FOUR_MINUTES = 240_000;
const read = (path: string) => readFileSync(join(tree, path), "utf8");
const manifest = (folder: string) => JSON.parse(read(`packages/${folder}/package.json`)) as { version: string; private?: boolean };
const pending = () => readdirSync(join(tree, ".changeset")).filter((name) => name.endsWith(".md"));
const sh = (command: string) => {
  const { status, stdout, stderr } = spawnSync("sh", ["-c", command], { cwd: tree, encoding: "utf8", env: { ...process.env, NO_COLOR: "1" } });
  return { status, output: `${stdout}${stderr}` };
};

it("turns changesets into one new version everywhere, with a changelog, and leaves nothing stale", () => {
  const [typed = "exit 99"] = fences(read("CONTRIBUTING.md")).map(({ text }) => text.trim()).filter((text) => text.endsWith("version-packages"));
  writeFileSync(join(tree, ".changeset/one-more.md"), '---\n"casebook": minor\n"@casebook/guards": patch\n---\n\nA change that only this test knows.\n');
  const before = manifest("cli").version;
  // Changesets names the commit of each change, so there has to be one.
  const author = "-c user.name=tree -c user.email=tree@example.org -c commit.gpgsign=false";
  expect(sh(`git init -q -b main && git add -A && git ${author} commit -q -m "the tree"`)).toEqual({ status: 0, output: "" });
  expect(releaseProblems(tree, `v${before}`).join("\n")).toContain("one-more.md");

  const said = sh(typed);
  expect([said.status, said.output]).toEqual([0, expect.stringContaining("wrote CITATION.cff")]);

  const [major = 0, minor = 0] = before.split(".").map(Number);
  const after = `${major}.${minor + 1}.0`;
  expect(readdirSync(join(tree, "packages")).map((folder) => [folder, manifest(folder).version])).toEqual(readdirSync(join(tree, "packages")).map((folder) => [folder, after]));
  expect(read("CITATION.cff")).toContain(`\nversion: ${after}\n`);
  expect(pending()).toEqual([]);
  for (const folder of ["cli", "guards"]) expect(read(`packages/${folder}/CHANGELOG.md`)).toContain("A change that only this test knows.");
  expect(read("packages/cli/CHANGELOG.md")).toMatch(new RegExp(`^# casebook\n\n## ${after.replaceAll(".", "\\.")}\n\n### Minor Changes\n`));
  expect(existsSync(join(tree, "packages/verdict/CHANGELOG.md"))).toBe(true);

  // What is left is an address, which nobody may guess.
  expect(releaseProblems(tree, `v${after}`).filter((problem) => !problem.includes("repository"))).toEqual([]);
  const tests = sh("node_modules/.bin/vitest run packages/cli/src/house/cases.test.ts packages/cli/src/house/docs.test.ts packages/cli/src/house/citation.test.ts -t \"generated blocks|fence|link|CITATION\"");
  expect([tests.status, tests.output.split("\n").filter((line) => line.startsWith("FAIL"))]).toEqual([0, []]);
  expect(ROOT).not.toBe(tree);
}, FOUR_MINUTES);
