/**
 * The matrix of docs/conformance.md again: every known-bad dispatcher against every rule, at the share of the budget that the matrix
 * was made with. About an hour on two cores at the whole budget; `CASEBOOK_SOAK_SHARE` (0 to 1) plays so many of its rows, evenly.
 */
import { KNOWN_BAD_DISPATCHERS } from "@casebook/dispatcher/known-bad";
import { expect, it } from "vitest";
import { MATRIX } from "./node/known-bad.fixture.ts";
import { runConformance } from "./node/index.ts";
import { reference } from "./reference.fixture.ts";

const SHARE = Number(process.env["CASEBOOK_SOAK_SHARE"] ?? 1);
if (!(SHARE > 0 && SHARE <= 1)) throw new Error(`SOAK_SHARE_INVALID: CASEBOOK_SOAK_SHARE is ${SHARE}. Give a number above 0 and up to 1.`);
const rows = MATRIX.rows.filter((_row, at) => Math.floor(at * SHARE) !== Math.floor((at - 1) * SHARE));

it.each(rows.map(({ name, failed }) => [name, failed] as const))("%s fails what the matrix says, and nothing else", { timeout: 1_200_000 }, async (name, failed) => {
  const policies = KNOWN_BAD_DISPATCHERS.find((bad) => bad.name === name)?.policies ?? {};
  const { rules } = await runConformance(reference(policies, name), { share: MATRIX.share });
  expect(rules.filter(({ verdict }) => verdict === "FAIL").map(({ number }) => number)).toEqual(failed);
});
