/** What a watcher is told, when, and each kind of fault at its events. */
import { MAX_UNREAD_EVENTS } from "@casebook/ports/watch";
import { watchContract } from "@casebook/ports/contract";
import type { Watcher } from "@casebook/ports";
import { Volume } from "memfs";
import { describe, expect, it } from "vitest";
import { type ArmedFault, checkFault, WATCH_FAULTS } from "./armed-fault.ts";
import { backwards, everyOrder, playOut, type PlayOptions } from "./play-out.fixture.ts";
import type { ProcessPorts } from "./process-ports.ts";
import { KERNEL_EPOCH_MS, type Space } from "./simulation.ts";

type Start = (ports: ProcessPorts) => Promise<unknown>;

/** Processes on host `one`, whose disk has an empty `/box`, begun in the order in which they are given. */
const onOneHost = (starts: Readonly<Record<string, Start>>) => (space: Space): void => {
  space.disk("one", Volume.fromJSON({ "/box": null }));
  for (const [name, start] of Object.entries(starts)) space.process(name, start, { host: "one" });
};

const write = async ({ disk }: ProcessPorts, name: string): Promise<void> => (await disk.open(`/box/${name}`, "w")).close();

const nextText = async (watcher: Watcher): Promise<string> => {
  const event = await watcher.next().catch((failure: Error) => failure.message);
  if (event === undefined || typeof event === "string") return event ?? "closed";
  return event.kind === "overflow" ? "overflow" : (event.name ?? "?");
};

/** Until `ms` have gone by; answers what came, and when. */
async function listen(ports: ProcessPorts, ms: number): Promise<string[]> {
  const watcher = await ports.watch.open("/box");
  const heard: string[] = [];
  void ports.clock.sleep(ms).then(() => watcher.close());
  for (;;) {
    const text = await nextText(watcher);
    if (text === "closed") return heard;
    heard.push(`${text} at ${ports.clock.now() - KERNEL_EPOCH_MS}`);
  }
}

describe("a watcher in the kernel", () => {
  for (const { name, run } of watchContract) {
    it(name, async () => {
      const { states, ending } = await playOut((space) => space.process("alone", (ports) => run(async () => ports)));
      expect([ending, states[0]?.failure, states[0]?.status]).toEqual([{ how: "finished" }, "", "ended"]);
    });
  }

  it("is told in a step of its own, behind the change, which is its cause", async () => {
    const { steps, execution } = await playOut(
      onOneHost({
        watching: async ({ watch }) => (await watch.open("/box")).next(),
        writing: (ports) => write(ports, "a"),
      }),
    );
    expect(steps).toEqual([
      'watching: watch.open "/box"',
      'writing: disk.open "/box/a" w',
      'watching: watch.deliver "/box" changed "a"',
      'watching: watch.next "/box" changed "a"',
      'writing: disk.close "/box/a"',
    ]);
    expect(execution.steps[2]?.cause).toBe(1);
  });

  it("is told of its own host's disk only", async () => {
    const { ending } = await playOut((space) => {
      space.disk("one", Volume.fromJSON({ "/box": null }));
      space.disk("two", Volume.fromJSON({ "/box": null }));
      space.process("watching", async ({ watch }) => (await watch.open("/box")).next(), { host: "one" });
      space.process("writing", (ports) => write(ports, "a"), { host: "two" });
    });
    expect(ending).toEqual({ how: "deadlock", waiting: ['watching: watch.next "/box" waits for an event'] });
  });

  it("is told of each change in the order of the changes, in every order of steps", async () => {
    const heard = await everyOrder(async (chooser) => {
      let seen: string[] = [];
      await playOut(
        onOneHost({
          watching: async ({ watch }) => {
            const watcher = await watch.open("/box");
            seen = [await nextText(watcher), await nextText(watcher)];
          },
          writing: async (ports) => {
            // Behind the opening, which the watching process does at 0.
            await ports.clock.sleep(1);
            await ports.disk.mkdir("/box/a");
            await ports.disk.mkdir("/box/b");
          },
        }),
        { chooser },
      );
      return seen.join();
    });
    expect([heard.length > 1, new Set(heard)]).toEqual([true, new Set(["a,b"])]);
  });

  it("follows a directory that is moved, hears of its removal, and nothing of the one that takes its place", async () => {
    let heard: string[] = [];
    await playOut(
      onOneHost({
        watching: async (ports) => void (heard = await listen(ports, 100)),
        writing: async ({ disk, clock }) => {
          for (const change of [
            () => disk.rename("/box", "/moved"),
            () => disk.mkdir("/moved/inside"),
            () => disk.rmdir("/moved/inside"),
            () => disk.rmdir("/moved"),
            () => disk.mkdir("/box"),
            () => disk.mkdir("/box/again"),
          ]) {
            await clock.sleep(10);
            await change();
          }
        },
      }),
    );
    expect(heard).toEqual(["? at 10", "inside at 20", "inside at 30", "? at 40"]);
  });

  it("has one event to say that the reader slept through more than are kept", async () => {
    let heard: string[] = [];
    await playOut(
      onOneHost({
        watching: async (ports) => {
          const watcher = await ports.watch.open("/box");
          await ports.clock.sleep(10_000);
          heard = [await nextText(watcher)];
          await write(ports, "after");
          heard.push(await nextText(watcher));
          await watcher.close();
        },
        writing: async (ports) => {
          for (let round = 0; round <= MAX_UNREAD_EVENTS; round += 1) {
            await ports.clock.sleep(1);
            await write(ports, "a");
          }
        },
      }),
    );
    expect(heard).toEqual(["overflow", "after"]);
  });
});

