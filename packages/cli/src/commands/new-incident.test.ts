/** `casebook new incident` on small trees of its own. What takes other processes and other users is in new-incident.real.ts. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { commandLine } from "../command-line.ts";
import { DOCUMENTS } from "../documents.ts";
import { ROOT } from "../root.ts";
import { newIncident } from "./new-incident.ts";

const tree = mkdtempSync(join(tmpdir(), "casebook-new-"));
const incidents = () => readdirSync(join(tree, "incidents")).toSorted();
const PLAIN = { number: undefined, json: false };

beforeEach(() => {
  rmSync(tree, { recursive: true, force: true });
  mkdirSync(join(tree, "incidents"), { recursive: true });
  cpSync(join(ROOT, "template"), join(tree, "template"), { recursive: true });
  writeFileSync(join(tree, "incidents/reserved.json"), "[]");
  writeFileSync(join(tree, "incidents/numbers.json"), '{ "001": "it-died" }');
});
afterAll(() => rmSync(tree, { recursive: true, force: true }));

describe("casebook new incident", () => {
  it("makes a folder of five files and says three steps", async () => {
    const { text, exitCode } = await newIncident(tree, "a-stamp-that-lies", PLAIN);
    expect([exitCode, text]).toEqual([
      0,
      [
        "incidents/002-a-stamp-that-lies is a case that works; its story is still the template's.",
        "",
        "1. Tell your story. docs/write-a-case.md takes fifteen minutes; see it run:",
        "   npx tsx incidents/002-a-stamp-that-lies/repro.ts",
        "2. Renew what is generated from it: its page, the table, the forms.",
        "   npx pnpm@10.34.9 cases:write",
        "3. See it judged like every other case.",
        "   npx pnpm@10.34.9 test",
        "",
      ].join("\n"),
    ]);
    expect(incidents()).toEqual(["002-a-stamp-that-lies", "numbers.json", "reserved.json"]);
    expect(readdirSync(join(tree, "incidents/002-a-stamp-that-lies")).toSorted()).toEqual(readdirSync(join(ROOT, "template")).toSorted());
  });

  it("says the same as one JSON document", async () => {
    const { text } = await newIncident(tree, "a-stamp-that-lies", { ...PLAIN, json: true });
    expect(DOCUMENTS.new.parse(JSON.parse(text))).toMatchObject({
      created: { number: "002", slug: "a-stamp-that-lies", folder: "incidents/002-a-stamp-that-lies" },
      next: [expect.stringContaining("npx tsx "), expect.stringContaining("cases:write"), expect.stringContaining(" test")],
    });
  });

  it("gives the next number to the next one, also before anything was renewed", async () => {
    await newIncident(tree, "one", PLAIN);
    await newIncident(tree, "two", PLAIN);
    expect(incidents().slice(0, 2)).toEqual(["002-one", "003-two"]);
  });

  it.each([
    ["that is there", () => newIncident(tree, "one", PLAIN).then(() => newIncident(tree, "one", PLAIN)), "incidents/002-one exists."],
    ["with a used number", () => newIncident(tree, "one", { ...PLAIN, number: "001" }), 'number 001 was given to "it-died"'],
    ["with a path for a slug", () => newIncident(tree, "../one", PLAIN), '"../one" is no slug: it is a path'],
  ])("refuses one %s, and leaves nothing half-written", async (_what, attempt, said) => {
    await expect(attempt()).rejects.toThrow(said);
    expect(incidents().filter((name) => name.startsWith("."))).toEqual([]);
    expect(existsSync(join(tree, "one"))).toBe(false);
  });

  it("does not take a number that somebody else is taking, and says what to do when nobody is", async () => {
    mkdirSync(join(tree, "incidents/.002.new"));
    await expect(newIncident(tree, "one", PLAIN)).rejects.toThrow(
      "another `casebook new` is making number 002, or one was interrupted: incidents/.002.new exists. Let it finish, or remove that folder; then type it again.",
    );
    expect(incidents()).toEqual([".002.new", "numbers.json", "reserved.json"]);
  });

  it("says which data it cannot use, and writes nothing", async () => {
    writeFileSync(join(tree, "incidents/numbers.json"), '{ "1": "x" }');
    await expect(newIncident(tree, "one", PLAIN)).rejects.toThrow("CASE_UNREADABLE: incidents/numbers.json: ");
    rmSync(join(tree, "template/proof.test.ts"));
    await expect(newIncident(tree, "one", PLAIN)).rejects.toThrow(
      "CASE_UNREADABLE: template/ is not whole (ENOENT). A new case is a copy of it: get it back from the repository.",
    );
    expect(incidents()).toEqual(["numbers.json", "reserved.json"]);
  });

  it.each([
    [["new", "case", "x"], "`casebook new` makes an `incident`, not \"case\". Type `casebook new incident <slug>`."],
    [["new", "incident"], "missing required argument 'slug'"],
    [["new", "incident", "one-bad-entry-kills-the-scheduler"], "incidents/001-one-bad-entry-kills-the-scheduler exists. Change that case, or take another slug."],
    [["new", "incident", ""], '"" is no slug: it is empty.'],
  ])("%j: exit 2", async (words, said) => {
    const { exitCode, stdout, stderr } = await commandLine(words);
    expect([exitCode, stdout, stderr.startsWith(`casebook: ${said}`)]).toEqual([2, "", true]);
  });
});
