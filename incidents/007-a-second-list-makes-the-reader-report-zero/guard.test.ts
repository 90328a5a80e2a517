/** The guard for case 007: a zero counts only with what was searched. */
import { registryLookupShape } from "@casebook/guards/registry";
import { play, protects, subject } from "@casebook/repro/vitest";
import { describe, expect, it } from "vitest";
import { absentKeyFallback, repro, vestigialKey } from "./repro.ts";

const system = subject(repro);

describe("case 007: the shape of a lookup", () => {
  it("shows that the vestigial key lies: zero of one, no error, while 129 records are there", async () => {
    const { facts } = await play(repro, vestigialKey);
    expect(facts).toMatchObject({ hits: 0, population: 1, searched: "items", refused: "" });
  });

  it("shows that an absent key falls through to the object: zero of its three keys, no error", async () => {
    const { facts } = await play(repro, absentKeyFallback);
    expect(facts).toMatchObject({ hits: 0, population: 3, searched: "<the registry object itself>", refused: "" });
  });

  protects("finds the record where it is registered", async () => {
    const { facts } = await system.play();
    expect(facts).toMatchObject({ hits: 1, population: 129, searched: "watched" });
  });

  protects("refuses to choose when no list is declared", async () => {
    const { facts } = await system.play({ declared: "nothing" });
    expect(facts.refused).toBe("top-level lists ['items', 'watched'], none declared authoritative");
  });

  protects("clears only a credible zero: a record that is in no list, looked for in the list that counts", async () => {
    const { facts } = await system.play({ lookFor: 99_999 });
    expect(facts).toMatchObject({ hits: 0, population: 129, searched: "watched", guard: "ok" });
    const { hits, population, searched } = facts;
    expect(registryLookupShape({ hits, population, searched, searchedIsRecordCollection: true, holds: 1 })).toBeUndefined();
  });
});
