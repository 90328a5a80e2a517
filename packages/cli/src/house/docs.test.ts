/** Every page of the tree: no command that nobody runs, no output that nobody compares, no link that leads nowhere. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { NOT_RUN_REASONS } from "@casebook/verdict";
import { describe, expect, it } from "vitest";
import { readCatalog } from "../catalog/catalog.ts";
import { guardPagePath } from "../catalog/guard-page.ts";
import { explain, guardsAbout } from "../commands/explain.ts";
import { SEARCHES, typed } from "./explore-outputs.ts";
import { commandLine } from "../command-line.ts";
import { ROOT } from "../root.ts";
import { COMMANDS, type Row, ROWS } from "./doc-fences.ts";
import { DOC_OUTPUTS, runHere } from "./doc-outputs.ts";
import { SHOWN } from "./doctor-outputs.ts";
import { addresses, anchorsOf, fences, indentedBlocks, localLinks, markdownPages, promisedOutputs } from "./markdown.ts";
import { privateData } from "./private-data.ts";

const PAGES = markdownPages(ROOT);
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const { cases } = await readCatalog(ROOT);

interface Unit {
  readonly page: string;
  readonly language: string;
  readonly name: string;
  /** A line of commands, or a whole block of anything else. */
  readonly text: string;
}

const UNITS = PAGES.flatMap((page) =>
  fences(read(page)).flatMap(({ language, name, text }): Unit[] => {
    const parts = COMMANDS.includes(language) ? text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#")) : [text];
    return parts.map((part) => ({ page, language, name, text: part }));
  }),
);

const covers = ({ page, language, name = "", text }: Row, unit: Unit) => page.test(unit.page) && language === unit.language && name === unit.name && (text?.test(unit.text) ?? true);
const rowOf = (unit: Unit) => ROWS.find((row) => covers(row, unit));
const said = ({ page, language, name, text }: Unit) => `${page}: ${[language, name].join(" ").trim()}: ${text.split("\n", 1)[0]}`;

