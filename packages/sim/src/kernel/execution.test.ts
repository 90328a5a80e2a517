/** Time, deadlock, caps, and what belongs to one process. */
import { describe, expect, it } from "vitest";
import { MAX_LOG_LINES, MAX_WAITING } from "./execution.ts";
import { backwards, everyOrder, playOut } from "./play-out.fixture.ts";
import { KERNEL_EPOCH_MS } from "./simulation.ts";

describe("time", () => {
  it("moves only when nothing is ready", async () => {
    const { steps, execution } = await playOut((space) => {
      const row = space.cell("row", 0);
      space.process("sleeper", async ({ clock }) => void (await clock.sleep(5)));
      space.process("worker", async (ports) => {
        for (let count = 0; count < 3; count += 1) await ports.cell(row).update((value) => value + 1);
      });
    });
    expect(steps.map((step) => step.split(" ", 2).join(" "))).toEqual(["worker: cell.update", "worker: cell.update", "worker: cell.update", "sleeper: clock.wake"]);
    expect(execution.nowMs() - KERNEL_EPOCH_MS).toBe(5);
  });

  it("lets equal deadlines become ready together, in any order", async () => {
    const orders = await everyOrder(async (chooser) => {
      const woke: string[] = [];
      await playOut(
        (space) => {
          for (const [name, first, then] of [["a", 10, 20], ["b", 30, 0], ["c", 15, 15]] as const) {
            space.process(name, async ({ clock }) => {
              await clock.sleep(first);
              if (then > 0) await clock.sleep(then);
              woke.push(name);
            });
          }
        },
        { chooser },
      );
      return woke.join("");
    });
    expect(orders.toSorted()).toEqual(["abc", "acb", "bac", "bca", "cab", "cba"]);
  });

  it("runs a sleep of nothing behind what is ready now", async () => {
    const { steps } = await playOut((space) => {
      const row = space.cell("row", 0);
      space.process("sleeper", async ({ clock }) => void (await clock.sleep(0)));
      space.process("worker", async (ports) => void (await ports.cell(row).read()));
    });
    expect(steps).toEqual(['worker: cell.read "row" 0', "sleeper: clock.wake"]);
  });
});

describe("a deadlock", () => {
  it("names each call that waits, and what for", async () => {
    const { ending } = await playOut(
      (space) => {
        const locks = [space.lock("left"), space.lock("right")] as const;
        space.process("one", async (ports) => {
          await ports.lock(locks[0]).acquire();
          await ports.clock.sleep(1);
          await ports.lock(locks[1]).acquire();
        });
        space.process("two", async (ports) => {
          await ports.lock(locks[1]).acquire();
          await ports.clock.sleep(1);
          await ports.lock(locks[0]).acquire();
        });
        space.process("three", async (ports) => void (await ports.network.receive()));
      },
    );
    expect(ending).toEqual({
      how: "deadlock",
      waiting: [
        'one: lock.acquire "right" waits for the lock "right", held by two',
        'two: lock.acquire "left" waits for the lock "left", held by one',
        "three: network.receive waits for a message",
      ],
    });
  });

  it("names a process that waits at no port", async () => {
    const { ending } = await playOut((space) => space.process("alone", () => new Promise(() => undefined)));
    expect(ending).toEqual({
      how: "deadlock",
      waiting: ["alone waits at no port: for a promise of its own that nothing settles, or for something outside the world"],
    });
  });

  it("names a process that sleeps beyond the heal phase", async () => {
    const { ending } = await playOut(
      (space) => {
        space.process("stuck", async ({ network }) => void (await network.receive()));
        space.process("late", async ({ clock, faults }) => {
          await faults.reach("late.moment");
          await clock.sleep(10_000);
        });
        space.process("later", async ({ clock, faults }) => {
          await faults.reach("late.moment");
          await clock.sleep(20_000);
        });
      },
      { healMs: 100, faults: [{ at: "late.moment", kind: "hold", times: 2 }] },
    );
    expect(ending).toEqual({ how: "deadlock", waiting: ["stuck: network.receive waits for a message", "late: clock.wake waits for a moment behind the heal phase", "later waits for a moment behind the heal phase"] });
  });
});

