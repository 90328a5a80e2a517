/** Systems that cannot be searched: each named, with the line and the port to use; never a hang, never a pass. */
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { setTimeout as later } from "node:timers/promises";
import type { CellState, ProcessPorts, Space } from "@casebook/sim/kernel";
import { findRunner, type RunnerOptions } from "@casebook/sim/node";
import { describe, expect, it } from "vitest";
import { explore, type ExploreOptions } from "./explore.ts";
import type { System } from "./system.ts";

function systemOf(build: (space: Space) => void, facts: () => unknown = () => ({})): System<unknown> {
  return {
    name: "test/bad",
    claim: "Nothing can be said about it.",
    build(space) {
      build(space);
      return { facts };
    },
    checks: [],
  };
}

const alone = (start: (ports: ProcessPorts) => Promise<unknown>): System<unknown> => systemOf((space) => space.process("worker", start));

/** Verdict and reasons, with the places in this file without their line numbers. */
async function verdictOf(system: System<unknown>, runner: RunnerOptions = {}, options: ExploreOptions = {}): Promise<string> {
  const { verdict, notRunBecause } = await explore(system, await findRunner(runner), { budget: 300, ...options });
  return `${verdict} ${notRunBecause.join("; ")}`.replaceAll(/\.test\.ts:\d+:\d+/g, ".test.ts");
}

describe("an ambient call", () => {
  it.each<readonly [string, () => unknown, string]>([
    ["reads the clock", function readsClock() { return Date.now(); }, "Date.now was called by readsClock (src/bad-models.test.ts). Take `clock` from the ports and call `clock.now()`."],
    ["makes a date of now", function makesDate() { return new Date(); }, "new Date() was called by makesDate (src/bad-models.test.ts). Take `clock` from the ports and call `clock.now()`."],
    ["draws a number", function draws() { return Math.random(); }, "Math.random was called by draws (src/bad-models.test.ts). Take `ids` from the ports and call `ids.next(prefix)`."],
    ["makes an id", function makesId() { return randomUUID(); }, "crypto.randomUUID was called by makesId (src/bad-models.test.ts). Take `ids` from the ports and call `ids.next(prefix)`."],
    ["reads a file", function readsFile() { return readFile("/etc/hostname"); }, "fs.promises.readFile was called by readsFile (src/bad-models.test.ts). Take `disk` from the ports."],
    ["awaits a real timer", function waits() { return new Promise((resolve) => void setTimeout(resolve, 5)); }, "setTimeout was called by code without a name (src/bad-models.test.ts). Take `clock` from the ports and call `clock.sleep(ms)`."],
    ["asks another host", function asks() { return fetch("http://localhost:1"); }, "fetch was called by asks (src/bad-models.test.ts). Take `network` from the ports."],
    ["sets a deadline", function limits() { return AbortSignal.timeout(5); }, "AbortSignal.timeout was called by limits (src/bad-models.test.ts). Use `withinDeadline(clock, ...)` from the ports."],
  ])("%s", async (_name, call, says) => {
    const system = alone(async ({ faults }) => {
      await faults.reach("worker.moment");
      await call();
    });
    expect(await verdictOf(system)).toBe(`not-run (unsupported) SYSTEM_AMBIENT_CALL: process worker left the world: ${says}`);
  });

  it("is named even when the code catches what it threw", async () => {
    const system = alone(async ({ faults }) => {
      await faults.reach("worker.moment");
      try {
        Math.random();
      } catch {
        // As a careless model does.
      }
    });
    expect(await verdictOf(system)).toContain("SYSTEM_AMBIENT_CALL: process worker left the world: Math.random was called by ");
  });
});

