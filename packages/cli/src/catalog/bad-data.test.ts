/** Data that somebody mistyped: the message names file and pointer, says why it is refused, and what to do now. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { promisedOutputs } from "../house/markdown.ts";
import { ROOT } from "../root.ts";
import { readCatalog, readTemplate } from "./catalog.ts";
import { CatalogError } from "./catalog-error.ts";
import { generatedFiles, type Plays } from "./generated.ts";
import { NUMBERS_PATH, numbersText } from "./numbers.ts";

/** A tree with one case and one reserved number. */
const tree = mkdtempSync(join(tmpdir(), "casebook-data-"));
const FOLDER = "incidents/019-a-copy";
const good = readFileSync(join(ROOT, "template/case.json"), "utf8");
const RESERVED = { number: "020", slug: "later", title: "Later", layer: "registry", evidence: ["article"], source: "an article" };
const write = (path: string, value: unknown) => writeFileSync(join(tree, path), typeof value === "string" ? value : JSON.stringify(value));

beforeAll(() => {
  // Every page with a generated block in it.
  const pages = readdirSync(ROOT).filter((name) => /\.(?:md|cff)$/.test(name));
  const readmes = readdirSync(join(ROOT, "packages")).map((name) => `packages/${name}/README.md`);
  for (const path of [...pages, ...readmes.filter((path) => existsSync(join(ROOT, path))), "packages/conformance/test", ".github", "docs"]) {
    cpSync(join(ROOT, path), join(tree, path), { recursive: true });
  }
});
// What the tests damage; the pages beside it nobody writes to.
beforeEach(() => {
  for (const path of ["incidents", "template"]) rmSync(join(tree, path), { recursive: true, force: true });
  mkdirSync(join(tree, FOLDER), { recursive: true });
  cpSync(join(ROOT, "template"), join(tree, "template"), { recursive: true });
  write(`${FOLDER}/case.json`, good);
  write("incidents/reserved.json", [RESERVED]);
  write(NUMBERS_PATH, { "019": "a-copy" });
});
afterAll(() => rmSync(tree, { recursive: true, force: true }));

const VOCABULARY = "the vocabulary is in CONTRIBUTING.md.";

describe("a case.json", () => {
  it("is read when nothing is wrong with it", async () => {
    expect((await readCatalog(tree)).cases.map(({ number, slug }) => [number, slug])).toEqual([["019", "a-copy"]]);
  });

  it.each<[string, (data: Record<string, unknown>) => unknown, string]>([
    ["a misspelt field", ({ title, ...rest }) => ({ tilte: title, ...rest }), '/tilte: unknown field, perhaps a misspelt known one. Did you mean "title"?'],
    ["a field that nobody knows", (data) => ({ ...data, severity: 9 }), `/severity: unknown field, perhaps a misspelt known one. Remove it; ${VOCABULARY}`],
    ["a field of another place", (data) => ({ ...data, relation: "mine" }), `/relation: unknown field, perhaps a misspelt known one. Remove it; ${VOCABULARY}`],
    ["an unknown field further in", (data) => ({ ...data, doctor: { layout: "x", colour: 1 } }), `/doctor/colour: unknown field, perhaps a misspelt known one. Remove it; ${VOCABULARY}`],
    ["a doctor that is neither", (data) => ({ ...data, doctor: "no" }), '/doctor: "no" says neither which layout nor why none. Write { "layout": "…" } or { "none": "why" }.'],
    ["a day that is on no calendar", (data) => outside(data, { on: "2026-02-30" }), '/reproductions/0/on: "2026-02-30" is no day of the calendar. Write it as 2026-11-29.'],
    ["an outcome in other words", (data) => outside(data, { outcome: "failed" }), '/reproductions/0/outcome: "failed" is not one of reproduced, not reproduced, partial, not run. Take one of them.'],
    ["a state that is not in the list", (data) => upstream(data, { state: "merged" }), '/upstream/0/state: "merged" is not one of open, closed, closed as stale, not read. Take one of them.'],
    ["a status of its own", (data) => ({ ...data, status: "planned" }), '/status: "planned" is not one of reproduced, deprecated. Planned cases stand in incidents/reserved.json.'],
    ["a layer that is not in the list", (data) => ({ ...data, layer: "network" }), '/layer: "network" is not one of storage, registry, scheduling, observation, dispatch, supervision, governance. Take one of them.'],
    ["a missing field", ({ occurred: _gone, ...rest }) => rest, `/occurred: the field is missing. Add it; ${VOCABULARY}`],
    ["a report whose name was not filled in", (data) => outside(data, { by: "<your name or handle>" }), `/reproductions/0/by: "<your name or handle>": still the placeholder. Mend the field; ${VOCABULARY}`],
  ])("with %s costs no other case, and says what, why and what now", async (_what, change, said) => {
    write(`${FOLDER}/case.json`, change(JSON.parse(good) as Record<string, unknown>));
    const { cases, unreadable } = await readCatalog(tree);
    expect(cases).toEqual([]);
    expect(unreadable).toMatchObject([{ folder: FOLDER, number: "019" }]);
    expect(unreadable[0]?.problems).toContain(`${FOLDER}/case.json: ${said}`);
  });

  it.each([
    ["that is cut off", good.slice(0, 30), "no JSON from line 2, column 29 on. Mend the file; see CONTRIBUTING.md."],
    ["with a comma too many", '{\n  "title": "x",\n}', "no JSON from line 3, column 1 on. Mend the file; see CONTRIBUTING.md."],
  ])("%s is named with line and column", async (_what, text, said) => {
    write(`${FOLDER}/case.json`, text);
    expect((await readCatalog(tree)).unreadable[0]?.problems).toEqual([`${FOLDER}/case.json: ${said}`]);
  });

  it("in which a key stands twice is refused, where a parser would keep the last and say nothing", async () => {
    write(`${FOLDER}/case.json`, good.replace('{\n', '{\n  "title": "Another",\n'));
    expect((await readCatalog(tree)).unreadable.flatMap(({ problems }) => problems)).toEqual([
      `${FOLDER}/case.json: /title: the key stands twice in one object, the second time at line 3, column 3, and readers keep the last. Leave one.`,
    ]);
  });

  it("that is not there is named", async () => {
    rmSync(join(tree, FOLDER, "case.json"));
    expect((await readCatalog(tree)).unreadable[0]?.problems).toEqual([
      `${FOLDER}/case.json: the file cannot be read (ENOENT). Every case needs it: put it there, see CONTRIBUTING.md.`,
    ]);
  });
});

