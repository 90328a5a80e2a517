import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jitterMs } from "./index.ts";

const slot = Date.parse("2026-07-03T04:00:00Z");

describe("jitter", () => {
  it("is the same for the same task and slot, and not for the next task or the next day", () => {
    const first = jitterMs("nightly-1", slot, undefined, 900_000);
    expect(jitterMs("nightly-1", slot, undefined, 900_000)).toBe(first);
    expect(jitterMs("nightly-2", slot, undefined, 900_000)).not.toBe(first);
    expect(jitterMs("nightly-1", slot + 86_400_000, undefined, 900_000)).not.toBe(first);
  });

  it("never moves a fire before its slot, beyond the maximum, or to the next slot", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 120_000 }), fc.integer({ min: 0, max: 900_000 }), (id, toNext, maximum) => {
        const delay = jitterMs(id, slot, slot + toNext, maximum);
        return Number.isInteger(delay) && delay >= 0 && delay <= maximum && delay < toNext;
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it("is nothing without a maximum", () => {
    expect(jitterMs("nightly", slot, undefined, 0)).toBe(0);
    expect(jitterMs("nightly", slot, undefined, -5)).toBe(0);
    expect(jitterMs("nightly", slot, undefined, Number.NaN)).toBe(0);
  });

  it("spreads ids that differ in one digit: a hundred tasks fill each quarter of the maximum", () => {
    const quarters = [0, 0, 0, 0];
    for (let index = 0; index < 100; index += 1) {
      const quarter = Math.floor(jitterMs(`task-${index}`, slot, undefined, 899_999) / 225_000);
      quarters[quarter] = (quarters[quarter] ?? 0) + 1;
    }
    for (const tasks of quarters) expect(tasks).toBeGreaterThan(12);
  });
});
