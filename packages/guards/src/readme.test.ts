/** Runs the watchdog that the README shows, as it stands there, and compares what it prints. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
/** What the package's name leads to; the folder of the snippet is outside of it. */
const SOURCE = new URL("index.ts", import.meta.url).href;
const readme = readFileSync(join(PACKAGE, "README.md"), "utf8").replaceAll("\r\n", "\n");

function fence(language: string): string {
  return new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(readme)?.[1] ?? "";
}

describe("the README", () => {
  it("shows a watchdog of a person's own, and what it prints", () => {
    const folder = mkdtempSync(join(tmpdir(), "casebook-readme-"));
    try {
      writeFileSync(join(folder, "watchdog.ts"), fence("ts").replace('"@casebook/guards"', JSON.stringify(SOURCE)));
      const { stdout, stderr } = spawnSync(process.execPath, ["--import", "tsx", join(folder, "watchdog.ts")], { cwd: PACKAGE, encoding: "utf8" });
      expect(stderr).toBe("");
      expect(stdout).toBe(fence("text"));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
