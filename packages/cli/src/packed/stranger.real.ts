/** The packed command line in an empty folder on a machine that has no clone: the commands of the first hour. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { GUARD_IDS } from "@casebook/doctor";
import { describe, expect, inject, it, type TestContext } from "vitest";
import { commandLine } from "../command-line.ts";
import { DOCUMENTS } from "../documents.ts";
import { VERSION } from "../version.ts";
import { runAlone, type Said, usable } from "./packed-copy.fixture.ts";

const ADDRESSLESS = "the repository you found casebook in";

function npx(context: TestContext, ...words: string[]): Promise<Said> {
  const { stranger, home } = usable(inject("packed"), context);
  return runAlone({ command: "npx", words: ["--offline", "casebook", ...words], cwd: stranger, home });
}

/** The same without npx, which costs half a second each time. */
function casebook(context: TestContext, ...words: string[]): Promise<Said> {
  const { stranger, home } = usable(inject("packed"), context);
  const main = join(stranger, "node_modules", "casebook", "dist", "main.js");
  return runAlone({ command: process.execPath, words: [main, ...words], cwd: stranger, home });
}

describe("npx casebook, installed from its tarball", () => {
  it("says its version", async (context) => {
    expect(await npx(context, "--version")).toEqual({ exitCode: 0, stdout: `${VERSION}\n`, stderr: "" });
  });

  it.for(["run 001", "list", "run 999"])("answers `%s` as a clone does", async (words, context) => {
    expect(await npx(context, ...words.split(" "))).toEqual(await commandLine(words.split(" ")));
  });

  it.for(["run 001 003 --all --twice", "run 007 --json", "explain registry/parity", "explain 01"])("answers `%s` as a clone does, without npx as well", async (words, context) => {
    expect(await casebook(context, ...words.split(" "))).toEqual(await commandLine(words.split(" ")));
  });

  it("searches and replays as a clone does, but for the hash of the code in its tokens", async (context) => {
    const words = ["explore", "005", "--system", "look-then-claim", "--faults", "none"];
    const [there, here] = [await casebook(context, ...words), await commandLine(words)];
    const withoutToken = (text: string) => text.replace(/casebook-1\.\S+/, "TOKEN");
    expect([there.exitCode, there.stderr, withoutToken(there.stdout)]).toEqual([0, "", withoutToken(here.stdout)]);
    const [token = ""] = /casebook-1\.\S+/.exec(here.stdout) ?? [];
    const again = await casebook(context, "replay", token);
    expect([again.exitCode, again.stdout]).toEqual([1, (await commandLine(["replay", token])).stdout]);
    expect(again.stderr).toMatch(/^casebook: the token was made from other code of the case \([0-9a-f]{8}, here [0-9a-f]{8}; a packed copy and a clone count as two\); the trace is the same\.\n$/);
  });

  it("looks at a machine without agents and finds nothing to judge, which is no verdict", async (context) => {
    const { exitCode, stdout, stderr } = await npx(context, "doctor");
    expect([exitCode, stderr]).toEqual([3, ""]);
    expect(stdout).toMatch(/^casebook doctor {3}last 24 h /);
    expect(stdout).toMatch(/\nplanned 0, passed 0, failed 0, not run 0\n$/);
  });

  it("shows that every guard can be believed, those of the cases on the disks of the packed repros", async (context) => {
    const { exitCode, stdout, stderr } = await casebook(context, "doctor", "--self-test");
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("alarmed on case 002 mode=broken and on claude-desktop: two sessions of one slot, silent on their twins\n");
    expect(stdout.endsWith(`\nplanned ${GUARD_IDS.length}, passed ${GUARD_IDS.length}, failed 0, not run 0\n`)).toBe(true);
  });

  it("explains a case, and says what of its page needs a clone", async (context) => {
    const there = await npx(context, "explain", "001");
    const here = await commandLine(["explain", "001"]);
    const [heading = "", ...rest] = here.stdout.replace("casebook test 001 --against broken\n", "").split("\n");
    const note =
      "> From a packed copy: `npx casebook run 001` plays this case here, and with `--all` its further scenes. " +
      `What this page says of \`npx tsx incidents/…\`, \`casebook test\` and files of the tree needs a clone of ${ADDRESSLESS}.`;
    expect(there).toEqual({ exitCode: 0, stdout: [heading, "", note, ...rest].join("\n"), stderr: "" });
  });

  it("refuses what needs a clone, and says why and what to do", async (context) => {
    const said =
      "`casebook test` needs a clone, and this is a packed copy: it carries the repros and the pages of the cases, not their sources and tests. " +
      `Clone ${ADDRESSLESS} and type it there. Here you can \`casebook list\`, \`run\`, \`explore\`, \`replay\`, \`explain\`, \`report\` and \`doctor\`.`;
    expect(await npx(context, "test", "001")).toEqual({ exitCode: 2, stdout: "", stderr: `casebook: ${said} Nothing was run.\n` });
    const { exitCode, stdout } = await casebook(context, "test", "001", "--json");
    expect([exitCode, JSON.parse(stdout)]).toEqual([2, { schemaVersion: 1, error: { code: "USAGE", message: said } }]);
    expect((await casebook(context, "new", "incident", "a-stamp-that-lies")).stderr).toBe(`casebook: ${said.replace("casebook test", "casebook new")} Nothing was run.\n`);
  });

  it("makes a report of a case, by the hash of the file that it ran, and without the home folder", async (context) => {
    const { stranger, home } = usable(inject("packed"), context);
    const words = ["report", "--repro", "001", "--outcome", "reproduced", "--note", `seen in ${home}/tasks`, "--json"];
    const { exitCode, stdout, stderr } = await casebook(context, ...words);
    const { block, verdict } = DOCUMENTS.report.parse(JSON.parse(stdout));
    const folder = JSON.parse((await casebook(context, "list", "--json")).stdout).cases[0].folder as string;
    const hash = createHash("sha256").update(readFileSync(join(stranger, "node_modules", "casebook", folder, "repro.js"))).digest("hex");
    expect([exitCode, stderr, verdict]).toEqual([0, "", "OK"]);
    expect(block).toContain(`| code | repro.js sha-256 ${hash} |`);
    expect(block).toContain((await commandLine(["run", "001"])).stdout);
    expect(block).toContain("> seen in ~/tasks\n");
    expect(stdout).not.toContain(home);
  });

  it("sends nobody to a file that is not there: a planned case", async (context) => {
    const { planned } = JSON.parse((await casebook(context, "list", "--json")).stdout) as { planned: { number: string }[] };
    // None is left while every promised number has its case; a number that nobody promised is answered with those that there are.
    expect((await casebook(context, "run", "999")).stderr).toMatch(/no case "999"\..* Known: 001, .* Nothing was run\.\n$/);
    for (const { number } of planned) expect((await casebook(context, "run", number)).stderr).toMatch(/It lands together with its public evidence\. Nothing was run\.\n$/);
  });

  it("marks in its help what needs a clone, and gives no example of it", async (context) => {
    const { exitCode, stdout, stderr } = await casebook(context, "--help");
    const here = await commandLine(["--help"]);
    // Where a line is folded depends on the mark.
    const unfolded = (text: string) => text.replace(/\s+/g, " ");
    const examples = ["casebook test 001 --against broken ", "casebook new incident a-lock-that-nobody-removes "];
    const withoutExamples = examples.reduce((text, example) => text.replace(example, ""), unfolded(here.stdout));
    expect([exitCode, stderr, unfolded(stdout).replaceAll(" (in a clone only)", "")]).toEqual([0, "", withoutExamples]);
    expect(unfolded(stdout).match(/(?:test|new) [^()]*\(in a clone only\)/g)).toHaveLength(2);
  });

  it("prints its documents with the folders of the package", async (context) => {
    const { cases } = JSON.parse((await casebook(context, "list", "--json")).stdout) as { cases: { number: string; folder: string }[] };
    const here = JSON.parse((await commandLine(["list", "--json"])).stdout) as { cases: { number: string; folder: string }[] };
    expect(cases).toEqual(here.cases.map((item) => ({ ...item, folder: item.folder.replace("incidents/", "dist/cases/") })));
  });
});