describe("what no trap sees", () => {
  it("a timer that was taken by another name is found by what is open when nothing can go on", async () => {
    const stop = new AbortController();
    const system = alone(async ({ faults }) => {
      await faults.reach("worker.moment");
      await later(60_000, undefined, { signal: stop.signal }).catch(() => undefined);
    });
    const verdict = await verdictOf(system, { traps: "none" });
    stop.abort();
    expect(verdict).toBe(
      "not-run (unsupported) SYSTEM_LEFT_THE_WORLD: process worker waits for something outside the world; open and not before: 1 × Timeout. " +
        "Await nothing but ports, and promises that ports settle.",
    );
  });

  it("a real file that is read by another name is found as well", async () => {
    const system = alone(async ({ faults }) => {
      await faults.reach("worker.moment");
      await readFile(import.meta.filename);
    });
    expect(await verdictOf(system, { traps: "none" })).toContain("SYSTEM_LEFT_THE_WORLD: process worker waits for something outside the world; open and not before: ");
  });

  it("a turn of the event loop is found by the process having moved", async () => {
    const turn = setImmediate;
    const system = alone(() => new Promise((resolve) => void turn(resolve)));
    expect(await verdictOf(system)).toBe(
      "not-run (unsupported) SYSTEM_LEFT_THE_WORLD: process worker was woken by something outside the world. Await nothing but ports, and promises that ports settle.",
    );
  });

  it("a promise of its own that nobody settles stays the deadlock that it is", async () => {
    const { verdict, findings } = await explore(alone(() => new Promise(() => undefined)), await findRunner());
    expect([verdict, findings.map(({ check, says }) => `${check}: ${says}`)]).toEqual([
      "failed",
      ["kernel/deadlock: worker waits at no port: for a promise of its own that nothing settles, or for something outside the world"],
    ]);
  });

  it("a clock that was taken by another name is found by playing twice", async () => {
    const { now } = performance;
    const read = now.bind(performance);
    const system = systemOf((space) => {
      const cell = space.cell("row", 0);
      space.process("worker", (ports) => ports.cell(cell).write(read()));
    });
    expect(await verdictOf(system)).toMatch(
      /^not-run \(unstable-input\) SYSTEM_NOT_REPEATABLE: the same choices were played twice and did not come out the same: step 1 was `worker: cell\.write "row" ok [\d.]+`, and then `worker: cell\.write "row" ok [\d.]+`\. Something that the world does not decide decides here: state that outlives an execution, a real clock, a random source\.$/,
    );
  });

  it("a counter that outlives an execution is found by playing twice", async () => {
    let count = 0;
    const system = systemOf((space) => {
      const cell = space.cell("row", 0);
      space.process("worker", (ports) => ports.cell(cell).write((count += 1)));
    });
    expect(await verdictOf(system)).toBe(
      "not-run (unstable-input) SYSTEM_NOT_REPEATABLE: the same choices were played twice and did not come out the same: " +
        'step 1 was `worker: cell.write "row" ok 1`, and then `worker: cell.write "row" ok 2`. ' +
        "Something that the world does not decide decides here: state that outlives an execution, a real clock, a random source.",
    );
  });

  it("a failure that does not fail again is no failure", async () => {
    let executions = 0;
    const system: System<unknown> = {
      ...systemOf((space) => {
        executions += 1;
        for (const name of ["one", "two"]) space.process(name, (ports) => ports.faults.reach("moment"));
      }, () => ({ executions })),
      checks: [{ id: "test/third", when: "end", alarm: () => (executions === 2 ? "the second of its kind" : undefined) }],
    };
    expect(await verdictOf(system)).toMatch(/^not-run \(unstable-input\) SYSTEM_NOT_REPEATABLE: .* the steps are equal; the facts were \{"executions":\d+\}, and then \{"executions":\d+\}\. /);
  });
});

