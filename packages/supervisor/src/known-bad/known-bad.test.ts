/** Each known-bad supervisor breaks what it says it breaks, and nothing else; the reference breaks nothing. */
import { REFERENCE_POLICIES } from "@casebook/supervisor";
import { knownBad, SUPERVISOR_RULES } from "@casebook/supervisor/known-bad";
import { brokenRules, INVARIANTS } from "@casebook/supervisor/scenarios";
import { findRunner } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";

const runner = await findRunner();

describe("the supervisor's known-bad policies", () => {
  it("break nothing when they are the reference, and then every scenario passes", async () => {
    const { broken, results } = await brokenRules(REFERENCE_POLICIES, runner);
    expect([broken, Object.values(results).filter(({ verdict }) => verdict !== "pass").map(({ id, because }) => [id, because])]).toEqual([[], []]);
  });

  it.each(knownBad)("$name: breaks what it says it breaks, and nothing else", async ({ policies, breaks }) => {
    expect((await brokenRules(policies, runner)).broken).toEqual(breaks);
  });

  it("break every rule at least once, and every invariant", () => {
    expect(new Set(knownBad.flatMap(({ breaks }) => breaks))).toEqual(new Set(Object.keys(SUPERVISOR_RULES)));
    expect(INVARIANTS.filter((id) => !knownBad.some(({ breaks }) => breaks.includes(id)))).toEqual([]);
  });
});
