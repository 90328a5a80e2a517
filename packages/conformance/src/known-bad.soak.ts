/** The whole matrix of docs/conformance.md again: every known-bad dispatcher against every rule. Half an hour on two cores. */
import { KNOWN_BAD_DISPATCHERS } from "@casebook/dispatcher/known-bad";
import { expect, it } from "vitest";
import { MATRIX } from "./node/known-bad.fixture.ts";
import { runConformance } from "./node/index.ts";
import { reference } from "./reference.fixture.ts";

it.each(MATRIX.rows.map(({ name, failed }) => [name, failed] as const))("%s fails what the matrix says, and nothing else", { timeout: 600_000 }, async (name, failed) => {
  const policies = KNOWN_BAD_DISPATCHERS.find((bad) => bad.name === name)?.policies ?? {};
  const { rules } = await runConformance(reference(policies, name), { share: MATRIX.share });
  expect(rules.filter(({ verdict }) => verdict === "FAIL").map(({ number }) => number)).toEqual(failed);
});
