/** The command line as people and programs meet it: words in, text and an exit code out. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { readResultDocument } from "@casebook/verdict";
import { describe, expect, it } from "vitest";
import { DOCUMENTS } from "./documents.ts";
import { ROOT } from "./root.ts";

function casebook(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", "tsx", join(ROOT, "packages/cli/src/main.ts"), ...words],
    { cwd: ROOT, encoding: "utf8" },
  );
  return { status, stdout, stderr };
}

describe("wrong words", () => {
  it.each([
    [["rnu", "001"], "casebook: unknown command 'rnu'\n(Did you mean run?)\nNothing was run.\n"],
    [["list", "--jsn"], "casebook: unknown option '--jsn'\n(Did you mean --json?)\nNothing was run.\n"],
    [["run"], "casebook: missing required argument 'id'\nNothing was run.\n"],
    [["run", "1"], 'casebook: no case "1". Did you mean 001? Known: 001, 002, 007. Nothing was run.\n'],
    [["run", "001", "0O2"], 'casebook: no case "0O2". Known: 001, 002, 007. Nothing was run.\n'],
    [
      ["run", "004"],
      'casebook: case 004 is planned ("A missing BOM kills the scheduled script") and has no repro yet. ' +
        "It lands together with its public evidence; see incidents/reserved.json. Nothing was run.\n",
    ],
    [["test", "001", "--against", "borken"], 'casebook: --against knows `fixed` and `broken`, not "borken". Nothing was run.\n'],
    [
      ["explain", "registry/party"],
      'casebook: no guard "registry/party". Known: registry/lookup-shape, registry/parity, slot/disabled-fired, ' +
        "slot/duplicate, slot/invisible-fire, slot/wrong-slot. Nothing was run.\n",
    ],
  ])("%j: exit 2, what was meant, and nothing runs", (words, said) => {
    expect(casebook(...words)).toEqual({ status: 2, stdout: "", stderr: said });
  });

  it("answer one JSON document on stdout under --json as well", () => {
    const { status, stdout } = casebook("run", "999", "--json");
    expect([status, DOCUMENTS.error.parse(JSON.parse(stdout)).error.code]).toEqual([2, "USAGE"]);
  });
});

describe("casebook", () => {
  it("prints its help and exits 0 without a word, and says the same for --help", () => {
    const bare = casebook();
    expect([bare.status, bare.stderr]).toEqual([0, ""]);
    expect(bare.stdout).toContain("casebook run 001\n");
    expect(casebook("--help")).toEqual(bare);
  });

  it("lists cases and planned numbers in one order", () => {
    const { status, stdout } = casebook("list");
    const numbers = stdout.split("\n").flatMap((line) => /^\d{3}/.exec(line)?.[0] ?? []);
    expect([status, numbers.length]).toEqual([0, 18]);
    expect(numbers).toEqual(numbers.toSorted());
  });

  it("plays a case and ends with its verdict", () => {
    const { status, stdout } = casebook("run", "001");
    expect(status).toBe(0);
    expect(stdout.split("\n").slice(0, 1)).toEqual([
      "mode=all-or-nothing  on_disk=6 loaded=0 fired=0 dropped=6 alarm=none (SILENT)",
    ]);
    expect(stdout).toMatch(/\nrepro: OK - mechanism demonstrated\n$/);
  });

  it("explains a guard from the guard's own metadata", () => {
    expect(casebook("explain", "registry/parity").stdout).toBe(
      [
        "guard registry/parity (alarm)",
        "",
        "The number of loaded tasks is not the number of tasks on disk.",
        "",
        "needs  tasks on disk, counted without the loader; tasks loaded; tasks quarantined",
        "case   001   casebook run 001",
        "",
      ].join("\n"),
    );
  });

  it.each([
    ["list", ["list", "--json"]],
    ["run", ["run", "001", "007", "--json", "--all"]],
    ["explain", ["explain", "002", "--json"]],
    ["explain", ["explain", "slot/duplicate", "--json"]],
  ] as const)("prints a %s document that its published schema accepts: %j", (name, words) => {
    const { status, stdout } = casebook(...words);
    expect([status, DOCUMENTS[name].safeParse(JSON.parse(stdout)).error]).toEqual([0, undefined]);
  });
});

describe("casebook test", () => {
  it.each([
    ["fixed", "001 4/4 passed", "002 4/4 passed", "007 5/5 passed", "13/13 passed", 0],
    ["broken", "001 2/4 passed", "002 1/4 passed", "007 2/5 passed", "5/13 passed", 1],
  ])("counts the guard tests of every case against %s", (against, first, second, third, all, exit) => {
    const { status, stdout } = casebook("test", "--against", against);
    expect(stdout.split("\n").filter((line) => line.endsWith(" passed"))).toEqual([first, second, third, all]);
    expect(status).toBe(exit);
  });

  it("prints the result document of the verdict package under --json", async () => {
    const { status, stdout } = casebook("test", "001", "--json", "--against", "broken");
    const read = await readResultDocument(stdout);
    expect(read).toMatchObject({ document: { tally: { planned: 4, passed: 2, failed: 2, notRun: 0 } } });
    expect(status).toBe(1);
  });
});
