/** Runs the watchdog of docs/watchdog.md as it stands there: on a scheduler that is well, one that lost everything, one nobody can judge. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { guardsAbout } from "../commands/explain.ts";
import { ROOT } from "../root.ts";
import { fences } from "./markdown.ts";

const page = readFileSync(join(ROOT, "docs/watchdog.md"), "utf8");
const GUARDS = pathToFileURL(join(ROOT, "packages/guards/src/index.ts")).href;

it.each([
  ["healthy", ["mail", "digest", "backup"], 0],
  ["broken", [], 1],
  ["not-run", { tasks: [] }, 3],
] as const)("the watchdog of docs/watchdog.md says what the page shows: %s", (name, loaded, exitCode) => {
  const folder = mkdtempSync(join(tmpdir(), "casebook-watchdog-"));
  try {
    for (const task of ["mail", "digest", "backup"]) mkdirSync(join(folder, "tasks", task), { recursive: true });
    writeFileSync(join(folder, "loaded.json"), JSON.stringify(loaded));
    const code = fences(page).find(({ language }) => language === "js")?.text ?? "";
    writeFileSync(join(folder, "watchdog.mts"), code.replace('"@casebook/guards"', JSON.stringify(GUARDS)));
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", "tsx", join(folder, "watchdog.mts"), folder], { cwd: ROOT, encoding: "utf8" });
    expect([stderr, stdout, status]).toEqual(["", fences(page).find((fence) => fence.name === name)?.text, exitCode]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it("names only guards that there are", () => {
  const named = [...page.matchAll(/\[`([\w-]+\/[\w-]+)`\]/g)].map(([, id]) => id);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((id) => !guardsAbout().some((about) => about.id === id))).toEqual([]);
});
