/** The comparison of `contract.test.ts`, longer. `CASEBOOK_SOAK_SHARE` (0 to 1) plays a part of it. */
import { it } from "vitest";
import { compareMany, createComparison } from "./call-sequences.fixture.ts";

const SHARE = Number(process.env["CASEBOOK_SOAK_SHARE"] ?? 1);

it.each([1, 2, 3])("answers 2,000 generated sequences as Node does: seed %i", async (seed) => {
  const { play, close } = createComparison();
  try {
    await compareMany(play, seed, Math.ceil(2_000 * SHARE));
  } finally {
    close();
  }
});
