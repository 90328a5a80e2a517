/** What case 007 rests on: other numbers, the operator's cell, the mutants of its guard, and how it could be fooled. */
import { registryLookupShape } from "@casebook/guards/registry";
import { firstDifference, play } from "@casebook/repro";
import { describe, expect, it } from "vitest";
import { absentKeyFallback, disk, oneList, PATH, repro, strictDeclared, vestigialKey } from "./repro.ts";

describe("the mechanism of case 007", () => {
  it("is not a matter of 129: with 12 live records the zero is as confident, and the guard counts 12", async () => {
    const { facts } = await play(repro, vestigialKey, { live: 12, lookFor: 82_003 });
    expect(facts).toMatchObject({ hits: 0, population: 1, guard: "ALARM: zero out of 1 searched while the file holds 12 records" });
    expect((await play(repro, strictDeclared, { live: 12, lookFor: 82_003 })).facts).toMatchObject({ hits: 1, population: 12 });
  });

  it("finds every one of the 129 records, from the first id to the last", async () => {
    for (const lookFor of [82_000, 82_128]) {
      expect((await play(repro, strictDeclared, { lookFor })).facts.hits).toBe(1);
    }
    expect((await play(repro, strictDeclared, { lookFor: 82_129 })).facts).toMatchObject({ hits: 0, population: 129 });
  });

  it("gives another trace when one byte of its input is another", async () => {
    const { traceHash } = await play(repro, vestigialKey);
    const volume = () => {
      const changed = disk(vestigialKey.with);
      const text = changed.readFileSync(PATH, "utf8") as string;
      changed.writeFileSync(PATH, text.replace("06:00:00Z", "06:00:01Z"));
      return changed;
    };
    const other = await play(repro, { ...vestigialKey, disk: volume });
    expect(firstDifference(vestigialKey.expect, other.facts)).toBeUndefined();
    expect(other.traceHash).not.toBe(traceHash);
  });
});

describe("the lookup-shape guard", () => {
  it("alarms in the operator's cell: the reader stays bad, and somebody asks what was searched", async () => {
    expect((await play(repro, vestigialKey)).facts.guard).toBe("ALARM: zero out of 1 searched while the file holds 129 records");
    expect((await play(repro, absentKeyFallback)).facts.guard).toBe(
      "ALARM: searched <the registry object itself>, which is not a record collection",
    );
  });

  it("is silent on the control, for a hit and for a zero", async () => {
    expect((await play(repro, oneList)).facts.guard).toBe("ok");
    expect((await play(repro, oneList, { lookFor: 99_999 })).facts).toMatchObject({ hits: 0, guard: "ok" });
  });

  it("would be noticed if it never alarmed, and if it always did", () => {
    const lie = { hits: 0, population: 1, searched: "items", searchedIsRecordCollection: true, holds: 129 };
    const truth = { hits: 0, population: 129, searched: "watched", searchedIsRecordCollection: true, holds: 1 };
    const tells = (guard: (facts: typeof lie) => unknown) => guard(lie) !== undefined && guard(truth) === undefined;
    expect(tells(registryLookupShape)).toBe(true);
    expect(tells(() => undefined)).toBe(false);
    expect(tells(() => ({ guard: "registry/lookup-shape" }))).toBe(false);
  });

  it("alarms falsely on an honest zero, when the list that counts is smaller than what lies beside it", async () => {
    const { facts } = await play(repro, strictDeclared, { live: 1, lookFor: 99_999 });
    expect(facts).toMatchObject({ hits: 0, population: 1, searched: "watched", guard: "ALARM: zero out of 1 searched while the file holds 1 records" });
  });

  it("is fooled by a leftover list that outgrew the live one", () => {
    const facts = { hits: 0, population: 200, searched: "items", searchedIsRecordCollection: true, holds: 129 };
    expect(registryLookupShape(facts)).toBeUndefined();
  });
});
