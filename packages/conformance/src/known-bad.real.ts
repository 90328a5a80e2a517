/** Each known-bad dispatcher that the kit sees, in the first rule that the matrix names; and the reference in all, in three shapes. */
import { KNOWN_BAD_DISPATCHERS } from "@casebook/dispatcher/known-bad";
import { describe, expect, it } from "vitest";
import { behindFaultProxy } from "./index.ts";
import { MATRIX } from "./node/known-bad.fixture.ts";
import { runConformance } from "./node/index.ts";
import { reference } from "./reference.fixture.ts";
import { verdictsOf, wrapped } from "./wrapped.fixture.ts";

const seen = MATRIX.rows.filter(({ failed }) => failed.length > 0);

describe("a known-bad dispatcher", () => {
  it.each(seen.map(({ name, failed }) => [name, failed[0] as string] as const))("%s fails %s", { timeout: 120_000 }, async (name, rule) => {
    const policies = KNOWN_BAD_DISPATCHERS.find((bad) => bad.name === name)?.policies ?? {};
    const { rules } = await runConformance(reference(policies, name), { only: [rule], share: MATRIX.share });
    expect(rules[0]?.verdict).toBe("FAIL");
  });
});

describe("the reference", () => {
  it("has the same verdicts behind the fault proxy and behind a wrapper", { timeout: 300_000 }, async () => {
    const only = ["C01", "C02", "C03", "C06", "F01", "F03", "F05", "F09", "F10", "F10b", "F10c", "F10e", "F11", "F14", "F14b", "F16", "F18", "F19"];
    const own = verdictsOf(await runConformance(reference(), { only, share: 0.05 }));
    expect(own).toEqual(Object.fromEntries(only.map((number) => [number, "PASS"])));
    expect(verdictsOf(await runConformance(behindFaultProxy(reference()), { only, share: 0.05 }))).toEqual(own);
    expect(verdictsOf(await runConformance(wrapped(reference()), { only, share: 0.05 }))).toEqual(own);
  });
});
