/** docs/watchdog.md by somebody who types what stands there: packs the guards, installs them outside the clone, asks one. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { fences } from "../house/markdown.ts";
import { ROOT } from "../root.ts";
import { runAlone, UNREACHABLE, usable } from "./packed-copy.fixture.ts";

const page = fences(readFileSync(join(ROOT, "docs/watchdog.md"), "utf8"));
const typed = page.find(({ language }) => language === "sh")?.text.trimEnd().split("\n") ?? [];
/** What the set-up leaves in npm's cache, this empty home has to fetch: without a question. */
const PNPM_IS_THERE = { npm_config_yes: "true" };

it("gets the guards into a folder of one's own as the page says, where its watchdog finds what was lost", async (context) => {
  // The fixture has typed the first line, and a second build would take `dist` from under the other tests.
  usable(inject("packed"), context);
  expect(typed[0]).toMatch(/ build$/);
  const home = realpathSync(mkdtempSync(join(tmpdir(), "casebook-watchdog-")));
  try {
    for (const line of typed.slice(1)) {
      const { exitCode, stdout, stderr } = await runAlone({ command: "sh", words: ["-c", line], cwd: ROOT, home, env: PNPM_IS_THERE });
      if (exitCode !== 0 && UNREACHABLE.test(stdout + stderr)) context.skip(`NOT RUN (missing-dependency): ${stderr}${stdout}`);
      expect([line, exitCode, stderr + stdout]).toEqual([line, 0, expect.any(String)]);
    }
    const folder = join(home, "watchdog");
    writeFileSync(join(folder, "watchdog.mjs"), page.find(({ language }) => language === "js")?.text ?? "");
    for (const task of ["mail", "digest", "backup"]) mkdirSync(join(home, "scheduler", "tasks", task), { recursive: true });
    writeFileSync(join(home, "scheduler", "loaded.json"), "[]");
    const said = await runAlone({ command: process.execPath, words: [join(folder, "watchdog.mjs"), join(home, "scheduler")], cwd: home, home });
    expect(said).toEqual({ exitCode: 1, stdout: page.find(({ name }) => name === "broken")?.text, stderr: "" });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
