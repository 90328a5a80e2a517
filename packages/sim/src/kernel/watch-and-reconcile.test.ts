/** Looking again, of `@casebook/ports/watch`, in the world: here, because the world is what it needs. */
import { type CancelSignal, createCancellation, type Watch } from "@casebook/ports";
import { type LookReason, watchAndReconcile } from "@casebook/ports/watch";
import { Volume } from "memfs";
import { describe, expect, it } from "vitest";
import type { ArmedFault } from "./armed-fault.ts";
import { playOut, type PlayOptions } from "./play-out.fixture.ts";
import type { ProcessPorts } from "./process-ports.ts";
import { KERNEL_EPOCH_MS, type Space } from "./simulation.ts";

const PERIOD_MS = 1_000;
/** When the worker is cancelled. */
const END_MS = 5_000;

interface Played {
  /** `event at 10: a`: why it looked, when, and what it found that it had not done yet. */
  readonly looks: string[];
  readonly failures: string[];
  /** Of each name, how often its effect happened. */
  readonly effects: Record<string, number>;
  readonly ending: string | undefined;
}

interface Story {
  /** Beside the worker, on its host. */
  readonly writer: (ports: ProcessPorts) => Promise<unknown>;
  readonly faults?: readonly ArmedFault[];
  /** How long a look takes once it has read the directory. */
  readonly lookMs?: number;
  readonly hasNoKey?: boolean;
  /** How often a look rejects before it reads. */
  readonly failingLooks?: number;
  readonly watch?: (watch: Watch) => Watch;
  /** What `failed` throws. */
  readonly gaveUp?: Error;
  readonly periodMs?: number;
  readonly directory?: string;
}

async function playReconciler({ writer, faults = [], lookMs = 0, hasNoKey = false, failingLooks = 0, watch = (same) => same, gaveUp, periodMs = PERIOD_MS, directory = "/box" }: Story, options: PlayOptions = {}): Promise<Played & { threw: string }> {
  const played = { looks: [] as string[], failures: [] as string[], effects: {} as Record<string, number> };
  const work = async (ports: ProcessPorts): Promise<void> => {
    const { disk, clock } = ports;
    const { signal, cancel } = createCancellation();
    const done = new Set<string>();
    let failing = failingLooks;
    let isLooking = false;
    const nowMs = (): number => clock.now() - KERNEL_EPOCH_MS;
    void clock.sleep(END_MS).then(cancel);
    await watchAndReconcile({ clock, watch: watch(ports.watch) }, {
      directory,
      periodMs,
      cancel: signal,
      async look(reason: LookReason) {
        if (isLooking) throw new Error("two looks at a time");
        isLooking = true;
        try {
          const atMs = nowMs();
          if ((failing -= 1) >= 0) throw new Error("no look");
          const names = (await disk.readdir(directory)).map(({ name }) => name).sort();
          await clock.sleep(lookMs);
          const found = names.filter((name) => hasNoKey || !done.has(name));
          for (const name of found) {
            done.add(name);
            played.effects[name] = (played.effects[name] ?? 0) + 1;
          }
          played.looks.push(`${reason} at ${atMs}: ${found.join() || "nothing"}`);
        } finally {
          isLooking = false;
        }
      },
      failed(what, failure) {
        played.failures.push(`${what} at ${nowMs()}: ${(failure as Error).message}`);
        if (gaveUp !== undefined) throw gaveUp;
      },
    });
  };
  const { ending, states } = await playOut(
    (space: Space) => {
      space.disk("one", Volume.fromJSON({ "/box": null }));
      space.process("worker", work, { host: "one" });
      space.process("writer", writer, { host: "one" });
    },
    { faults, ...options },
  );
  return { ...played, ending: ending?.how, threw: states[0]?.failure ?? "" };
}

const makeAt = (...atMs: readonly number[]) => async ({ clock, disk }: ProcessPorts): Promise<void> => {
  let nowMs = 0;
  for (const [index, at] of atMs.entries()) {
    await clock.sleep(at - nowMs);
    nowMs = at;
    await disk.mkdir(`/box/${"abcdefgh"[index]}`);
  }
};

const WORKER = "watch.worker";

