/** docs/write-a-case.md to the letter, in a copy of this tree: every command in its order, and what the page says of each. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ROOT } from "../root.ts";
import { copyTree, plainEnv } from "./copy-tree.ts";
import { fences } from "./markdown.ts";

const page = readFileSync(join(ROOT, "docs/write-a-case.md"), "utf8");
const commands = fences(page).filter(({ language, name }) => language === "sh" && name === "").flatMap(({ text }) => text.trim().split("\n"));
const tree = copyTree();
afterAll(() => rmSync(tree, { recursive: true, force: true }));

const made = () => readdirSync(join(tree, "incidents")).find((name) => name.endsWith("-a-stamp-that-lies")) ?? "NNN-none";
const lastLine = (text: string) => text.trimEnd().split("\n").at(-1);

/** The command of the page that holds these words, with the number that was given in the place of NNN. */
function typed(words: string) {
  const [command = "exit 99", ...others] = commands.filter((line) => line.includes(words) && (words === "--json" || !line.includes("--json")) && !(words === "new incident a-stamp-that-lies" && line.includes("--number")));
  expect([words, others]).toEqual([words, []]);
  const { status, stdout, stderr } = spawnSync("sh", ["-c", command.replaceAll("NNN", made().slice(0, 3))], { cwd: tree, encoding: "utf8", env: plainEnv() });
  return { status, stdout, stderr };
}

describe("docs/write-a-case.md", () => {
  it("makes a case that works", () => {
    const { status, stdout, stderr } = typed("new incident a-stamp-that-lies");
    expect([status, stderr, stdout.split("\n")[0]]).toEqual([0, "", `incidents/${made()} is a case that works; its story is still the template's.`]);
    const said = typed("repro.ts").stdout;
    expect(lastLine(said)).toBe("repro: OK - mechanism demonstrated");
  });

  it("shows all facts of all scenes when one of them differs", () => {
    const path = join(tree, "incidents", made(), "repro.ts");
    const right = readFileSync(path, "utf8");
    writeFileSync(path, right.replace("skipped: 3,", "skipped: 2,"));
    const { status, stdout } = typed("--json");
    const { verdict, because, modes } = JSON.parse(stdout) as { verdict: string; because: string; modes: { name: string; facts: { skipped: number } }[] };
    expect([status, verdict, because]).toEqual([1, "FAIL", "mode=for-ever fact skipped: expected 2, saw 3"]);
    expect(modes.map(({ name, facts }) => [name, facts.skipped])).toEqual([["for-ever", 3], ["expires", 0], ["undisturbed", 0]]);
    writeFileSync(path, right);
  });

  it("renews what is not written by hand, empty fences and empty blocks too", () => {
    const path = join(tree, "incidents", made(), "README.md");
    const whole = readFileSync(path, "utf8");
    const emptied = whole.replace(/(<!-- output:[\w-]+ -->\n```text\n)[^`]*/g, "$1").replace(/(<!-- facts:start -->\n)[^]*(<!-- facts:end -->)/, "$1$2");
    expect(emptied.length).toBeLessThan(whole.length - 500);
    writeFileSync(path, emptied);
    const { status, stdout } = typed("cases:write");
    expect(status).toBe(0);
    expect(stdout.split("\n")).toEqual(expect.arrayContaining([`wrote incidents/${made()}/README.md`, "wrote README.md", "wrote AGENTS.md", "wrote docs/cases.md", "wrote incidents/numbers.json"]));
    expect(readFileSync(path, "utf8")).toBe(whole);
    expect(readFileSync(join(tree, "AGENTS.md"), "utf8")).toContain(`casebook test ${made().slice(0, 3)}  # exit 0, last line: 4/4 passed`);
  });

  it("wires its guard to the broken system, where all that protects fails", () => {
    const { status, stdout } = typed("--against broken");
    expect(status).toBe(1);
    expect(stdout).toContain("\n2 of 2 protecting tests failed, and all of them must\n");
  });

  it("runs its tests alone, in both wirings, and finds it by its number in the house", () => {
    const alone = typed("npx vitest run NNN-");
    expect([alone.status, lastLine(alone.stdout)]).toEqual([0, expect.stringMatching(/^\d+ passed, 0 failed/)]);
    for (const wiring of ["incidents", "incidents-broken"]) expect(alone.stdout).toContain(`|${wiring}| incidents/${made()}/guard.test.ts`);
    const inHouse = typed("-t ");
    expect([inHouse.status, lastLine(inHouse.stdout)]).toEqual([0, expect.stringMatching(/^[1-9]\d* passed, 0 failed/)]);
  });

  it("has no further command", () => {
    expect(commands.filter((line) => !/new incident|repro\.ts|cases:write|--against broken|npx vitest run/.test(line))).toEqual([]);
  });
});
