import { brokenReceiptRules, KNOWN_BAD_RECEIPTS, RECEIPT_RULES } from "@casebook/receipt-reader/known-bad";
import { describe, expect, it } from "vitest";
import { createLab } from "./lab.fixture.ts";

const lab = createLab({ images: "poorest" });

describe("receipt logs that are known to be wrong", () => {
  it.each(KNOWN_BAD_RECEIPTS)("$name: breaks what it says it breaks, and nothing else", async ({ policies, breaks }) => {
    const broken = await brokenReceiptRules(lab, policies);
    // What was seen stands in the difference when a rule breaks that nobody expected.
    expect(broken).toEqual(Object.fromEntries(breaks.map((id) => [id, expect.any(String)])));
  });

  it("break every rule at least once, so that no rule is there for show", () => {
    expect([...new Set(KNOWN_BAD_RECEIPTS.flatMap(({ breaks }) => breaks))].toSorted()).toEqual(RECEIPT_RULES.map(({ id }) => id));
  });

  it("are held against twelve rules, each with faults", () => {
    expect(RECEIPT_RULES.map(({ id }) => id)).toEqual(Array.from({ length: 12 }, (_, index) => `RC${String(index + 1).padStart(2, "0")}`));
    expect(Math.min(...RECEIPT_RULES.map(({ faults }) => Object.keys(faults).length))).toBeGreaterThanOrEqual(2);
  });
});
