/** The matrix of docs/conformance.md again: every receipt log that is known to be wrong against every rule of the kit. */
import { KNOWN_BAD_RECEIPTS } from "@casebook/receipt-reader/known-bad";
import { expect, it } from "vitest";
import { runReceiptConformance } from "../node/index.ts";
import { RECEIPT_MATRIX, RECEIPT_MATRIX_SHARE } from "../node/known-bad-receipts.fixture.ts";
import { failedOf, ours } from "./reference.fixture.ts";

it.each(RECEIPT_MATRIX)("fails what the matrix says, and nothing else: $name", async ({ name, failed }) => {
  const policies = KNOWN_BAD_RECEIPTS.find((bad) => bad.name === name)?.policies;
  expect(failedOf(await runReceiptConformance(ours(policies, name), { share: RECEIPT_MATRIX_SHARE }))).toEqual(failed);
});
