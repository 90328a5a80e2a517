/** Whatever brings a step to rest, the same programs take the same steps: choices, hash, and the order of all that user code does. */
import { describe, expect, it } from "vitest";
import { compareAll } from "./exactness.fixture.ts";

const NONE = { checkpoint: [], macrotask: [], nextTick: [] };

describe("the barriers", () => {
  it("agree on random programs of promises", async () => {
    const { differing, steps } = await compareAll(1, 300, "promises");
    expect(differing).toEqual(NONE);
    expect(steps).toBeGreaterThan(3_000);
  });

  it("agree on programs that chain ticks as well", async () => {
    expect((await compareAll(1_001, 300, "ticks")).differing).toEqual(NONE);
  });

  it("agree on rejections that nobody handles, but for the one of documented calls, to which some are reported a step late", async () => {
    const { differing, rejections } = await compareAll(2_001, 200, "rejections");
    expect(differing["checkpoint"]).toEqual([]);
    expect(rejections).toBeGreaterThan(50);
  });
});
