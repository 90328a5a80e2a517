/** The limit of the state file, at its real size: sixteen megabytes in the world are too slow for every commit. */
import type { Task } from "@casebook/registry/judge";
import { type World, createWorld } from "@casebook/sim";
import { describe, expect, it } from "vitest";
import { MAX_STATE_BYTES, type SchedulerOptions, createMemorySource, createScheduler, stateText } from "./index.ts";
import { type RememberedSlot, readState } from "./state.ts";

const noon = Date.parse("2026-07-03T12:00:00Z");
const minutely = (id: string): Task => ({ id, enabled: true, schedule: { kind: "cron", expression: "* * * * *", zone: undefined }, lastRunAtMs: undefined });
const once = (id: string): Task => ({ ...minutely(id), schedule: { kind: "once", atMs: noon } });


async function put(world: World, text: string): Promise<void> {
  await world.run(async ({ disk }) => {
    const file = await disk.open("/state.json", "w");
    await file.write(new TextEncoder().encode(text));
    await file.close();
  });
}

describe("a state that would be too large", () => {
  it("is not written, and the slots run when there is room again", async () => {
    const world = createWorld({ seed: 1, epoch: noon });
    const long = "x".repeat(MAX_STATE_BYTES / 4);
    const tasks = ["a", "b", "c", "d"].map((letter) => once(letter + long));
    const seen = await world.run(async (ports) => {
      const source = createMemorySource([once("small"), ...tasks]);
      const dispatched: string[] = [];
      const dispatch: SchedulerOptions["dispatch"] = async ({ task }) => void dispatched.push(task.id.slice(0, 5));
      const scheduler = createScheduler(ports, { source, zone: "UTC", statePath: "/state.json", dispatch });
      const first = await scheduler.pass();
      expect(dispatched).toEqual([]);
      source.remove(`d${long}`);
      const second = await scheduler.pass();
      return { first, second: second.outcome, dispatched, health: (await readState(ports, "/state.json")).health };
    });
    expect(seen.first).toEqual({
      outcome: "state-not-written",
      atMs: noon,
      problem: {
        code: "STATE_TOO_LARGE",
        message: expect.stringMatching(
          /^STATE_TOO_LARGE: the scheduler's state would have \d+ bytes, and a pass writes at most 16777216\. The file is as it was, nothing new is queued, and the next pass looks at the same slots\. What is queued makes room when it is dispatched; else list fewer tasks\.$/,
        ) as string,
      },
    });
    expect([seen.second, seen.dispatched, seen.health]).toEqual(["passed", ["small", "axxxx", "bxxxx", "cxxxx"], "healthy"]);
  });

  it("can be read back at its largest, with every slot at its longest stage", async () => {
    const world = createWorld({ seed: 1, epoch: noon });
    const slots = (stage: RememberedSlot["stage"]) =>
      new Map(Array.from({ length: 200_000 }, (_none, index) => [`${index}`, { taskId: "", slotMs: index, reason: "one-shot", stage } as const]));
    const queued = stateText({ lastPassMs: noon, slots: slots("queued") }).length;
    const interrupted = stateText({ lastPassMs: noon, slots: slots("interrupted") }).length;
    expect(queued).toBeLessThan(MAX_STATE_BYTES);
    // The marks that follow a pass may let the file grow by this much; the reader takes twice what a pass writes.
    expect(interrupted / queued).toBeLessThan(2);
    await put(world, stateText({ lastPassMs: noon, slots: slots("interrupted") }).padEnd(2 * MAX_STATE_BYTES));
    expect(await world.run(async (ports) => (await readState(ports, "/state.json")).health)).toBe("healthy");
  });
});

