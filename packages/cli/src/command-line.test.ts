/** The command line as people and programs meet it: words in, text and an exit code out. */
import { describe, expect, it } from "vitest";
import { readCatalog } from "./catalog/catalog.ts";
import { commandLine } from "./command-line.ts";
import { DOCUMENTS } from "./documents.ts";
import { ROOT } from "./root.ts";

const { cases, planned } = await readCatalog(ROOT);
// A new case, and a promised one that arrives, change what is known; no test has to be edited for it.
const KNOWN = `Known: ${cases.map(({ number }) => number).join(", ")}.`;
const [PLANNED] = planned;

const casebook = (...words: string[]) => commandLine(words);

describe("wrong words", () => {
  it.each([
    [["rnu", "001"], "casebook: unknown command 'rnu'\n(Did you mean run?)\nNothing was run. `casebook --help` lists the words.\n"],
    [["list", "--jsn"], "casebook: unknown option '--jsn'\n(Did you mean --json?)\nNothing was run. `casebook --help` lists the words.\n"],
    [["run"], "casebook: missing required argument 'id'\nNothing was run. `casebook --help` lists the words.\n"],
    [["run", "1"], `casebook: no case "1". Did you mean 001? ${KNOWN} Nothing was run.\n`],
    [["run", "001", "0O2"], `casebook: no case "0O2". Did you mean 002? ${KNOWN} Nothing was run.\n`],
    [["test", "001", "--against", "borken"], 'casebook: --against knows `fixed` and `broken`, not "borken". Nothing was run.\n'],
    [["test", "--suite", "recipts"], 'casebook: There is no suite "recipts". The suites are: dispatch, receipts, termination. Nothing was run.\n'],
    [["test", "001", "--suite", "receipts"], "casebook: A suite is of rules, and no case is part of it; 001 goes without --suite. Nothing was run.\n"],
    [
      ["test", "--suite", "receipts", "--against", "broken"],
      "casebook: --against knows `fixed` in the suite receipts, and what is known to be wrong: backward-tolerant, forward-first, catch-all-empty, " +
        "unknown-version-as-absent, bare-zero, truncate-at-damage, complete-torn, glue, acknowledge-before-sync, sequence-from-memory, key-only; " +
        'not "broken". Nothing was run.\n',
    ],
    [
      ["explain", "registry/party"],
      'casebook: no guard "registry/party". Did you mean registry/parity? Nothing was run.\n',
    ],
  ])("%j: exit 2, what was meant, and nothing runs", async (words, said) => {
    expect(await casebook(...words)).toEqual({ exitCode: 2, stdout: "", stderr: said });
  });

  it.skipIf(PLANNED === undefined)("include the number of a case that is only planned", async () => {
    expect(await casebook("run", PLANNED?.number ?? "")).toEqual({
      exitCode: 2,
      stdout: "",
      stderr:
        `casebook: case ${PLANNED?.number} is planned (${JSON.stringify(PLANNED?.title)}) and has no repro yet. ` +
        "It lands together with its public evidence; see incidents/reserved.json. Nothing was run.\n",
    });
  });

  it.each([
    ["run", "999", "--json"],
    ["run", "--json"],
    ["list", "--bogus", "--json"],
    ["rnu", "--json"],
    ["test", "001", "--against", "both", "--json"],
  ])("answer one JSON document on stdout under --json as well: %s %s %s", async (...words) => {
    const { exitCode, stdout } = await casebook(...words);
    expect([exitCode, DOCUMENTS.error.parse(JSON.parse(stdout)).error.code]).toEqual([2, "USAGE"]);
  });
});

describe("casebook", () => {
  it("prints its help and exits 0 without a word, and says the same for --help", async () => {
    const bare = await casebook();
    expect([bare.exitCode, bare.stderr]).toEqual([0, ""]);
    expect(bare.stdout).toContain("casebook run 001\n");
    expect(bare.stdout).toContain('casebook report --repro 001 --outcome "not reproduced"\n');
    expect(bare.stdout).toContain("casebook new incident a-lock-that-nobody-removes\n");
    expect(await casebook("--help")).toEqual(bare);
  });

  it("lists cases and planned numbers in one order", async () => {
    const { exitCode, stdout } = await casebook("list");
    const numbers = stdout.split("\n").flatMap((line) => /^\d{3}/.exec(line)?.[0] ?? []);
    expect(exitCode).toBe(0);
    expect(numbers.length).toBeGreaterThanOrEqual(18);
    expect(numbers).toEqual([...cases, ...planned].map(({ number }) => number).toSorted());
  });

  it("plays a case and ends with its verdict", async () => {
    const { exitCode, stdout } = await casebook("run", "001");
    expect(exitCode).toBe(0);
    expect(stdout.split("\n").slice(0, 1)).toEqual([
      "mode=all-or-nothing  on_disk=6 loaded=0 fired=0 dropped=6 alarm=none (SILENT)",
    ]);
    expect(stdout).toMatch(/\nrepro: OK - mechanism demonstrated\n$/);
  });

  it("passes --all and --twice on", async () => {
    const { runs } = DOCUMENTS.run.parse(JSON.parse((await casebook("run", "001", "--all", "--twice", "--json")).stdout));
    expect(runs.map(({ modes, twice }) => [modes.length, twice])).toEqual([[6, 6]]);
    const plain = DOCUMENTS.run.parse(JSON.parse((await casebook("run", "001", "--json")).stdout));
    expect(plain.runs.map(({ modes, twice }) => [modes.length, twice])).toEqual([[3, undefined]]);
  });

  it("says its version, and help in three spellings", async () => {
    expect((await casebook("--version")).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await casebook("help")).exitCode).toBe(0);
    expect((await casebook("run", "--help")).stdout).toContain("--twice");
  });

  it("refuses an option that a report has once and that was given twice, instead of taking the last", async () => {
    const { exitCode, stdout, stderr } = await casebook("report", "--repro", "001", "--repro", "002", "--outcome", "reproduced");
    expect([exitCode, stdout, stderr]).toEqual([
      2,
      "",
      'casebook: --repro was given twice, "001" and "002"; one report is of one case. Give it once. Nothing was run.\n',
    ]);
  });

  it("finds a guard by the second half of its id", async () => {
    expect((await casebook("explain", "parity")).stdout).toContain("guard registry/parity (alarm)");
  });

  it("explains a guard from the guard's own metadata", async () => {
    expect((await casebook("explain", "registry/parity")).stdout).toBe(
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
    ["report", ["report", "--repro", "001", "--outcome", "reproduced", "--json"]],
  ] as const)("prints a %s document that its published schema accepts: %j", async (name, words) => {
    const { exitCode, stdout } = await casebook(...words);
    expect([exitCode, DOCUMENTS[name].safeParse(JSON.parse(stdout)).error]).toEqual([0, undefined]);
  });
});
