/** `casebook test` as a process: it starts a test runner of its own. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { readResultDocument } from "@casebook/verdict";
import { describe, expect, it } from "vitest";
import { ROOT } from "../root.ts";

function casebook(...words: string[]) {
  return spawnSync(process.execPath, ["--import", "tsx", join(ROOT, "packages/cli/src/main.ts"), ...words], {
    cwd: ROOT,
    encoding: "utf8",
  });
}

describe("casebook test", () => {
  it.each([
    ["fixed", "001 4/4 passed", "002 4/4 passed", "007 5/5 passed", "13/13 passed", 0],
    ["broken", "001 2/4 passed", "002 1/4 passed", "007 2/5 passed", "5/13 passed", 1],
  ])("counts the guard tests of every case against %s", (against, first, second, third, all, exit) => {
    const { status, stdout } = casebook("test", "--against", against);
    expect(stdout.split("\n").filter((line) => /^(\d{3} )?\d+\/\d+ passed$/.test(line))).toEqual([first, second, third, all]);
    expect(status).toBe(exit);
  });

  it("prints the result document of the verdict package under --json", async () => {
    const { status, stdout } = casebook("test", "001", "--json", "--against", "broken");
    const read = await readResultDocument(stdout);
    expect(read).toMatchObject({ document: { tally: { planned: 4, passed: 2, failed: 2, notRun: 0 } } });
    expect(status).toBe(1);
  });
});
