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
    ["fixed", ["001 4/4", "002 4/4", "003 6/6", "004 7/7", "006 7/7", "007 5/5", "33/33"], 0],
    ["broken", ["001 2/4", "002 1/4", "003 2/6", "004 3/7", "006 2/7", "007 2/5", "12/33"], 1],
  ])("counts the guard tests of every case against %s", (against, counts, exit) => {
    const { status, stdout } = casebook("test", "--against", against);
    expect(stdout.split("\n").filter((line) => /^(\d{3} )?\d+\/\d+ passed$/.test(line))).toEqual(counts.map((count) => `${count} passed`));
    expect(status).toBe(exit);
  });

  it("prints the result document of the verdict package under --json", async () => {
    const { status, stdout } = casebook("test", "001", "--json", "--against", "broken");
    const read = await readResultDocument(stdout);
    expect(read).toMatchObject({ document: { tally: { planned: 4, passed: 2, failed: 2, notRun: 0 } } });
    expect(status).toBe(1);
  });
});