describe("events of a process that is not there", () => {
  /** `watching` reaches a moment at 5, at which it is hit; the neighbour writes at 1, 10 and 2,000. */
  const hitSteps = async (kind: ArmedFault["kind"]) => {
    const heard: string[] = [];
    const { execution, steps } = await playOut(
      onOneHost({
        watching: async (ports) => {
          const watcher = await ports.watch.open("/box");
          void ports.clock.sleep(5).then(() => ports.faults.reach("watching.moment"));
          for (let text = await nextText(watcher); text !== "closed"; text = await nextText(watcher)) {
            heard.push(`life ${ports.process.life}: ${text} at ${ports.clock.now() - KERNEL_EPOCH_MS}`);
            if (text === "late") return;
          }
        },
        writing: async (ports) => {
          for (const [name, ms] of [["early", 1], ["meanwhile", 9], ["late", 1_990]] as const) {
            await ports.clock.sleep(ms);
            await ports.disk.mkdir(`/box/${name}`);
          }
        },
      }),
      { faults: [{ at: "watching.moment", kind, forMs: 1_000 }], healMs: 10_000 },
    );
    expect(execution.faults[0]?.fired).toBe(1);
    return { heard, steps: steps.filter((step) => /watch\.deliver|process\./.test(step)) };
  };
  const hit = async (kind: ArmedFault["kind"]): Promise<string[]> => (await hitSteps(kind)).heard;

  it("vanish with it when it is killed, and its next life hears what happens from then on", async () => {
    expect(await hit("kill")).toEqual(["life 1: early at 1"]);
    expect(await hitSteps("kill-restart")).toEqual({
      heard: ["life 1: early at 1", "life 2: late at 2000"],
      steps: ['watching: watch.deliver "/box" changed "early"', 'watching: process.restart "watching"', 'watching: watch.deliver "/box (watcher 2)" changed "late"'],
    });
  });

  it("wait for it while it is stopped", async () => {
    expect(await hitSteps("stop-continue")).toEqual({
      heard: ["life 1: early at 1", "life 1: meanwhile at 1005", "life 1: late at 2000"],
      steps: [
        'watching: watch.deliver "/box" changed "early"',
        'watching: process.continue "watching"',
        'watching: watch.deliver "/box" changed "meanwhile"',
        'watching: watch.deliver "/box" changed "late"',
      ],
    });
  });

  it("come while its host is unreachable, because they never leave it", async () => {
    expect(await hit("host-unreachable")).toEqual(["life 1: early at 1", "life 1: meanwhile at 10", "life 1: late at 2000"]);
  });

  it("vanish with its host", async () => {
    expect(await hit("host-dead")).toEqual(["life 1: early at 1"]);
  });

  it("vanish also when they were on their way as it was killed or ended, and when they were held up", async () => {
    for (const end of ["kill", "end"] as const) {
      for (const faults of [[], [{ at: "watch.watching", kind: "delay", forMs: 20 }]] satisfies ArmedFault[][]) {
        const { execution, ending } = await playOut(
          onOneHost({
            watching: async (ports) => {
              await ports.watch.open("/box");
              await ports.clock.sleep(1);
              await ports.faults.reach("watching.moment");
            },
            writing: async (ports) => {
              await ports.clock.sleep(1);
              await write(ports, "a");
              await ports.clock.sleep(50);
            },
          }),
          // `writing` first, whose event then waits behind the moment: deliveries are called after it.
          { chooser: { choose: (ready) => Math.max(0, ready.findLastIndex(({ plan }) => plan.name !== "watch.deliver")) }, faults: end === "kill" ? [...faults, { at: "watching.moment", kind: "kill" }] : faults },
        );
        expect([ending?.how, execution.steps.filter(({ plan }) => plan.name === "watch.deliver").length, execution.parked]).toEqual(["finished", 0, []]);
        expect(execution.seen.reached.get("watch.watching")).toBe(1);
      }
    }
  });
});

