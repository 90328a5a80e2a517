/** The comparison of `exactness.test.ts`, longer, and with what the barrier of documented calls leaves out. */
import { expect, it } from "vitest";
import { compareAll } from "./exactness.fixture.ts";

it.each(["promises", "ticks", "rejections"] as const)("the barriers agree on 10,000 random programs: %s", async (spice) => {
  const { differing, ...counts } = await compareAll(100_000, 10_000, spice);
  console.log(JSON.stringify({ spice, ...counts, differing: Object.fromEntries(Object.entries(differing).map(([name, seeds]) => [name, seeds.length])) }));
  expect(differing["checkpoint"]).toEqual([]);
  if (spice !== "rejections") expect(differing).toEqual({ checkpoint: [], macrotask: [], nextTick: [] });
});
