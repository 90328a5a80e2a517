import { createCancellation } from "@casebook/ports";
import { describe, expect, it } from "vitest";
import { createWorld, type World } from "./index.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const fresh = (maxVirtualMs?: number): World => createWorld({ seed: 1, epoch: "2026-03-01T00:00:00Z", maxVirtualMs });

describe("virtual time", () => {
  it("is exact, also for waits of years and of parts of a millisecond", async () => {
    const seen = await fresh().run(async ({ clock }) => {
      const passed: number[] = [];
      // 2^31-1 ms is the longest timer; eight years is the longest wait for a 29 February.
      for (const durationMs of [1, 0.25, 2 ** 31 - 1, 2 ** 31, 8 * 365 * DAY_MS, 0]) {
        const before = clock.now();
        await clock.sleep(durationMs);
        passed.push(clock.now() - before);
      }
      return passed;
    });
    expect(seen).toEqual([1, 1, 2 ** 31 - 1, 2 ** 31, 8 * 365 * DAY_MS, 0]);
  });

  it("wakes by deadline, and equal deadlines in the order in which the waits began", async () => {
    const order = await fresh().run(async ({ clock }) => {
      const woken: string[] = [];
      const sleep = (name: string, durationMs: number): Promise<unknown> =>
        clock.sleep(durationMs).then(() => woken.push(name));
      await Promise.all([sleep("c", 20), sleep("a", 10), sleep("d", 20), sleep("b", 10)]);
      return woken;
    });
    expect(order).toEqual(["a", "b", "c", "d"]);
  });

  it("lets one waker finish before the next one of the same instant", async () => {
    const order = await fresh().run(async ({ clock }) => {
      const seen: string[] = [];
      const sleeper = async (name: string): Promise<void> => {
        await clock.sleep(5);
        seen.push(`${name} wakes`);
        for (let turn = 0; turn < 20; turn += 1) await undefined;
        seen.push(`${name} is done`);
      };
      await Promise.all([sleeper("one"), sleeper("two")]);
      return seen;
    });
    expect(order).toEqual(["one wakes", "one is done", "two wakes", "two is done"]);
  });

  it.each([
    ["forward by two days", 2 * DAY_MS],
    ["back by two days", -2 * DAY_MS],
  ])("keeps the length of a wait when the clock is set %s", async (_name, jumpMs) => {
    const world = fresh();
    const seen = await world.run(async ({ clock }) => {
      const start = clock.now();
      const long = clock.sleep(3 * HOUR_MS).then(() => clock.now() - start);
      await clock.sleep(HOUR_MS);
      world.setClock(clock.now() + jumpMs);
      const afterJump = clock.now() - start;
      return { afterJump, atWake: await long };
    });
    expect(seen).toEqual({ afterJump: HOUR_MS + jumpMs, atWake: 3 * HOUR_MS + jumpMs });
  });

  it("refuses to set the clock to what no clock shows", () => {
    expect(() => fresh().setClock(Number.NaN)).toThrow(
      "WORLD_CLOCK_INVALID: setClock was given NaN; a clock shows whole milliseconds since 1970. " +
        "Pass a number such as world.epochMs + 3_600_000.",
    );
  });

  it("forgets a cancelled wait for good, also one that is in its second timer", async () => {
    const world = fresh();
    await world.run(async ({ clock }) => {
      const cancellation = createCancellation();
      const cancelled = clock.sleep(40 * DAY_MS, cancellation.signal);
      // Longer than the 24.8 days of one timer.
      await clock.sleep(30 * DAY_MS);
      cancellation.cancel();
      await cancelled;
      await clock.sleep(20 * DAY_MS);
    });
    const wakes = world.trace.events.filter((event) => event.operation === "clock.wake");
    expect(wakes.map(({ outcome, atMs }) => [outcome, (atMs - world.epochMs) / DAY_MS])).toEqual([
      ["elapsed", 30],
      ["cancelled", 30],
      ["elapsed", 50],
    ]);
  });

  it("is limited, whatever the clock shows", async () => {
    const world = fresh(DAY_MS);
    world.setClock(world.epochMs + 10 * DAY_MS);
    const run = world.run(async ({ clock }) => { for (;;) await clock.sleep(HOUR_MS); });
    await expect(run).rejects.toThrow(
      "WORLD_TIMED_OUT: more than 86400000 ms of virtual time; the run waits for something that does not come. " +
        "Look at the last events of world.trace, or raise maxVirtualMs if the wait is really that long.",
    );
    expect(world.ports.clock.now() - world.epochMs).toBe(11 * DAY_MS + HOUR_MS);
  });
});