describe("a fence on a page", () => {
  it("is run by a test, or says in packages/cli/src/house/doc-fences.ts why it is not", () => {
    expect(PAGES).toEqual(expect.arrayContaining(["AGENTS.md", "README.md", "docs/start.md", "docs/guards/slot-missed.md", "template/README.md"]));
    expect(UNITS.length).toBeGreaterThan(100);
    expect(UNITS.filter((unit) => rowOf(unit) === undefined).map(said)).toEqual([]);
  });

  it("is what a row is about: no row is left over from a page that changed", () => {
    const used = new Set(UNITS.map(rowOf));
    expect(ROWS.filter((row) => !used.has(row)).map(({ page, language, text }) => `${page} ${language} ${text}`)).toEqual([]);
  });

  it("is run by a file that is there, and that names the page or what its row says", () => {
    const lost = UNITS.flatMap((unit) => {
      const by = rowOf(unit)?.by;
      if (by === undefined || by === "generated" || !("test" in by)) return [];
      if (!existsSync(join(ROOT, by.test))) return [`${said(unit)}: no ${by.test}`];
      return read(by.test).includes(by.holds ?? basename(unit.page)) ? [] : [`${said(unit)}: nothing in ${by.test} leads to it`];
    });
    expect(lost).toEqual([]);
  });

  it("that is generated has a mark right above it, or its whole page is generated", () => {
    const unmarked = UNITS.filter((unit) => rowOf(unit)?.by === "generated" && !promisedOutputs(read(unit.page)).some(({ text }) => text === unit.text));
    expect(unmarked.filter(({ page }) => !page.startsWith("docs/guards/")).map(said)).toEqual([]);
  });

  it("opens and closes, and no block hides behind four spaces", () => {
    for (const page of PAGES) {
      const ticks = read(page).match(/^```/gm) ?? [];
      expect([page, ticks.length]).toEqual([page, 2 * fences(read(page)).length]);
      expect([page, indentedBlocks(read(page))]).toEqual([page, []]);
    }
  });
});

describe("a command on a page", () => {
  const here = new Map(
    UNITS.flatMap((unit) => {
      const by = rowOf(unit)?.by;
      return typeof by === "object" && "here" in by ? [[wordsOf(unit.text).join(" "), { words: wordsOf(unit.text), exitCode: by.here }] as const] : [];
    }),
  );

  it.each([...here])("ends as its row says: casebook %s", async (_text, { words, exitCode }) => {
    expect((await commandLine(words)).exitCode).toBe(exitCode);
  });

  it("of a case page is that case's", () => {
    const typed = UNITS.filter(({ page, language }) => language === "sh" && /^(?:incidents|template)\//.test(page));
    expect(typed.map(({ page, text }) => [page, text])).toEqual(typed.map(({ page }) => [page, `npx tsx ${dirname(page)}/repro.ts`]));
  });
});

describe("an output on a page", () => {
  const printers = new Map<string, readonly string[]>([
    ...cases.flatMap(({ number, folder }): [string, string[]][] => [
      [number, [`casebook run ${number}`, `npx tsx ${folder}/repro.ts`, `npx --yes pnpm@10.34.9 install --frozen-lockfile && npx tsx ${folder}/repro.ts`]],
      [`${number}-all`, [`casebook run ${number} --all`]],
    ]),
    ["000", ["npx tsx template/repro.ts"]],
    ["000-all", []],
    ...SHOWN.map(({ id, command }): [string, string[]] => [id, [command]]),
    ...DOC_OUTPUTS.map(({ id, command }): [string, string[]] => [id, [command]]),
    ...Object.entries(SEARCHES).map(([id, words]): [string, string[]] => [id, [typed(words)]]),
    // No command prints these: they are rows of a ledger.
    ["terminal-record", []],
    ["terminal-record-words", []],
    ["terminal-record-trace", []],
    // Its command is an output itself: it holds the token that the search before it printed.
    ["replay-command", []],
    ["replay-until", [/^casebook replay .+$/m.exec(read("docs/explore.md"))?.[0] ?? ""]],
    ["test-001-against-broken", ["casebook test 001 --against broken"]],
  ]);

  it("has a mark that cases:write knows, or that a test of its own compares", () => {
    const unknown = PAGES.flatMap((page) => [...read(page).matchAll(/<!-- output:([\w-]+) -->/g)].map(([, id = ""]) => ({ page, id }))).filter(({ id }) => !printers.has(id));
    expect(unknown).toEqual([]);
  });

  it("stands below the command that prints it, wherever a command stands right above", () => {
    const wrong = PAGES.flatMap((page) =>
      [...read(page).matchAll(/^```sh\n((?:(?!```).*\n)+)```\n\n<!-- output:([\w-]+) -->$/gm)].flatMap(([, typedAll = "", id = ""]) => {
        const typed = typedAll.trimEnd().split("\n").at(-1) ?? "";
        const command = typed.replace(/^npx (?:pnpm@[\d.]+ -s )?(?=casebook )/, "");
        return printers.get(id)?.includes(command) === true ? [] : [`${page}: ${typed} does not print ${id}`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  it("is not empty, and is in a text block right below its mark", () => {
    for (const page of PAGES) {
      const marks = read(page).match(/<!-- output:[\w-]+ -->/g) ?? [];
      const shown = promisedOutputs(read(page));
      expect([page, shown.length, shown.filter(({ text }) => text.trim() === "")]).toEqual([page, marks.length, []]);
    }
  });

  it.each(DOC_OUTPUTS)("ends with the exit code of its row: $command", async ({ command, exitCode }) => {
    expect((await runHere(command)).exitCode).toBe(exitCode);
  });
});

describe("a link on a page", () => {
  it.each(PAGES)("leads somewhere: %s", (page) => {
    const dead = localLinks(read(page)).filter(({ path, anchor }) => {
      const target = path === "" ? page : join(dirname(page), path);
      if (path.startsWith("/") || target.startsWith("..") || !existsSync(join(ROOT, target))) return true;
      return anchor !== "" && !(target.endsWith(".md") && anchorsOf(read(target)).includes(anchor));
    });
    expect(dead).toEqual([]);
    expect(addresses(read(page)).filter((address) => !URL.canParse(address) || !address.startsWith("https://"))).toEqual([]);
  });

  it.each(PAGES)("is written in place, where the checks find it: %s", (page) => {
    const shown = read(page).replace(/^```[\s\S]*?^```$/gm, "").replace(/`[^`\n]*`/g, "");
    expect(shown.match(/^ {0,3}\[[^\]\n]+\]:.*$|\b(?:href|src)\s*=.*$/gm), "write it as [words](target)").toBeNull();
  });

  it("leads from the list of documents to each of them, and from each list to each of its pages", () => {
    const from = (page: string) => localLinks(read(page)).map(({ path }) => join(dirname(page), path));
    const documents = readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md") && name !== "README.md");
    expect(documents.map((name) => `docs/${name}`).filter((path) => !from("docs/README.md").includes(path))).toEqual([]);
    expect(cases.map(({ folder }) => `${folder}/README.md`).filter((path) => !from("docs/cases.md").includes(path))).toEqual([]);
    expect(guardsAbout().map(({ id }) => guardPagePath(id)).filter((path) => !from("docs/guards.md").includes(path))).toEqual([]);
    expect(from("README.md")).toContain("docs/README.md");
  });
});

describe("a guard's page", () => {
  it("shows byte for byte what `casebook explain` prints, and no page is left of a guard that is gone", async () => {
    const pages = readdirSync(join(ROOT, "docs/guards")).map((name) => `docs/guards/${name}`);
    expect(pages.toSorted(), "remove the page of the guard that is gone, or run `npx pnpm@10.34.9 cases:write`").toEqual(guardsAbout().map(({ id }) => guardPagePath(id)).toSorted());
    for (const { id } of guardsAbout()) {
      const shown = fences(read(guardPagePath(id))).map(({ text }) => text);
      expect(shown).toEqual([`casebook explain ${id}\n`, (await explain(id, { json: false })).text]);
    }
  });
});

describe("the pages", () => {
  it("hold nothing private", () => {
    const examples = ["template/README.md"];
    expect(PAGES.filter((page) => !examples.includes(page)).flatMap((page) => privateData(page, read(page)))).toEqual([]);
  });

  it("have every reason for NOT RUN and every exit code where a verdict is explained", () => {
    const page = read("docs/verdicts.md");
    const reasons = [...page.matchAll(/^\| `([a-z]+-?[a-z]+)` \|/gm)].map(([, reason]) => reason);
    expect(reasons.toSorted()).toEqual([...NOT_RUN_REASONS].toSorted());
    expect([...page.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => code)).toEqual(["0", "1", "2", "3", "130"]);
  });
});

/** What a person types behind `casebook`, with quotes taken off as a shell does. */
function wordsOf(line: string): string[] {
  const typed = line.replace(/^(?:npx pnpm@[\d.]+ -s )?casebook /, "");
  return [...typed.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
}
