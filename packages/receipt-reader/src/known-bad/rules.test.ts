/** The suite `receipts`: every fault of every rule, against the reference or, by `--against`, against what is known to be wrong. */
import { REFERENCE_POLICIES } from "@casebook/receipt-reader";
import { KNOWN_BAD_RECEIPTS, RECEIPT_RULES } from "@casebook/receipt-reader/known-bad";
import { describe, expect, inject, it } from "vitest";
import { createLab } from "./lab.fixture.ts";

const name = inject("knownBad") as string | undefined;
const policies = KNOWN_BAD_RECEIPTS.find((one) => one.name === name)?.policies ?? REFERENCE_POLICIES;
const lab = createLab({ images: "each" });

for (const { id, text, faults } of RECEIPT_RULES) {
  describe(`${id} ${text}`, () => {
    it.each(Object.entries(faults))("%s", async (_fault, tryIt) => {
      const seen = await tryIt(lab, policies);
      if (seen !== undefined) expect.fail(seen);
    });
  });
}
