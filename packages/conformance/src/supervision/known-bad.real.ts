/** The matrix of docs/conformance.md again: every known-bad supervisor against every rule of supervision; and the reference in two shapes. */
import { REFERENCE_POLICIES } from "@casebook/supervisor";
import { knownBad } from "@casebook/supervisor/known-bad";
import { expect, it } from "vitest";
import { SUPERVISION_RULES } from "../index.ts";
import { MATRIX, playRow } from "../node/supervisor-matrix.fixture.ts";

it.each(MATRIX.map(({ name, broken, failed }) => ({ name, broken, failed })))("$name: breaks what the matrix says, and nothing else", async ({ name, broken, failed }) => {
  expect(await playRow(name, knownBad.find((bad) => bad.name === name)?.policies ?? REFERENCE_POLICIES)).toEqual({ broken, failed });
});

it("was asked of each of them in every rule that is played", () => {
  expect([MATRIX.length, SUPERVISION_RULES.filter(({ level }) => level !== "not-checked").length]).toEqual([knownBad.length + 1, 32]);
});