describe("a process that throws", () => {
  it("has ended with its failure, and the others go on", async () => {
    const { states, ending } = await playOut((space) => {
      space.process("bad", async () => {
        throw new Error("no");
      });
      space.process("sync", () => {
        throw new Error("before its first await");
      });
      space.process("good", async ({ clock }) => void (await clock.sleep(1)));
    });
    expect([ending?.how, states.map(({ status, failure }) => `${status} ${failure}`.trim())]).toEqual([
      "finished",
      ["threw no", "threw before its first await", "ended"],
    ]);
  });
});

describe("an execution without an end", () => {
  it("ends at its cap on steps", async () => {
    const { ending, execution } = await playOut(
      (space) => {
        const row = space.cell("row", 0);
        space.process("poller", async (ports) => {
          for (;;) await ports.cell(row).read();
        });
      },
      { maxSteps: 50 },
    );
    expect([ending, execution.steps.length]).toEqual([{ how: "timed-out", cap: "steps" }, 50]);
  });

  it("ends at its cap on virtual time", async () => {
    const { ending } = await playOut(
      (space) =>
        space.process("sleeper", async ({ clock }) => {
          for (;;) await clock.sleep(60_000);
        }),
      { maxVirtualMs: 3_600_000 },
    );
    expect(ending).toEqual({ how: "timed-out", cap: "virtual time" });
  });

  it("ends at its cap on calls that wait at once", async () => {
    const { ending, execution } = await playOut((space) => {
      const row = space.cell("row", 0);
      space.process("careless", async (ports) => {
        for (;;) {
          void ports.cell(row).read();
          await ports.cell(row).read();
        }
      });
    // The call that was made last is taken first, so that the others pile up.
    }, { chooser: backwards });
    expect(ending).toEqual({ how: "timed-out", cap: "waiting calls" });
    expect(execution.parked).toHaveLength(MAX_WAITING);
  });

  it("ends at its cap on log lines", async () => {
    const { ending, log } = await playOut((space) => {
      space.process("talker", async ({ clock, log: out }) => {
        for (;;) {
          for (let count = 0; count < 1_000; count += 1) out.write("info", "again");
          await clock.sleep(1);
        }
      });
    });
    expect([ending, log.length]).toEqual([{ how: "timed-out", cap: "log lines" }, MAX_LOG_LINES]);
  });
});

describe("what belongs to a process", () => {
  it("ids count in each, so that one does not tell by them what another did", async () => {
    const { log } = await playOut((space) => {
      for (const name of ["one", "two"]) {
        space.process(name, async ({ ids, log: out, clock }) => {
          out.write("info", ids.next("task"));
          await clock.sleep(1);
          out.write("info", ids.next("task"), { at: "end" });
        });
      }
    });
    expect(log.map(({ process, event, facts, atMs }) => ({ process, event, facts, atMs: atMs - KERNEL_EPOCH_MS }))).toEqual([
      { process: "one", event: "task-one-0001", facts: {}, atMs: 0 },
      { process: "two", event: "task-two-0001", facts: {}, atMs: 0 },
      { process: "one", event: "task-one-0002", facts: { at: "end" }, atMs: 1 },
      { process: "two", event: "task-two-0002", facts: { at: "end" }, atMs: 1 },
    ]);
  });

  it("a name that is given twice is refused", async () => {
    await expect(playOut((space) => {
      space.process("one", async () => undefined);
      space.process("one", async () => undefined);
    })).rejects.toThrow('SYSTEM_NAME_TWICE: two processes are called "one"; names tell them apart in a trace. Give each its own.');
  });
});
