/** The command line as people and programs meet it: words in, text and an exit code out. */
import { describe, expect, it } from "vitest";
import { commandLine } from "./command-line.ts";
import { DOCUMENTS } from "./documents.ts";

const casebook = (...words: string[]) => commandLine(words);

describe("wrong words", () => {
  it.each([
    [["rnu", "001"], "casebook: unknown command 'rnu'\n(Did you mean run?)\nNothing was run. `casebook --help` lists the words.\n"],
    [["list", "--jsn"], "casebook: unknown option '--jsn'\n(Did you mean --json?)\nNothing was run. `casebook --help` lists the words.\n"],
    [["run"], "casebook: missing required argument 'id'\nNothing was run. `casebook --help` lists the words.\n"],
    [["run", "1"], 'casebook: no case "1". Did you mean 001? Known: 001, 002, 003, 004, 006, 007. Nothing was run.\n'],
    [["run", "001", "0O2"], 'casebook: no case "0O2". Did you mean 002? Known: 001, 002, 003, 004, 006, 007. Nothing was run.\n'],
    [
      ["run", "005"],
      'casebook: case 005 is planned ("One prompt becomes many sessions") and has no repro yet. ' +
        "It lands together with its public evidence; see incidents/reserved.json. Nothing was run.\n",
    ],
    [["test", "001", "--against", "borken"], 'casebook: --against knows `fixed` and `broken`, not "borken". Nothing was run.\n'],
    [
      ["explain", "registry/party"],
      'casebook: no guard "registry/party". Did you mean registry/parity? Nothing was run.\n',
    ],
  ])("%j: exit 2, what was meant, and nothing runs", async (words, said) => {
    expect(await casebook(...words)).toEqual({ exitCode: 2, stdout: "", stderr: said });
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
    expect(await casebook("--help")).toEqual(bare);
  });

  it("lists cases and planned numbers in one order", async () => {
    const { exitCode, stdout } = await casebook("list");
    const numbers = stdout.split("\n").flatMap((line) => /^\d{3}/.exec(line)?.[0] ?? []);
    expect([exitCode, numbers.length]).toEqual([0, 18]);
    expect(numbers).toEqual(numbers.toSorted());
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
  ] as const)("prints a %s document that its published schema accepts: %j", async (name, words) => {
    const { exitCode, stdout } = await casebook(...words);
    expect([exitCode, DOCUMENTS[name].safeParse(JSON.parse(stdout)).error]).toEqual([0, undefined]);
  });
});
