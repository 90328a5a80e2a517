/** Every receipt log that is known to be wrong against every rule of the kit: it fails what is written down, and nothing else. */
import { KNOWN_BAD_RECEIPTS } from "@casebook/receipt-reader/known-bad";
import { expect, it } from "vitest";
import { runReceiptConformance } from "../node/index.ts";
import { FAILS, failedOf, ours } from "./reference.fixture.ts";

it.each(KNOWN_BAD_RECEIPTS)("fails what is written down, and nothing else: $name", async ({ name, policies }) => {
  expect(failedOf(await runReceiptConformance(ours(policies, name), { share: 0.5 }))).toEqual(FAILS[name] ?? []);
});
