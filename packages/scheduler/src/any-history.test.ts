/** The promises of the reference over generated histories: starts, crashes, pauses and clocks that go both ways. */
import type { Ports } from "@casebook/ports";
import type { Task } from "@casebook/registry/judge";
import { createWorld } from "@casebook/sim";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMemorySource, createScheduler } from "./index.ts";

const epoch = Date.parse("2026-07-03T12:00:00Z");
const HOUR_MS = 3_600_000;
const SIX_HOURS_MS = 6 * HOUR_MS;
const cron = (id: string, expression: string): Task => ({
  id,
  enabled: true,
  schedule: { kind: "cron", expression, zone: undefined },
  lastRunAtMs: undefined,
});
const TASKS: readonly Task[] = [
  cron("daily", "0 5 * * *"),
  cron("six-hourly", "0 */6 * * *"),
  cron("weekly", "45 5 * * 1"),
  { ...cron("call", ""), schedule: { kind: "once", atMs: epoch + 30 * HOUR_MS } },
];

interface Start {
  /** How far the clock has gone since the last start; below 0 it was set back. */
  readonly hours: number;
  readonly crash: "none" | "scheduler.after-intent" | "scheduler.after-dispatch";
}

const start = (hours: fc.Arbitrary<number>) =>
  fc.record<Start>({ hours, crash: fc.constantFrom("none", "none", "scheduler.after-intent", "scheduler.after-dispatch") });

function dyingAt(point: string, ports: Ports): Ports {
  return { ...ports, faults: { reach: (reached) => (reached === point ? new Promise(() => undefined) : ports.faults.reach(reached)) } };
}

/** Keys in the order of their dispatch, and after each start that did not crash: the newest slots and what became of them. */
async function play(starts: readonly Start[]) {
  const world = createWorld({ seed: 1, epoch });
  const dispatched: string[] = [];
  const accounted = new Set<string>();
  const source = createMemorySource(TASKS);
  const unaccounted: string[] = [];
  let nowMs = epoch;
  for (const { hours, crash } of [{ hours: 0, crash: "none" } as Start, ...starts]) {
    nowMs += hours * HOUR_MS;
    world.setClock(nowMs);
    await world.run(async (ports) => {
      const dispatch = async ({ key }: { key: string }) => void dispatched.push(key);
      const scheduler = createScheduler(dyingAt(crash, ports), { source, zone: "UTC", statePath: "/state.json", dispatch, maxConcurrent: 1 });
      const pass = scheduler.pass();
      if (crash !== "none") return ports.clock.sleep(1_000);
      const report = await pass;
      if (report.outcome !== "passed") throw new Error(report.problem.message);
      for (const { taskId, slotMs } of report.interrupted) accounted.add(`${taskId}@${new Date(slotMs).toISOString()}`);
      const newest = `six-hourly@${new Date(Math.floor(nowMs / SIX_HOURS_MS) * SIX_HOURS_MS).toISOString()}`;
      // Its slot lies in what was looked at, and was neither dispatched nor reported as interrupted.
      if (hours >= 6 && report.clock === "forward" && !dispatched.includes(newest) && !accounted.has(newest)) unaccounted.push(newest);
      return "elapsed";
    });
  }
  return { dispatched, unaccounted };
}

describe("any history of starts", () => {
  it("forwards dispatches no slot twice and loses no newest slot without saying so", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(start(fc.integer({ min: 1, max: 60 })), { maxLength: 6 }), async (starts) => {
        const { dispatched, unaccounted } = await play(starts);
        expect(new Set(dispatched).size).toBe(dispatched.length);
        expect(unaccounted).toEqual([]);
      }),
      { seed: 1, numRuns: 20 },
    );
  });

  it("in both directions within the look-back window dispatches no slot twice", async () => {
    // At most 6 × 24 hours back and forth: what lies further back is forgotten, as the header of create-scheduler says.
    await fc.assert(
      fc.asyncProperty(fc.array(start(fc.integer({ min: -24, max: 24 })), { maxLength: 6 }), async (starts) => {
        const { dispatched } = await play(starts);
        expect(new Set(dispatched).size).toBe(dispatched.length);
      }),
      { seed: 1, numRuns: 20 },
    );
  });
});
