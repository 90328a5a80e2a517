/** What the matrix of docs/conformance.md says of itself; that it is true is for the longer tiers. */
import { KNOWN_BAD_DISPATCHERS } from "@casebook/dispatcher/known-bad";
import { SCENARIOS } from "@casebook/dispatch-suite";
import { RECEIPT_RULES } from "@casebook/receipt-reader/known-bad";
import { describe, expect, it } from "vitest";
import { DISPATCH_RULES, isChecked, RECEIPT_LOG_RULES } from "./index.ts";
import { MATRIX } from "./node/known-bad.fixture.ts";

const asked = DISPATCH_RULES.filter(isChecked).map(({ number }) => number);
/** Rules of the six have their own number where only a probe shows them. */
const numberOf = (check: string): string => check.split("/")[0] as string;

describe("the matrix of the known-bad dispatchers", () => {
  it("has a row for each of them, and one for the reference, which fails nothing", () => {
    expect(MATRIX.map(({ name }) => name)).toEqual(["reference", ...KNOWN_BAD_DISPATCHERS.map(({ name }) => name)]);
    expect(MATRIX[0]).toEqual({ name: "reference", expected: [], failed: [], surprises: {} });
  });

  it("expects of each what was written down for our own suite, as far as the kit has the rule", () => {
    for (const { name, breaks, unbroken = {} } of KNOWN_BAD_DISPATCHERS) {
      const numbers = breaks.filter((check) => unbroken[check] === undefined).map(numberOf);
      const expected = [...new Set(numbers)].filter((number) => asked.includes(number)).toSorted();
      expect([name, MATRIX.find((row) => row.name === name)?.expected]).toEqual([name, expected]);
    }
  });

  it("gives a reason for every surprise, and for every dispatcher that it does not see", () => {
    for (const { name, expected, failed, surprises, unseen } of MATRIX.slice(1)) {
      const different = [...expected.filter((rule) => !failed.includes(rule)), ...failed.filter((rule) => !expected.includes(rule))];
      expect([name, Object.keys(surprises).toSorted()]).toEqual([name, different.toSorted()]);
      expect([name, failed.length === 0]).toEqual([name, unseen !== undefined]);
    }
  });
});

describe("the rules of the kit", () => {
  it("leave out no fault that our own dispatcher is held to", () => {
    const numbers = DISPATCH_RULES.map(({ number }) => number.slice(0, 3));
    for (const { id } of SCENARIOS) expect(numbers).toContain(id.slice(0, 3));
    expect(numbers).toContain("F12");
  });

  it("have one number each, and a reason where they are not checked", () => {
    const all = [...DISPATCH_RULES, ...RECEIPT_LOG_RULES];
    expect(new Set(all.map(({ number }) => number)).size).toBe(all.length);
    for (const rule of all) if (rule.level === "not-checked") expect(rule.because.length).toBeGreaterThan(20);
    expect(RECEIPT_RULES.length).toBe(12);
  });
});