describe("a process that never yields", () => {
  const says = (where: string): string =>
    `not-run (timed-out) SYSTEM_NEVER_YIELDS: process worker has run for 50 ms ${where} without another port call, and was stopped. ` +
    "Look for a loop that awaits nothing, or that only awaits promises of its own.";

  it("in a loop that awaits nothing", async () => {
    const system = alone(async ({ faults }) => {
      await faults.reach("worker.moment");
      for (;;);
    });
    expect(await verdictOf(system, { silenceMs: 50 })).toBe(says('after faults.reach "worker.moment"'));
  });

  it("in a loop that awaits promises of its own", async () => {
    const system = alone(async ({ faults }) => {
      await faults.reach("worker.moment");
      for (;;) await Promise.resolve();
    });
    expect(await verdictOf(system, { silenceMs: 50 })).toBe(says('after faults.reach "worker.moment"'));
  });

  it("in ticks that queue each other", async () => {
    const system = alone(async ({ faults }) => {
      await faults.reach("worker.moment");
      const again = (): void => process.nextTick(again);
      again();
    });
    expect(await verdictOf(system, { silenceMs: 50 })).toBe(says('after faults.reach "worker.moment"'));
  });

  it("ends the whole search, however many faults were planned", async () => {
    const system: System<unknown> = {
      ...alone(async ({ faults }) => {
        await faults.reach("worker.moment");
        for (;;);
      }),
      faults: { points: ["worker.moment"], kinds: ["error", "kill", "hang"] },
    };
    const { planned, notRun } = await explore(system, await findRunner({ silenceMs: 50 }));
    expect({ planned, notRun }).toEqual({ planned: 4, notRun: 4 });
  });
});

describe("code that goes where it must not", () => {
  it("works after its process was killed, through ports that somebody else holds", async () => {
    let lent: ProcessPorts | undefined;
    const system: System<unknown> = {
      ...systemOf((space) => {
        const row = space.cell("row", 0);
        space.process("victim", async (ports) => {
          lent = ports;
          await ports.faults.reach("victim.moment");
        });
        space.process("heir", async (ports) => {
          await ports.clock.sleep(1);
          await lent?.cell(row).write(1);
        });
      }),
      faults: { points: ["victim.moment"], kinds: ["kill"] },
    };
    expect(await verdictOf(system, {}, { faults: "singles" })).toContain(
      "SYSTEM_CALLS_AFTER_DEATH: process victim is dead, and somebody called its cell.write in life 1. Hand its ports to nobody else, and let nothing real wake its code.",
    );
  });

  it("leaves a rejection unhandled", async () => {
    const system = alone(async ({ faults }) => {
      await faults.reach("worker.moment");
      void Promise.reject(new Error("nobody looks"));
      await faults.reach("worker.end");
    });
    expect(await verdictOf(system)).toBe(
      "not-run (unsupported) SYSTEM_REJECTION_UNHANDLED: process worker left a rejection unhandled: nobody looks. Await the promise, or catch what it rejects with, before the next await.",
    );
  });

  it("throws in a tick", async () => {
    const system = alone(async ({ faults }) => {
      await faults.reach("worker.moment");
      process.nextTick(() => {
        throw new Error("no owner");
      });
      await faults.reach("worker.end");
    });
    expect(await verdictOf(system)).toBe(
      "not-run (unsupported) SYSTEM_THREW_IN_TICK: process worker threw in a callback of process.nextTick: Error: no owner. Await a promise instead, so that the failure has an owner.",
    );
  });

  it("shares a variable between processes", async () => {
    const system = systemOf((space) => {
      let shared = "nobody";
      const rows = ["one", "two"].map((name) => [name, space.cell(name, "")] as const);
      for (const [name, row] of rows) {
        space.process(name, async (ports) => {
          await ports.cell(row).read();
          shared = name;
          await ports.cell(row).read();
          await ports.cell(row).write(`last was ${shared}`);
        });
      }
    });
    expect(await verdictOf(system)).toMatch(
      /^not-run \(unsupported\) SYSTEM_SHARES_STATE: steps that touch nothing in common were played in another order, and `one: cell\.write "one" ok last was one` of one became `one: cell\.write "one" ok last was two`\. Processes share something that is no port: a variable outside of `start`, a file of the machine\. Put it into a cell, a lock, a message or the disk\.$/,
    );
  });
});

