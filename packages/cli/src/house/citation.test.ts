/**
 * CITATION.cff against the rules of the Citation File Format 1.2.0: the fields, types, formats and required parts of its published
 * schema, as far as this file uses them. A field that is not written down here is refused, so that a new one is checked on purpose.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { renderCitation } from "../catalog/citation.ts";
import { readReserved } from "../catalog/catalog.ts";
import { ROOT } from "../root.ts";
import { VERSION } from "../version.ts";

const text = z.string().min(1);
const address = z.string().regex(/^(?:https|http|ftp|sftp):\/\/.+/).refine((given) => URL.canParse(given), "no address");
const day = z.iso.date();
const version = z.union([text, z.number()]);
const LICENCE = z.literal("MIT");

const person = z.strictObject({ "family-names": text.optional(), "given-names": text.optional(), alias: text.optional(), affiliation: text.optional(), website: address.optional() });
const entity = z.strictObject({ name: text, alias: text.optional(), website: address.optional(), "date-start": day.optional(), "date-end": day.optional() });
const authors = unique(z.union([entity, person.refine((given) => Object.keys(given).length > 0, "an author without a name")]));

const reference = z.strictObject({
  type: z.enum(["article", "blog", "generic", "report", "software", "software-code", "website"]),
  title: text,
  authors,
  year: z.int().optional(),
  month: z.int().min(1).max(12).optional(),
  "date-published": day.optional(),
  license: LICENCE.optional(),
  "repository-code": address.optional(),
  url: address.optional(),
  version: version.optional(),
  notes: text.optional(),
});

const citation = z.strictObject({
  "cff-version": z.literal("1.2.0"),
  message: text,
  title: text,
  authors,
  abstract: text.optional(),
  type: z.enum(["software", "dataset"]).optional(),
  license: LICENCE.optional(),
  version: version.optional(),
  "date-released": day.optional(),
  "repository-code": address.optional(),
  url: address.optional(),
  keywords: unique(text).optional(),
  references: unique(reference).optional(),
});

function unique<Item extends z.ZodType>(item: Item) {
  return z.array(item).min(1).refine((given) => new Set(given.map((one) => JSON.stringify(one))).size === given.length, "something twice");
}

const file = readFileSync(join(ROOT, "CITATION.cff"), "utf8");
// As schema 1.2.0 has it, a day is text; this parser leaves days as text.
const read = () => parse(file) as Record<string, unknown>;

describe("CITATION.cff", () => {
  it("keeps the rules of its format", () => {
    expect(citation.safeParse(read()).error?.issues).toBeUndefined();
  });

  it.each<[string, (data: Record<string, unknown>) => unknown]>([
    ["a misspelt field", ({ title, ...rest }) => ({ ...rest, titel: title })],
    ["a required field that is missing", ({ message: _gone, ...rest }) => rest],
    ["no authors", (data) => ({ ...data, authors: [] })],
    ["an author that is a word", (data) => ({ ...data, authors: ["somebody"] })],
    ["a day that is on no calendar", (data) => ({ ...data, "date-released": "2026-02-30" })],
    ["another version of the format", (data) => ({ ...data, "cff-version": "1.1.0" })],
    ["a reference without authors", (data) => ({ ...data, references: [{ type: "article", title: "x" }] })],
    ["an address that is none", (data) => ({ ...data, url: "example" })],
    ["a keyword twice", (data) => ({ ...data, keywords: ["a", "a"] })],
  ])("would be refused with %s", (_what, change) => {
    expect(citation.safeParse(change(read())).success).toBe(false);
  });

  it("says the version of the packages, as cases:write renews it", () => {
    expect(citation.parse(read()).version).toBe(VERSION);
    expect(renderCitation(file, "9.8.7")).toContain("\nversion: 9.8.7\n");
    expect(() => renderCitation("title: x\n", "1.0.0")).toThrow("no line `version: …`");
  });

  it("names the contributors as a whole, and what the project began with: each source of a promised case, and the casebook before it", async () => {
    const { authors: by, references = [] } = citation.parse(read());
    expect(by).toEqual([{ name: "The contributors of casebook" }]);
    expect(references).toHaveLength(4);
    const notes = references.map(({ notes = "" }) => notes).join("\n");
    const ranges = [...notes.matchAll(/(\d{3})(?: to (\d{3}))?/g)].map(([, from, to]) => [Number(from), Number(to ?? from)] as const);
    const articles = (await readReserved(ROOT)).filter(({ source }) => source.endsWith(" article")).map(({ number }) => Number(number));
    expect(articles.length).toBeGreaterThan(0);
    expect(articles.filter((number) => !ranges.some(([from, to]) => from <= number && number <= to))).toEqual([]);
  });
});
