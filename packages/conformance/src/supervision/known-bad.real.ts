/** The matrix of docs/conformance.md again: every known-bad supervisor against every rule of supervision; and the reference in two shapes. */
import { REFERENCE_POLICIES } from "@casebook/supervisor";
import { knownBad } from "@casebook/supervisor/known-bad";
import { expect, it } from "vitest";
import { SUPERVISION_RULES } from "../index.ts";
import { runSupervisorConformance } from "../node/index.ts";
import { verdictsOf } from "../wrapped.fixture.ts";
import { MATRIX, playRow } from "../node/supervisor-matrix.fixture.ts";
import { reference, wrapped } from "./reference.fixture.ts";

it.each(MATRIX.map(({ name, broken, failed }) => ({ name, broken, failed })))("$name: breaks what the matrix says, and nothing else", async ({ name, broken, failed }) => {
  expect(await playRow(name, knownBad.find((bad) => bad.name === name)?.policies ?? REFERENCE_POLICIES)).toEqual({ broken, failed });
});

it("was asked of each of them in every rule that is played", () => {
  expect([MATRIX.length, SUPERVISION_RULES.filter(({ level }) => level !== "not-checked").length]).toEqual([knownBad.length + 1, 35]);
});

it.each([
  ["the reference", REFERENCE_POLICIES],
  ["one that calls an item done before its artefact is there", { ...REFERENCE_POLICIES, finishOrder: "done-first" as const }],
])("has the same verdicts behind a wrapper that only passes on: %s", async (_name, policies) => {
  const own = verdictsOf(await runSupervisorConformance(reference(policies), { share: 0.2 }));
  expect(verdictsOf(await runSupervisorConformance(wrapped(reference(policies)), { share: 0.2 }))).toEqual(own);
});
