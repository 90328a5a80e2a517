import { describe, expect, it } from "vitest";
import type { Ports } from "@casebook/ports";
import { createWorld, type World, type WorldOptions } from "./index.ts";

const epoch = "2026-03-01T00:00:00Z";
const epochMs = Date.UTC(2026, 2, 1);
const fresh = (options: Partial<WorldOptions> = {}): World => createWorld({ seed: 1, epoch, ...options });
/** As a JavaScript caller sees it, whom no type stops. */
const make = (options: object): (() => World) => () => createWorld(options as WorldOptions);

describe("what a world is made from", () => {
  it("is required: no seed from the system and no epoch from its clock", () => {
    expect(make({ epoch })).toThrow(
      "WORLD_SEED_REQUIRED: createWorld was given seed undefined; a world draws everything undetermined from its seed " +
        "and takes none from the system, so that a run can be repeated. " +
        "Pass a whole number from 0 to 4294967295, such as seed: 1.",
    );
    expect(make({ seed: 1 })).toThrow(
      "WORLD_EPOCH_REQUIRED: createWorld was given epoch undefined; a world has its own clock and never reads the " +
        "machine's. Pass milliseconds since 1970 or an ISO-8601 instant with a zone, such as " +
        'epoch: "2026-03-01T00:00:00Z".',
    );
    expect(() => (createWorld as () => World)()).toThrow(/^WORLD_SEED_REQUIRED/);
  });

  it.each([[-1], [2 ** 32], [0.5], [Number.NaN], ["1"], [null]])("refuses the seed %s", (seed) => {
    expect(make({ seed, epoch })).toThrow(expect.objectContaining({ code: "WORLD_SEED_INVALID" }));
  });

  it.each([
    ["2026-13-45T00:00:00Z"],
    ["2026-02-30T00:00:00Z"],
    ["2026-03-01T00:00:00"],
    ["2026-03-01"],
    ["tomorrow"],
    [""],
    [Number.NaN],
    [-1],
    [1.5],
    [new Date(0)],
  ])("refuses the epoch %s", (wrong) => {
    expect(make({ seed: 1, epoch: wrong })).toThrow(expect.objectContaining({ code: "WORLD_EPOCH_INVALID" }));
  });

  it.each([
    [epochMs, epochMs],
    ["2026-03-01T00:00Z", epochMs],
    ["2026-03-01T05:30:00.000+05:30", epochMs],
    [0, 0],
  ])("takes the epoch %s", (given, startMs) => {
    const world = createWorld({ seed: 4294967295, epoch: given });
    expect([world.epochMs, world.ports.clock.now()]).toEqual([startMs, startMs]);
  });

  it("refuses limits that are none", () => {
    expect(make({ seed: 1, epoch, maxSteps: 0 })).toThrow(expect.objectContaining({ code: "WORLD_CAP_INVALID" }));
    expect(make({ seed: 1, epoch, maxVirtualMs: Infinity })).toThrow(/^WORLD_CAP_INVALID/);
  });
});

