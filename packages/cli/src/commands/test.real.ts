/** `casebook test` as a process: it starts a test runner of its own. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readResultDocument } from "@casebook/verdict";
import { describe, expect, it } from "vitest";
import { readCatalog } from "../catalog/catalog.ts";
import { fences } from "../house/markdown.ts";
import { ROOT } from "../root.ts";

function casebook(...words: string[]) {
  return spawnSync(process.execPath, ["--import", "tsx", join(ROOT, "packages/cli/src/main.ts"), ...words], {
    cwd: ROOT,
    encoding: "utf8",
  });
}

describe("casebook test", () => {
  it.each([
    ["fixed", ["001 4/4", "002 4/4", "003 6/6", "006 7/7", "007 5/5"], 0],
    ["broken", ["001 2/4", "002 1/4", "003 2/6", "006 2/7", "007 2/5"], 1],
  ])("counts the guard tests of every case against %s", async (against, firstCases, exit) => {
    const { status, stdout } = casebook("test", "--against", against);
    const counts = [...stdout.matchAll(/^(?:(\d{3}) )?(\d+)\/(\d+) passed$/gm)].map(([, number, passed, all]) => ({ number, passed: Number(passed), all: Number(all) }));
    const perCase = counts.slice(0, -1);
    // Every case that there is, each with its own counts; the first ones with the counts that they have had from the beginning.
    expect(perCase.map(({ number }) => number)).toEqual((await readCatalog(ROOT)).cases.map(({ number }) => number));
    expect(perCase.map(({ number, passed, all }) => `${number} ${passed}/${all}`)).toEqual(expect.arrayContaining(firstCases));
    expect(perCase.filter(({ passed, all }) => (against === "fixed" ? passed !== all : passed === all))).toEqual([]);
    const sum = (key: "passed" | "all") => perCase.reduce((total, one) => total + one[key], 0);
    expect(counts.at(-1)).toEqual({ number: undefined, passed: sum("passed"), all: sum("all") });
    expect(status).toBe(exit);
  });

  it("prints the result document of the verdict package under --json", async () => {
    const { status, stdout } = casebook("test", "001", "--json", "--against", "broken");
    const read = await readResultDocument(stdout);
    expect(read).toMatchObject({ document: { tally: { planned: 4, passed: 2, failed: 2, notRun: 0 } } });
    expect(status).toBe(1);
  });

  it("tries the rules of a suite, by rule and fault, against the reference and against what is known to be wrong", () => {
    const suite = casebook("test", "--suite", "receipts");
    const rows = [...suite.stdout.matchAll(/^PASS {5}(RC\d\d) {2}.+$/gm)].map(([, id]) => id);
    expect([suite.status, new Set(rows).size, suite.stdout.split("\n").at(-2)]).toEqual([0, 12, `${rows.length}/${rows.length} passed`]);
    const { status, stdout } = casebook("test", "--suite", "receipts", "--against", "glue");
    const broken = [...stdout.matchAll(/^FAIL {5}(RC\d\d)/gm)].map(([, id]) => id);
    expect([status, [...new Set(broken)]]).toEqual([1, ["RC06", "RC10"]]);
    // What the page shows of each is the end of what was printed, or a part of it.
    const page = readFileSync(join(ROOT, "docs/receipts.md"), "utf8");
    const shown = (name: string) => fences(page).find((fence) => fence.name === name)?.text ?? "no such fence";
    expect(suite.stdout.endsWith(shown("reference")), shown("reference")).toBe(true);
    expect(stdout).toContain(shown("glue"));
  });
});