describe("watch and reconcile", () => {
  it("looks at the start, at each event, and a period after the last look", async () => {
    expect(await playReconciler({ writer: makeAt(10) })).toEqual({
      looks: ["start at 0: nothing", "event at 10: a", "period at 1010: nothing", "period at 2010: nothing", "period at 3010: nothing", "period at 4010: nothing"],
      failures: [],
      effects: { a: 1 },
      ending: "finished",
      threw: "",
    });
  });

  it.each(["drop", "delay"] as const)("finds within one period what an event did not say (%s)", async (kind) => {
    const { looks, effects } = await playReconciler({ writer: makeAt(10), faults: [{ at: WORKER, kind }] });
    expect([looks.slice(0, 2), effects]).toEqual([["start at 0: nothing", "period at 1000: a"], { a: 1 }]);
  });

  it("looks twice at an event that comes twice, and a key of the caller's own makes it one effect", async () => {
    const story: Story = { writer: makeAt(10), faults: [{ at: WORKER, kind: "duplicate" }], periodMs: END_MS };
    expect(await playReconciler(story)).toMatchObject({ looks: ["start at 0: nothing", "event at 10: a", "event at 10: nothing"], effects: { a: 1 } });
    expect((await playReconciler({ ...story, hasNoKey: true })).effects).toEqual({ a: 2 });
  });

  it.each(["merge", "overflow", "reorder"] as const)("looks at everything, whatever an event says (%s)", async (kind) => {
    const { effects } = await playReconciler({ writer: makeAt(10, 10, 10), faults: [{ at: WORKER, kind, nth: 2 }], periodMs: END_MS });
    expect(effects).toEqual({ a: 1, b: 1, c: 1 });
  });

  it("takes all events during a look together, for one look more", async () => {
    const { looks } = await playReconciler({ writer: makeAt(10, 20, 30, 40), lookMs: 100, periodMs: END_MS });
    expect(looks).toEqual(["start at 0: nothing", "event at 100: a,b,c,d"]);
  });

  it("goes on looking when the watcher breaks, and listens again from the next look on", async () => {
    const { looks, failures } = await playReconciler({ writer: makeAt(10, 500, 1_500), faults: [{ at: WORKER, kind: "reset" }] });
    expect(failures).toEqual(["watch at 10: EIO: watch '/box'"]);
    expect(looks.slice(0, 3)).toEqual(["start at 0: nothing", "period at 1000: a,b", "event at 1500: c"]);
  });

  it("goes on looking while there is no directory to watch", async () => {
    const { looks, failures } = await playReconciler({
      directory: "/later",
      writer: async ({ clock, disk }) => {
        await clock.sleep(1_500);
        await disk.mkdir("/later");
        await clock.sleep(1_000);
        await disk.mkdir("/later/a");
      },
    });
    expect(failures).toEqual(
      [0, 1_000].flatMap((atMs) => [`watch at ${atMs}: ENOENT: watch '/later'`, `look at ${atMs}: ENOENT: readdir '/later'`]),
    );
    expect(looks.slice(0, 2)).toEqual(["period at 2000: nothing", "event at 2500: a"]);
  });

  it("finds by its period what happens in a directory that took the place of the watched one", async () => {
    const { effects, looks } = await playReconciler({
      writer: async ({ clock, disk }) => {
        await clock.sleep(10);
        await disk.rmdir("/box");
        await disk.mkdir("/box");
        await clock.sleep(10);
        await disk.mkdir("/box/a");
      },
    });
    expect([effects, looks.find((look) => look.endsWith("a"))]).toEqual([{ a: 1 }, "period at 1010: a"]);
  });

  it("is not kept from looking by a system that never says whether it watches", async () => {
    const { looks, ending } = await playReconciler({ writer: makeAt(10), watch: () => ({ open: () => new Promise(() => undefined) }) });
    expect([looks.slice(0, 2), ending]).toEqual([["start at 1000: a", "period at 2000: nothing"], "finished"]);
  });

  it("looks again after a look that rejected", async () => {
    const { looks, failures } = await playReconciler({ writer: makeAt(10), failingLooks: 2 });
    expect([looks[0], failures]).toEqual(["period at 1010: a", ["look at 0: no look", "look at 10: no look"]]);
  });

  it("rejects when the caller does not want to go on, for a look as for a watcher", async () => {
    const gaveUp = new Error("enough");
    const look = await playReconciler({ writer: makeAt(10), failingLooks: 1, gaveUp });
    const watch = await playReconciler({ writer: makeAt(10), faults: [{ at: WORKER, kind: "reset" }], gaveUp });
    const open = await playReconciler({ writer: async () => undefined, directory: "/missing", gaveUp });
    expect([look.threw, watch.threw, open.threw]).toEqual(["enough", "enough", "enough"]);
    expect([look.looks.length, watch.looks.length, open.looks.length]).toEqual([0, 1, 0]);
  });

  it("refuses a period that would make nothing good", async () => {
    for (const periodMs of [0, -1, Number.NaN, Infinity]) {
      expect((await playReconciler({ writer: async () => undefined, periodMs })).threw).toBe(
        `RECONCILE_PERIOD: a period is a finite number of milliseconds greater than 0, not ${periodMs}; without one a lost event is never made good. Give one.`,
      );
    }
  });

  it("ends at once when it is cancelled, and leaves nothing behind: no watcher, no listener", async () => {
    const seen: number[] = [];
    let listeners = 0;
    const { steps } = await playOut(
      (space) => {
        space.disk("one", Volume.fromJSON({ "/box": null }));
        space.process("worker", async (ports) => {
          const { signal, cancel } = createCancellation();
          const counted: CancelSignal = {
            get aborted() {
              return signal.aborted;
            },
            addEventListener: (type, listener) => (listeners++, signal.addEventListener(type, listener)),
            removeEventListener: (type, listener) => (listeners--, signal.removeEventListener(type, listener)),
          };
          void ports.clock.sleep(5).then(cancel);
          await watchAndReconcile(ports, { directory: "/box", periodMs: PERIOD_MS, cancel: counted, look: async () => undefined, failed: () => undefined });
          seen.push(ports.clock.now() - KERNEL_EPOCH_MS, listeners);
        }, { host: "one" });
      },
    );
    expect([seen, steps]).toEqual([[5, 0], ['worker: watch.open "/box"', "worker: clock.wake", 'worker: watch.close "/box"', 'worker: watch.next "/box" closed']]);
  });
});