describe("a run", () => {
  it("answers what its function answers, and throws what it throws, at once or later", async () => {
    const world = fresh();
    expect(await world.run(async () => 7)).toBe(7);
    await expect(world.run(async () => Promise.reject(new Error("later")))).rejects.toThrow("later");
    const atOnce = (): Promise<never> => {
      throw new Error("at once");
    };
    await expect(world.run(atOnce)).rejects.toThrow("at once");
  });

  it("drains promises of any depth before it moves time", async () => {
    const deep = async (depth: number): Promise<void> => {
      await undefined;
      if (depth > 0) await deep(depth - 1);
    };
    const order = await fresh().run(async ({ clock }) => {
      const seen: string[] = [];
      await Promise.all([clock.sleep(0).then(() => seen.push("slept")), deep(500).then(() => seen.push("deep"))]);
      return seen;
    });
    expect(order).toEqual(["deep", "slept"]);
  });

  it("may follow another in the same world, which keeps its time, disk and ids", async () => {
    const world = fresh();
    await world.ports.disk.mkdir("/prepared");
    await world.run(async ({ clock, ids }) => {
      ids.next("attempt");
      await clock.sleep(1000);
    });
    const second = await world.run(async ({ clock, disk, ids }) => [
      clock.now() - epochMs,
      (await disk.stat("/prepared")).kind,
      ids.next("attempt"),
    ]);
    expect(second).toEqual([1000, "directory", "attempt-0002"]);
  });

  it("leaves behind nothing that wakes in the next one", async () => {
    const world = fresh();
    const woken: string[] = [];
    await world.run(async ({ clock }) => {
      void clock.sleep(10).then(() => woken.push("left behind"));
    });
    await world.run(({ clock }) => clock.sleep(20));
    expect(woken).toEqual([]);
  });

  it("takes its ports along: a call after its end says WORLD_ENDED and changes nothing", async () => {
    const world = fresh();
    const stale = await world.run(async (ports) => ports);
    await expect(stale.disk.mkdir("/late")).rejects.toThrow(
      "WORLD_ENDED: disk.mkdir '/late' was called through the ports of a run that is over, so its answer could no longer " +
        "matter. Await everything inside the function given to world.run, or use world.ports to look at the world afterwards.",
    );
    expect(() => stale.ids.next("attempt")).toThrow(/^WORLD_ENDED/);
    expect(await world.ports.disk.readdir("/")).toEqual([]);
  });

  it("is alone: a second at the same time is WORLD_BUSY, and the first goes on", async () => {
    const world = fresh();
    const first = world.run(({ clock }) => clock.sleep(5));
    await expect(world.run(async () => 1)).rejects.toThrow(/^WORLD_BUSY/);
    expect(await first).toBe("elapsed");
  });

  it("is where sleeping is possible, because time stands still outside", async () => {
    await expect(fresh().ports.clock.sleep(1)).rejects.toThrow(
      "WORLD_NOT_RUNNING: clock.sleep was called outside world.run, where time does not move and the wait would never end. " +
        "Do the waiting inside world.run.",
    );
  });

  it("that awaits what nobody settles is a deadlock, and says what came last", async () => {
    const world = fresh();
    const stuck = world.run(async ({ disk }) => {
      await disk.mkdir("/queue");
      await new Promise(() => undefined);
    });
    await expect(stuck).rejects.toThrow(
      "WORLD_DEADLOCK: the run awaits something that nothing in the world will settle: no wait is pending and every port " +
        "operation has answered (last one: disk.mkdir '/queue'). If it awaits a real timer or real input, use the ports; " +
        "otherwise look for a promise that nobody resolves.",
    );
    expect((await world.ports.disk.readdir("/")).length).toBe(1);
  });
});

describe("a loop that never ends", () => {
  const loops: readonly (readonly [string, (ports: Ports) => Promise<never>])[] = [
    ["over the disk", async ({ disk }) => { for (;;) await disk.stat("/"); }],
    ["that swallows every error", async ({ disk }) => { for (;;) await disk.stat("/missing").catch(() => undefined); }],
    ["over the clock", async ({ clock }) => { for (;;) clock.now(); }],
    ["over waits", async ({ clock }) => { for (;;) await clock.sleep(1); }],
  ];
  it.each(loops)("%s ends as WORLD_TIMED_OUT", async (_name, loop) => {
    await expect(fresh({ maxSteps: 1000 }).run(loop)).rejects.toThrow(
      "WORLD_TIMED_OUT: more than 1000 port operations; a loop over ports probably never ends. " +
        "Look at the last events of world.trace, or raise maxSteps if the work is really that long.",
    );
  });

  it("is stopped beside a function that has long answered, because nobody else would notice it", async () => {
    const world = fresh({ maxSteps: 1000 });
    const run = world.run(async ({ disk }) => {
      const background = async (): Promise<never> => { for (;;) await disk.stat("/"); };
      void background();
    });
    await expect(run).rejects.toThrow(/^WORLD_TIMED_OUT/);
    // The steps are used up for good; whoever looks afterwards is told and does not hang.
    await expect(world.ports.disk.stat("/")).rejects.toThrow(/^WORLD_TIMED_OUT/);
  });

  it("does exactly as many operations as it may", async () => {
    const four = async ({ ids }: Ports): Promise<string> => [1, 2, 3, 4].map(() => ids.next("a")).at(-1)!;
    expect(await fresh({ maxSteps: 4 }).run(four)).toBe("a-0004");
    await expect(fresh({ maxSteps: 3 }).run(four)).rejects.toThrow(/^WORLD_TIMED_OUT/);
  });
});
