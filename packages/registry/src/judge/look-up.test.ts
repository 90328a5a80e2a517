import { type JsonObject, lookUp, lookupFacts, type LookupReader } from "@casebook/registry/judge";
import { describe, expect, it } from "vitest";

/** 129 live records under `watched`, one leftover under `items`. */
const watched = Array.from({ length: 129 }, (_, index) => ({ id: 82_000 + index }));
const rest = { watched, version: 3, updated_at: "2026-08-24T00:00:00Z" };
const document = { items: [{ id: 70_001 }], ...rest };

describe("looking a record up", () => {
  it("answers zero from the leftover list, and calls that no error", () => {
    const answer = lookUp(document, 82_056, { policy: "vestigial-key", key: "items" });
    expect(answer).toEqual({ hits: 0, population: 1, searched: "items", error: "none" });
    expect(lookupFacts(document, answer)).toEqual({
      hits: 0,
      population: 1,
      searched: "items",
      searchedIsRecordCollection: true,
      holds: 129,
    });
  });

  it("searches the document's own three keys when the list is gone", () => {
    const answer = lookUp(rest, 82_056, { policy: "absent-key-fallback", key: "items" });
    const searched = "<the registry object itself>";
    expect(answer).toEqual({ hits: 0, population: 3, searched, error: "none" });
    expect(lookupFacts(rest, answer)).toEqual({
      hits: 0,
      population: 3,
      searched,
      searchedIsRecordCollection: false,
      holds: 129,
    });
  });

  it("finds the record where the declared list is read", () => {
    const answer = lookUp(document, 82_056, { policy: "strict-declared", key: "watched" });
    expect(answer).toEqual({ hits: 1, population: 129, searched: "watched", error: "none" });
    expect(lookupFacts(document, answer)?.holds).toBe(1);
  });

  it("refuses to choose between two lists, which claims nothing that a guard could clear", () => {
    const answer = lookUp(document, 82_056, { policy: "strict-undeclared" });
    expect(answer).toEqual({ refused: "top-level lists ['items', 'watched'], none declared authoritative" });
    expect(lookupFacts(document, answer)).toBeUndefined();
  });

  it("reads the only list without a declaration", () => {
    const answer = lookUp(rest, 82_056, { policy: "strict-undeclared" });
    expect(answer).toEqual({ hits: 1, population: 129, searched: "watched", error: "none" });
  });

  it.each<[string, JsonObject, string]>([
    ["two, of which one is damaged to the last record", { tasks: ["x", null], archived: [] }, "['archived', 'tasks']"],
    ["two, of which one may be a list of words", { tasks: [{ id: 1 }], tags: ["x"] }, "['tags', 'tasks']"],
    ["one that may be a list of words", { tags: ["x"] }, "['tags']"],
  ])("refuses to choose without a declaration where there is %s", (_, several, lists) => {
    const answer = lookUp(several, 1, { policy: "strict-undeclared" });
    expect(answer).toEqual({ refused: `top-level lists ${lists}, none declared authoritative` });
  });

  it("counts a damaged list among the records elsewhere, and a list of words not: words are no records", () => {
    const holds = (several: JsonObject): number | undefined =>
      lookupFacts(several, lookUp(several, 1, { policy: "strict-declared", key: "archived" }))?.holds;
    expect(holds({ tasks: ["x", null], archived: [] })).toBe(2);
    expect(holds({ tags: ["x", "y"], archived: [] })).toBe(0);
  });

  it.each<[string, LookupReader, string]>([
    [
      "a declared list that is not there",
      { policy: "strict-declared", key: "jobs" },
      "declared list 'jobs' is not there; top-level lists ['items', 'watched']",
    ],
    [
      "a declared name that every object inherits",
      { policy: "strict-declared", key: "constructor" },
      "declared list 'constructor' is not there; top-level lists ['items', 'watched']",
    ],
    [
      "a declared key that is no list",
      { policy: "strict-declared", key: "version" },
      "declared list 'version' is not there; top-level lists ['items', 'watched']",
    ],
  ])("refuses %s, instead of taking it for an empty one", (_, reader, refused) => {
    expect(lookUp(document, 82_056, reader)).toEqual({ refused });
  });

  it("finds an id written as text by its number, because a zero for its type alone would be a wrong zero", () => {
    expect(lookUp({ watched: [{ id: "82056" }] }, 82_056, { policy: "strict-undeclared" })).toMatchObject({ hits: 1 });
  });

  it("is not fooled by a __proto__ key in a record", () => {
    const hostile = JSON.parse('{"watched":[{"__proto__":{"id":82056}}]}') as typeof rest;
    expect(lookUp(hostile, 82_056, { policy: "strict-undeclared" })).toMatchObject({ hits: 0, population: 1 });
  });

  it.each(['{"toString":null}', "[82056]", "null", "true", "[[[]]]", "{}"])(
    "does not take %s for an id, and does not fail on it",
    (id) => {
      const hostile = JSON.parse(`{"watched":[{"id":${id}},{"id":82056}]}`) as typeof rest;
      const reader: LookupReader = { policy: "strict-undeclared" };
      expect(lookUp(hostile, 82_056, reader)).toMatchObject({ hits: 1, population: 2 });
      for (const asked of [JSON.parse(id) as string, "null", "true", "[object Object]", ""])
        expect(lookUp(hostile, asked, reader)).toMatchObject({ hits: 0, population: 2 });
    },
  );
});
