/** Which number a new case gets, and what is refused. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../root.ts";
import { UsageError } from "../usage-error.ts";
import { readReserved } from "./catalog.ts";
import { checkSlug, chooseNumber, filesOf, type Taken } from "./new-case.ts";
import { caseFile } from "./schema.ts";

const promised = { number: "004", slug: "promised", title: "It was promised", layer: "storage" as const, evidence: ["article" as const], source: "an article" };
/** 001 is there, 002 was given to a case that is gone, 004 is promised. */
const TAKEN: Taken = { numbers: { "001": "first", "002": "died" }, folders: [{ name: "001-first", number: "001", slug: "first" }], reserved: [promised] };

describe("the number of a new case", () => {
  it("is the lowest that was never given and is promised to nobody", () => {
    expect(chooseNumber("mine", undefined, TAKEN)).toBe("003");
    expect(chooseNumber("mine", undefined, { ...TAKEN, numbers: { ...TAKEN.numbers, "003": "other" } })).toBe("005");
  });

  it("is the promised one when the slug is that of the promise", () => {
    expect(chooseNumber("promised", undefined, TAKEN)).toBe("004");
    expect(chooseNumber("promised", "004", TAKEN)).toBe("004");
  });

  it("is the one that was asked for when nobody has it", () => {
    expect(chooseNumber("mine", "042", TAKEN)).toBe("042");
  });

  it.each([
    ["mine", "001", 'number 001 was given to "first" and is never given to another case. Leave --number out for the next free one (003).'],
    ["mine", "002", 'number 002 was given to "died" and is never given to another case. Leave --number out for the next free one (003).'],
    ["mine", "004", 'number 004 is promised to "promised" in incidents/reserved.json. To write that case, give its slug; else leave --number out for the next free one (003).'],
    ["promised", "005", '"promised" has the number 004 in incidents/reserved.json. Leave --number out.'],
    ["first", undefined, "incidents/001-first exists. Change that case, or take another slug."],
    ["mine", "19", '"19" is no case number. Give three digits from 001 on, or leave --number out for the next free one.'],
    ["mine", "000", '"000" is no case number. Give three digits from 001 on, or leave --number out for the next free one.'],
  ])("is refused for %s with %s, and it is said why and what now", (slug, number, said) => {
    expect(() => chooseNumber(slug, number, TAKEN)).toThrow(new UsageError(said));
  });

  it("ends at 999", () => {
    const all = Object.fromEntries(Array.from({ length: 999 }, (_, index) => [String(index + 1).padStart(3, "0"), "other"]));
    expect(() => chooseNumber("mine", undefined, { ...TAKEN, numbers: all })).toThrow("all 999 case numbers are taken.");
  });
});

describe("a slug", () => {
  it.each(["a", "a-lock-that-nobody-removes", "utf8-or-16", "x".repeat(60)])("can be %s", (slug) => {
    expect(() => checkSlug(slug)).not.toThrow();
  });

  it.each([
    ["", "it is empty"],
    ["a/b", "it is a path, and a case is one folder in incidents/"],
    [String.raw`a\b`, "it is a path, and a case is one folder in incidents/"],
    ["..", "it is a path, and a case is one folder in incidents/"],
    ["a..b", "it is a path, and a case is one folder in incidents/"],
    ["019-mine", "it begins with a number, which is chosen for you or given with --number"],
    ["A-Lock", "it has capitals, which some file systems do not tell from small letters"],
    ["x".repeat(61), "it has 61 characters"],
    ["a b", "it holds something else than letters, digits and single hyphens"],
    ["a--b", "it holds something else than letters, digits and single hyphens"],
    ["-a", "it holds something else than letters, digits and single hyphens"],
    ["a\n", "it holds something else than letters, digits and single hyphens"],
    ["\u00e4", "it holds something else than letters, digits and single hyphens"],
    ["a\0", "it holds something else than letters, digits and single hyphens"],
  ])("cannot be %j", (slug, why) => {
    expect(() => checkSlug(slug)).toThrow(
      new UsageError(`${JSON.stringify(slug)} is no slug: ${why}. Take lower-case letters and digits with single hyphens between, 60 characters at most, such as a-lock-that-nobody-removes.`),
    );
  });
});

describe("the files of a new case", () => {
  const template = Object.fromEntries(readdirSync(join(ROOT, "template")).map((name) => [name, readFileSync(join(ROOT, "template", name), "utf8")]));
  const made = { number: "019", slug: "a-stamp-that-lies", folder: "incidents/019-a-stamp-that-lies" };

  it("are the template's under the new number, without its title, its place and its example report", () => {
    const files = filesOf(made, template, []);
    expect(Object.keys(files).toSorted()).toEqual(Object.keys(template).toSorted());
    const all = Object.values(files).join("\n");
    expect(all).not.toMatch(/\b000\b|template|A lock that nobody removes ends/);
    expect(all).not.toContain("example.org");
    expect(files["README.md"]?.split("\n", 1)).toEqual(["# 019: A stamp that lies"]);
    expect(files["README.md"]).toContain("npx tsx incidents/019-a-stamp-that-lies/repro.ts");
    expect(files["README.md"]).toContain("| outside reproductions | 0 · 0 · 0 · 0 ");
    expect(files["README.md"]).toContain("`casebook report --repro 019 --outcome reproduced`");
    expect(files["repro.ts"]).toContain('id: "019"');
    expect(caseFile.parse(JSON.parse(files["case.json"] ?? "")).reproductions).toEqual([]);
  });

  it("have title and layer of the promise when the number was promised, and no evidence that is not there yet", async () => {
    const [row] = await readReserved(ROOT);
    if (row === undefined) throw new Error("nothing is reserved");
    const data = caseFile.parse(JSON.parse(filesOf({ ...made, number: row.number }, template, [row])["case.json"] ?? ""));
    expect([data.title, data.layer, data.evidence]).toEqual([row.title, row.layer, ["injected-only"]]);
  });
});