describe("a packed repro", () => {
  it("runs alone, with bare Node and from any folder", async (context) => {
    const { stranger, home } = usable(inject("packed"), context);
    const { cases } = JSON.parse((await casebook(context, "list", "--json")).stdout) as { cases: { number: string; folder: string }[] };
    const all = await Promise.all(
      cases.map(async ({ number, folder }) => {
        const file = join(stranger, "node_modules", "casebook", folder, "repro.js");
        return { number, said: await runAlone({ command: process.execPath, words: [file, "--all"], cwd: home, home }) };
      }),
    );
    expect(all.length).toBeGreaterThan(0);
    for (const { number, said } of all) expect([number, said]).toEqual([number, await commandLine(["run", number, "--all"])]);
  });
});

describe("a packed copy in a hard place", () => {
  const shell = (context: TestContext, script: string) => {
    const { stranger, home } = usable(inject("packed"), context);
    return runAlone({ command: "bash", words: ["-c", `set -o pipefail; ${script}`], cwd: stranger, home });
  };
  const MAIN = "node node_modules/casebook/dist/main.js";

  it.for([`${MAIN} list`, `${MAIN} run 001 --all`, "node node_modules/casebook/dist/cases/001-*/repro.js --all"])("does not mind a reader that leaves early: %s | head -1", async (command, context) => {
    expect(await shell(context, `${command} | head -1 >/dev/null`)).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  });

  it("works where it may not write, and writes nothing", async (context) => {
    const { stranger, home } = usable(inject("packed"), context);
    const before = [listing(join(stranger, "node_modules", "casebook")), listing(home)];
    const said = await shell(context, `chmod -R a-w node_modules/casebook && ${MAIN} list && ${MAIN} run 001; code=$?; chmod -R u+w node_modules/casebook; exit $code`);
    const here = [await commandLine(["list"]), await commandLine(["run", "001"])];
    expect(said).toEqual({ exitCode: 0, stdout: here.map(({ stdout }) => stdout).join(""), stderr: "" });
    expect([listing(join(stranger, "node_modules", "casebook")), listing(home)]).toEqual(before);
  });

  it("runs through a link to it, from a folder of another name", async (context) => {
    const said = await shell(context, `ln -sfn "$PWD/node_modules/casebook/dist/main.js" "$HOME/cb" && cd "$HOME" && node cb run 001; code=$?; rm -f "$HOME/cb"; exit $code`);
    expect(said).toEqual(await commandLine(["run", "001"]));
  });

  it.for([
    ["its list of cases", "rm node_modules/casebook/dist/cases/catalog.json", "list", 2, "CASE_UNREADABLE: dist/cases/catalog.json: ENOENT: "],
    ["half of that list", "echo '{' >node_modules/casebook/dist/cases/catalog.json", "list", 2, "CASE_UNREADABLE: dist/cases/catalog.json: "],
    ["a repro", "rm node_modules/casebook/dist/cases/001-*/repro.js", "run 001", 3, "Cannot find module "],
    ["a library", "rm node_modules/memfs", "run 001", 3, "Cannot find package 'memfs' "],
  ] as const)("says so when it lost %s, and does not guess", async ([, damage, words, exitCode, because], context) => {
    const copy = '"$HOME/part"/node_modules';
    const made = `mkdir -p ${copy} && cp -R node_modules/casebook ${copy} && for one in node_modules/[!c]* node_modules/c[!a]*; do ln -s "$PWD/$one" ${copy}; done`;
    const said = await shell(context, `${made} && cd "$HOME/part" && ${damage} && ${MAIN} ${words}; code=$?; rm -rf "$HOME/part"; exit $code`);
    expect([said.exitCode, said.stdout]).toEqual([exitCode, ""]);
    expect(said.stderr.startsWith(`casebook: ${because}`), said.stderr).toBe(true);
    expect(said.stderr).toMatch(/This copy of casebook is not whole: install it again\.(?: There is no verdict\.)?\n$/);
  });
});

/** Every file with its size and the time of its last change. */
function listing(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path, statSync(path).size, statSync(path).mtimeMs].join(" "))
    .toSorted();
}