describe("the files beside the cases", () => {
  it.each([
    ["incidents/reserved.json", "[{]", "no JSON from line 1, column 3 on. Mend the file; see CONTRIBUTING.md."],
    ["incidents/reserved.json", '[\n  {"a": x},\n  {}\n]', "no JSON from line 2, column 9 on. Mend the file; see CONTRIBUTING.md."],
    ["incidents/reserved.json", '[\n  {"a": "b', "no JSON from line 2, column 11 on. Mend the file; see CONTRIBUTING.md."],
    ["incidents/reserved.json", "\ufeff[\n]\n", "a byte order mark stands before the JSON, and JSON has none. Save it as UTF-8 without one."],
    ["incidents/reserved.json", [{ ...RESERVED, evidence: [] }], `/0/evidence: []: Too small: expected array to have >=1 items. Mend the field; ${VOCABULARY}`],
    ["incidents/reserved.json", [RESERVED, RESERVED], "number 020 is used twice in incidents/reserved.json. A case number is never reused: take the next free one."],
    ["incidents/reserved.json", [{ ...RESERVED, number: "019" }], `${FOLDER}: number 019 is promised to "later" in incidents/reserved.json.`],
  ])("stop everything when they are broken: %s", async (path, value, said) => {
    write(path, value);
    await expect(readCatalog(tree)).rejects.toThrow(CatalogError);
    await expect(readCatalog(tree)).rejects.toThrow(said);
  });

  it("refuse a number that was given to another case before", async () => {
    write(NUMBERS_PATH, { "019": "the-first-one" });
    await expect(numbersText(tree)).rejects.toThrow(
      `CASE_UNREADABLE: ${FOLDER}: number 019 was given to "the-first-one" and is never given to another one; see ${NUMBERS_PATH}. Take the next free one.`,
    );
  });

  it("keep the number of a case whose folder is gone", async () => {
    write(NUMBERS_PATH, { "018": "it-died", "019": "a-copy" });
    expect(JSON.parse(await numbersText(tree))).toEqual({ "018": "it-died", "019": "a-copy" });
  });

  it("include the template", async () => {
    write("template/case.json", "{}");
    await expect(readTemplate(tree)).rejects.toThrow("template/case.json: /status: the field is missing.");
  });
});

/** What the commands print stands on the pages, and is held to a run by `cases.test.ts`; nothing here asks about it. */
const AS_SHOWN: Partial<Plays> = {
  print: async () => {
    const pages = readdirSync(tree, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".md") && !path.startsWith("template"));
    return new Map(pages.flatMap((path) => promisedOutputs(readFileSync(join(tree, path), "utf8")).map(({ id, text }) => [id, text])));
  },
  renderFaults: async () => "",
};

describe("a page with a generated block", () => {
  it("is named when it has lost the marks around the block", async () => {
    rmSync(join(tree, FOLDER), { recursive: true });
    write(NUMBERS_PATH, {});
    write("template/README.md", readFileSync(join(ROOT, "template/README.md"), "utf8").replace("<!-- facts:end -->", ""));
    await expect(generatedFiles(tree, undefined, AS_SHOWN)).rejects.toThrow(
      "MARKERS_MISSING: template/README.md: no <!-- facts:start --> … <!-- facts:end -->. Put both lines where the block belongs.",
    );
  });

  it("is put right again after somebody edited the block by hand", async () => {
    rmSync(join(tree, FOLDER), { recursive: true });
    write(NUMBERS_PATH, {});
    const right = readFileSync(join(ROOT, "template/README.md"), "utf8");
    write("template/README.md", right.replace("| layer | scheduling |", "| layer | storage |"));
    expect((await generatedFiles(tree, undefined, AS_SHOWN)).find(({ path }) => path === "template/README.md")?.text).toBe(right);
  });
});

function outside(data: Record<string, unknown>, change: object): unknown {
  return { ...data, reproductions: [{ ...(data["reproductions"] as object[])[0], ...change }] };
}

function upstream(data: Record<string, unknown>, change: object): unknown {
  return { ...data, upstream: [{ url: "https://example.org/1", state: "open", checkedOn: "2026-11-29", ...change }] };
}
