/** What the matrix of docs/conformance.md says of itself; that it is true is for the longer tiers. */
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { KNOWN_BAD_DISPATCHERS } from "@casebook/dispatcher/known-bad";
import { DISPATCH_FAULTS, FAULT_NUMBERS } from "@casebook/dispatch-suite/faults";
import { RECEIPT_RULES } from "@casebook/receipt-reader/known-bad";
import { describe, expect, it } from "vitest";
import { DISPATCH_RULES, isChecked, RECEIPT_LOG_RULES } from "./index.ts";
import { expectedOf, untoldOf } from "./matrix.fixture.ts";
import { MATRIX } from "./node/known-bad.fixture.ts";

const asked = DISPATCH_RULES.filter(isChecked).map(({ number }) => number);

describe("the matrix of the known-bad dispatchers", () => {
  it("has a row for each of them, and one for the reference, which fails nothing", () => {
    expect(MATRIX.rows.map(({ name }) => name)).toEqual(["reference", ...KNOWN_BAD_DISPATCHERS.map(({ name }) => name)]);
    expect(MATRIX.rows[0]).toEqual({ name: "reference", expected: [], failed: [], surprises: {} });
  });

  it("expects of each what was written down for our own suite, as far as the kit has the rule", () => {
    expect(MATRIX.rows.slice(1).map(({ expected }) => expected)).toEqual(KNOWN_BAD_DISPATCHERS.map((bad) => expectedOf(bad, asked)));
  });

  it("gives a reason for every surprise, and for every dispatcher that it does not see", () => {
    expect(MATRIX.rows.flatMap(untoldOf)).toEqual([]);
  });

  it("says what lacks a reason, and which reason lacks its surprise", () => {
    expect(untoldOf({ name: "one", expected: ["F01"], failed: ["F02"], surprises: { F03: "once" }, unseen: "it was" })).toEqual([
      "one, F01: was expected to fail and does not; no reason stands there",
      "one, F02: fails and was not expected to; no reason stands there",
      "one, F03: the reason stands there, and it is no surprise any more",
      "one: the reason stands there why no rule sees it, and F02 does",
    ]);
    expect(untoldOf({ name: "two", expected: [], failed: [], surprises: {} })).toEqual(["two: no rule sees it, and no reason stands there"]);
  });
});

describe("the rules of the kit", () => {
  it("leave out no fault of the table, and take its words", () => {
    for (const number of FAULT_NUMBERS) expect([number, DISPATCH_RULES.find((rule) => rule.number === number)?.sentence]).toEqual([number, DISPATCH_FAULTS[number].sentence]);
    expect(DISPATCH_RULES.filter(({ number }) => number.startsWith("F") && !FAULT_NUMBERS.includes(number as never))).toEqual([]);
  });

  it("are written down in one place each: the faults and the receipts in their tables, and the kit's own here", () => {
    const texts = ["conformance", "dispatch-suite", "receipt-reader"].flatMap((folder) => {
      const root = join(import.meta.dirname, "../..", folder, "src");
      const names = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts") && !/\.(test|real|soak)\.ts$/.test(name));
      return names.map((name) => [`${folder}/${name.split(sep).join("/")}`, readFileSync(join(root, name), "utf8")] as const);
    });
    const places = (words: string): string[] => texts.flatMap(([path, text]) => text.split(words).slice(1).map(() => path));
    const homeOf = (number: string): string => (number.startsWith("F") ? "dispatch-suite/faults/index.ts" : number.startsWith("RC") ? "receipt-reader/rules/index.ts" : "conformance/dispatch/rules.ts");
    for (const { number, sentence } of [...DISPATCH_RULES, ...RECEIPT_LOG_RULES]) expect([number, places(sentence)]).toEqual([number, [homeOf(number)]]);
    for (const number of FAULT_NUMBERS) expect([number, places(`"${DISPATCH_FAULTS[number].fault}"`)]).toEqual([number, ["dispatch-suite/faults/index.ts"]]);
  });

  it("have one number each, and a reason where they are not checked", () => {
    const all = [...DISPATCH_RULES, ...RECEIPT_LOG_RULES];
    expect(new Set(all.map(({ number }) => number)).size).toBe(all.length);
    for (const rule of all) if (rule.level === "not-checked") expect(rule.because.length).toBeGreaterThan(20);
    expect(RECEIPT_RULES.length).toBe(12);
  });
});
