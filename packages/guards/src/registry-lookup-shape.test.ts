import { describe, expect, it } from "vitest";
import { registryLookupShape } from "./registry-guards.ts";

const inWatched = { hits: 1, population: 129, searched: "watched", searchedIsRecordCollection: true, holds: 1 };

describe("registry/lookup-shape", () => {
  it("alarms on a zero from the leftover list, because the records are in the other one", () => {
    const facts = { hits: 0, population: 1, searched: "items", searchedIsRecordCollection: true, holds: 129 };
    expect(registryLookupShape(facts)).toEqual({
      guard: "registry/lookup-shape",
      subject: "items",
      message: "zero out of 1 searched while the file holds 129 records",
      counts: { hits: 0, population: 1, holds: 129 },
    });
  });

  it("alarms when the reader searched the document's own keys, whatever it counted there", () => {
    const searched = "<the registry object itself>";
    const facts = { hits: 0, population: 3, searched, searchedIsRecordCollection: false, holds: 129 };
    expect(registryLookupShape(facts)?.message).toBe(
      "searched <the registry object itself>, which is not a record collection",
    );
    // 200 keys are no better than 3.
    expect(registryLookupShape({ ...facts, population: 200, hits: 1, holds: 0 })).toBeDefined();
  });

  it("alarms on a zero from one of two lists of equal size, because either could be the right one", () => {
    expect(registryLookupShape({ ...inWatched, hits: 0, holds: 129 })).toBeDefined();
  });

  it("alarms on a count that is no number, rather than staying silent", () => {
    expect(registryLookupShape({ ...inWatched, hits: 0, population: Number.NaN })).toBeDefined();
    expect(registryLookupShape({ ...inWatched, hits: 0, holds: Number.NaN })).toBeDefined();
  });

  it("is silent on a hit", () => {
    expect(registryLookupShape(inWatched)).toBeUndefined();
  });

  it("is silent on a zero from the larger list: 0 of 129 with one leftover elsewhere is an answer", () => {
    expect(registryLookupShape({ ...inWatched, hits: 0 })).toBeUndefined();
  });

  it("is silent on a file that holds nothing at all", () => {
    expect(registryLookupShape({ ...inWatched, hits: 0, population: 0, holds: 0 })).toBeUndefined();
  });

  it("is fooled when the leftover list is the larger one, because it compares sizes and cannot know which list is alive", () => {
    expect(
      registryLookupShape({ ...inWatched, hits: 0, searched: "archive", population: 200, holds: 129 }),
    ).toBeUndefined();
  });
});
