/**
 * AGENTS.md to the letter, as an agent does it: in a clone in which nothing is installed, with a home and a folder for temporary
 * files of its own, so that whatever is written outside the clone is seen. The set-up command of README.md as well.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readCatalog } from "../catalog/catalog.ts";
import { readAgentBlock } from "../catalog/agent-block.ts";
import { runAlone, UNREACHABLE } from "../packed/packed-copy.fixture.ts";
import { ROOT } from "../root.ts";
import { copyOfClone } from "./copy-tree.ts";
import { fences, promisedOutputs } from "./markdown.ts";

const page = readFileSync(join(ROOT, "AGENTS.md"), "utf8");
const readme = readFileSync(join(ROOT, "README.md"), "utf8");
const typed = fences(page).filter(({ language }) => language === "sh").map(({ text }) => text.trim());
const shown = promisedOutputs(page).find(({ id }) => id === "001")?.text;

const folder = realpathSync(mkdtempSync(join(tmpdir(), "casebook-agent-")));
const [clone, home, temporary] = [join(folder, "clone"), join(folder, "home"), join(folder, "tmp")];
for (const one of [clone, home, temporary]) mkdirSync(one);
copyOfClone(clone);
const cloned = listing(clone);
// Not synchronously: thousands of small files, and the test runner takes a busy process for a hung one.
afterAll(() => rm(folder, { recursive: true, force: true }), 60_000);

let notSetUp: string | undefined = "the set-up did not end";

function shell(command: string) {
  return runAlone({ command: "sh", words: ["-c", command], cwd: clone, home, env: { TMPDIR: temporary } });
}

describe("AGENTS.md", () => {
  it("sets a clone up with its first command", async (context) => {
    const { exitCode, stdout, stderr } = await shell(typed[0] ?? "exit 99");
    if (exitCode !== 0 && UNREACHABLE.test(stdout + stderr)) {
      notSetUp = `NOT RUN (missing-dependency): ${(stderr + stdout).split("\n", 1)[0]}`;
      return context.skip(notSetUp);
    }
    expect([exitCode, typed[0]]).toEqual([0, "npx --yes pnpm@10.34.9 install --frozen-lockfile"]);
    notSetUp = undefined;
  });

  it("verifies with its second one, which prints what the page shows; so does the set-up of the README that runs a case", async (context) => {
    if (notSetUp !== undefined) return context.skip(notSetUp);
    expect(await shell(typed[1] ?? "exit 99")).toEqual({ exitCode: 0, stdout: shown, stderr: "" });
    const first = fences(readme).map(({ text }) => text.trim()).find((text) => text.includes("install") && text.includes("repro.ts")) ?? "exit 99";
    const { exitCode, stdout } = await shell(first);
    expect([exitCode, stdout.endsWith(shown ?? "-")]).toEqual([0, true]);
  });

  it("has every case twice in its block, its repro and its guard", async () => {
    const { cases } = await readCatalog(ROOT);
    const wanted = cases.flatMap(({ number, folder: at }) => [`npx tsx ${at}/repro.ts`, `npx pnpm@10.34.9 -s casebook test ${number}`]);
    expect(readAgentBlock(page).map(({ command }) => command)).toEqual(wanted);
    expect(typed[2]?.split("\n")).toHaveLength(wanted.length);
  });

  const said = readAgentBlock(page);

  it.for([...said.slice(0, 2), ...said.slice(-2)])("says how it ends: $command", async ({ command, ...end }, context) => {
    if (notSetUp !== undefined) return context.skip(notSetUp);
    const { exitCode, stdout, stderr } = await shell(command);
    expect([{ exitCode, lastLine: lastLineOf(stdout) }, stderr], "run `npx pnpm@10.34.9 cases:write`").toEqual([end, ""]);
  });

  it("says how each repro ends: as its page, whose bytes are compared with what a process prints elsewhere", async () => {
    const { cases } = await readCatalog(ROOT);
    const ends = cases.map(({ number, folder: at }) => [`npx tsx ${at}/repro.ts`, lastLineOf(promisedOutputs(readFileSync(join(ROOT, at, "README.md"), "utf8")).find(({ id }) => id === number)?.text ?? "-")]);
    expect(ends).toEqual(said.filter(({ command }) => command.includes("repro.ts")).map(({ command, lastLine }) => [command, lastLine]));
  });

  it("says how each guard's tests end: as one run of them all counts them, case by case", async (context) => {
    if (notSetUp !== undefined) return context.skip(notSetUp);
    const { exitCode, stdout } = await shell("npx pnpm@10.34.9 -s casebook test");
    const ends = [...stdout.matchAll(/^(\d{3}) (\d+\/\d+ passed)$/gm)].map(([, number, lastLine]) => ({ command: `npx pnpm@10.34.9 -s casebook test ${number}`, exitCode, lastLine }));
    expect(ends).toEqual(said.filter(({ command }) => command.includes("casebook test")));
  });

  it("leaves the clone as it was but for what is installed, and outside of it only the caches that it names", async (context) => {
    if (notSetUp !== undefined) return context.skip(notSetUp);
    expect(listing(clone)).toEqual(cloned);
    const caches = page.slice(page.indexOf("## Uninstall"));
    const unnamed = [
      ...topsOf(home).map((path) => `~/${path}`).filter((path) => !caches.includes(`\`${path}\``)),
      ...readdirSync(temporary).map((name) => name.replace(/^tsx-.*/, "tsx-*")).filter((name) => !caches.includes(`\`${name}\``)),
    ];
    expect(unnamed).toEqual([]);
    await rm(clone, { recursive: true });
    expect(readdirSync(folder).toSorted()).toEqual(["home", "tmp"]);
  });
});

function lastLineOf(text: string): string | undefined {
  return text.trimEnd().split("\n").at(-1);
}

/** Folders and files of a home; of `.local/share` and the like, which are nobody's, those inside. */
function topsOf(at: string): string[] {
  const SHARED = [".local", ".local/share", ".local/state", ".cache", ".config"];
  const inside = (path: string): string[] =>
    readdirSync(join(at, path)).flatMap((name) => {
      const full = path === "" ? name : `${path}/${name}`;
      return SHARED.includes(full) ? inside(full) : [full];
    });
  return inside("");
}

/** Every file with its size and the time of its last change, but those that are installed. */
function listing(at: string): string[] {
  return readdirSync(at, { withFileTypes: true })
    .filter(({ name }) => name !== "node_modules")
    .flatMap((entry) => {
      const path = join(at, entry.name);
      const { size, mtimeMs } = statSync(path);
      return entry.isDirectory() ? listing(path) : [`${path} ${size} ${mtimeMs}`];
    });
}