/** Three names at 10, 20, 30; the watcher closes at 1,000. */
async function heardUnder(faults: readonly ArmedFault[], apartMs = 10, options: PlayOptions = {}): Promise<string[]> {
  let heard: string[] = [];
  const { execution } = await playOut(
    onOneHost({
      watching: async (ports) => void (heard = await listen(ports, 1_000)),
      writing: async ({ clock, disk }) => {
        await clock.sleep(10 - apartMs);
        for (const name of ["a", "b", "c"]) {
          if (apartMs > 0) await clock.sleep(apartMs);
          await disk.mkdir(`/box/${name}`);
        }
      },
    }),
    { faults, ...options },
  );
  expect(execution.faults.map(({ fired }) => fired)).toEqual(faults.map(() => 1));
  return heard;
}

const AT = "watch.watching";
const SEEN: Record<(typeof WATCH_FAULTS)[number], { fault?: Partial<ArmedFault>; heard: string[] }> = {
  drop: { heard: ["a at 10", "c at 30"] },
  duplicate: { heard: ["a at 10", "b at 20", "b at 20", "c at 30"] },
  delay: { fault: { forMs: 15 }, heard: ["a at 10", "c at 30", "b at 35"] },
  // Alone on their way these two change nothing; see below for several.
  reorder: { heard: ["a at 10", "b at 20", "c at 30"] },
  merge: { heard: ["a at 10", "b at 20", "c at 30"] },
  overflow: { heard: ["a at 10", "overflow at 20", "c at 30"] },
  reset: { fault: { errno: "ENOSPC" }, heard: ["a at 10", "ENOSPC: watch '/box' at 20"] },
};

describe("a fault at an event", () => {
  it.each(WATCH_FAULTS)("%s of the second", async (kind) => {
    expect(await heardUnder([{ at: AT, kind, nth: 2, ...SEEN[kind].fault }])).toEqual(SEEN[kind].heard);
  });

  it("merge makes one of two that are on their way, with a name if it is that of both", async () => {
    // Backwards, so that all three changes come before the first delivery.
    const merge = { at: AT, kind: "merge", nth: 2 } as const;
    expect(await heardUnder([merge], 0, { chooser: backwards })).toEqual(["? at 10", "c at 10"]);
    expect(await heardUnder([merge, { at: AT, kind: "overflow", nth: 1 }], 0, { chooser: backwards })).toEqual(["overflow at 10"]);
    // An overflow that nobody has read stands for what comes behind it. Nothing merges with the word that the watcher broke, behind which nothing comes.
    expect(await heardUnder([merge, { at: AT, kind: "reset", nth: 1 }], 0, { chooser: backwards })).toEqual(["EIO: watch '/box' at 10"]);
  });

  it("reorder lets one come earlier or later than its turn, and the others keep theirs", async () => {
    const orders = async (faults: ArmedFault[]): Promise<string[]> => {
      const all = await everyOrder(async (chooser) => {
        const heard: string[] = [];
        await playOut(
          onOneHost({
            watching: async ({ watch, disk }) => {
              const watcher = await watch.open("/box");
              for (const name of ["a", "b", "c"]) await disk.mkdir(`/box/${name}`);
              for (let count = 1; count <= 3; count += 1) heard.push(await nextText(watcher));
            },
          }),
          { chooser, faults },
        );
        return heard.join("");
      });
      return [...new Set(all)].sort();
    };
    expect(await orders([])).toEqual(["abc"]);
    expect(await orders([{ at: AT, kind: "reorder", nth: 2 }])).toEqual(["abc", "acb", "bac"]);
  });

  it("is refused if no event can suffer it, and where there are no events", () => {
    const refusal = (fault: ArmedFault): string => {
      try {
        checkFault(fault);
        return "";
      } catch (failure) {
        return (failure as Error).message;
      }
    };
    expect([refusal({ at: AT, kind: "cut" }), refusal({ at: "worker.moment", kind: "merge" }), refusal({ at: AT, kind: "merge" })]).toEqual([
      "FAULT_IMPOSSIBLE: the fault `cut at watch.watching` can never happen: at an event of a watcher there can be drop, duplicate, delay, reorder, merge, overflow, reset.",
      "FAULT_IMPOSSIBLE: the fault `merge at worker.moment` can never happen: only events of a watcher can merge or be too many. Arm it at watch.<process>.",
      "",
    ]);
  });

  it("does not fire while the world heals", async () => {
    const { execution } = await playOut(
      (space) => {
        space.disk("one", Volume.fromJSON({ "/box": null }));
        space.process("watching", (ports) => listen(ports, 1_000), { host: "one", isDaemon: true });
        space.process("writing", async (ports) => {
          await ports.clock.sleep(10);
          await write(ports, "a");
        }, { host: "one", isDaemon: true });
        space.process("main", (ports) => ports.clock.sleep(5));
      },
      { faults: [{ at: AT, kind: "drop" }], healMs: 2_000 },
    );
    expect([execution.faults[0]?.fired, execution.steps.filter(({ plan }) => plan.name === "watch.deliver").length]).toEqual([0, 1]);
  });
});