describe("a check that sees more than the search keeps in order", () => {
  const bothCells = (reads: readonly string[]): System<{ one: number; two: number }> => ({
    name: "test/both",
    claim: "One at a time.",
    build(space) {
      const cells = { one: space.cell("one", 0), two: space.cell("two", 0) };
      for (const cell of Object.values(cells)) {
        space.process(cell.name, async (ports) => {
          await ports.cell(cell).write(1);
          await ports.cell(cell).write(0);
        });
      }
      return { facts: () => ({ one: cells.one.value, two: cells.two.value }) };
    },
    checks: [{ id: "test/one-at-a-time", when: "each-step", reads, alarm: ({ one, two }) => (one + two > 1 ? "both" : undefined) }],
  });

  it("is given the order in which different processes wrote to the log", async () => {
    const system: System<unknown> = {
      ...systemOf(() => undefined),
      build(space) {
        for (const name of ["one", "two"]) {
          space.process(name, async (ports) => {
            await ports.faults.reach("own");
            ports.log.write("info", name);
          });
        }
        return { facts: () => space.log.map(({ event }) => event) };
      },
    };
    expect(await verdictOf(system)).toBe(
      'not-run (unsupported) SYSTEM_FACTS_SEE_ORDER: steps that touch nothing in common were played in another order, and the facts ["one","two"] became ["two","one"]. ' +
        "The search leaves out such orders, so no check may see them. Keep a list for each process, sort what has no order, or play every order with `--plain`.",
    );
    expect(await verdictOf(system, {}, { reduction: "plain" })).toBe("exhausted ");
  });

  it("reads a cell that it does not name, or spells it in another way", async () => {
    expect(await verdictOf(bothCells(["One", "Two"]) as System<unknown>)).toBe(
      "not-run (unsupported) SYSTEM_CHECK_READS_MORE: steps that touch nothing in common were played in another order, and a check of each step failed in it: " +
        "test/one-at-a-time: both. The search leaves out such orders. Name in `reads` every cell, lock and disk that the check looks at, spelled as in `build`, or leave `reads` out.",
    );
  });

  it("and is not blamed when it names them", async () => {
    expect(await verdictOf(bothCells(["one", "two"]) as System<unknown>)).toBe("failed ");
  });
});

describe("a system that grows without end", () => {
  it.each<readonly [string, (ports: ProcessPorts, space: { row: CellState<number> }) => Promise<unknown>, string]>([
    ["in steps", async (ports, { row }) => { for (;;) await ports.cell(row).read(); },
      "more than 200 steps; the last was cell.read \"row\" of worker. Bound the loop, or raise the cap of the system."],
    ["in virtual time", async (ports) => { for (;;) await ports.clock.sleep(3_600_000); },
      "more than 86400000 ms of virtual time; the last was clock.wake \"\" of worker. Bound the loop, or raise the cap of the system."],
    ["in calls that wait", async (ports, { row }) => { for (let count = 0; count < 3_000; count += 1) void ports.cell(row).read(); },
      "more than 2000 calls that wait at once. Await what is called, or bound how many go at once."],
    ["in log lines", async (ports) => { for (let count = 0; count < 30_000; count += 1) ports.log.write("info", "again"); await ports.clock.sleep(1); },
      "more than 20000 log lines. Bound the loop that writes them."],
  ])("%s", async (_name, start, says) => {
    const system: System<unknown> = {
      ...systemOf((space) => {
        const row = space.cell("row", 0);
        space.process("worker", (ports) => start(ports, { row }));
      }),
      maxSteps: 200,
      maxVirtualMs: 24 * 3_600_000,
    };
    expect(await verdictOf(system, {}, { budget: 5 })).toBe(`not-run (timed-out) ${says}`);
  });
});
