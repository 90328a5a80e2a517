/** The table in `process-state.ts`, row by row: memory, disk, connections, calls. */
import { describe, expect, it } from "vitest";
import type { ArmedFault } from "./armed-fault.ts";
import { type Played, playOut } from "./play-out.fixture.ts";
import type { ProcessPorts } from "./process-ports.ts";
import { KERNEL_EPOCH_MS } from "./simulation.ts";

const EPOCH_MS = KERNEL_EPOCH_MS;
const NOTE = "/note";

async function writeNote({ disk }: ProcessPorts, text: string): Promise<void> {
  const file = await disk.open(NOTE, "w");
  await file.write(new TextEncoder().encode(text));
  await file.close();
}

async function readNote({ disk }: ProcessPorts): Promise<string> {
  const file = await disk.open(NOTE, "r");
  const text = new TextDecoder().decode(await file.read(100, 0));
  await file.close();
  return text;
}

interface Seen {
  readonly played: Played;
  /** What the worker and its peer noted, in order. */
  readonly notes: readonly string[];
}

/**
 * A worker that counts in memory, writes to its disk without a sync, talks to a peer, and comes to `worker.moment`; a neighbour
 * on its host; a peer on another one that reports each delivery.
 */
async function playRow(fault: ArmedFault): Promise<Seen> {
  const notes: string[] = [];
  const played = await playOut(
    (space) => {
      const register = space.cell("register", "empty");
      space.process(
        "worker",
        async (ports) => {
          let inMemory = 0;
          if (ports.process.life === 1) await writeNote(ports, "written");
          inMemory += 1;
          await ports.network.send("peer", `life ${ports.process.life}`);
          try {
            await ports.faults.reach("worker.moment");
            notes.push(`worker: memory ${inMemory}, disk ${await readNote(ports)}`);
            await ports.cell(register).write(`by life ${ports.process.life}`);
            notes.push(`worker: wrote to the register at ${ports.clock.now() - EPOCH_MS}`);
          } finally {
            notes.push("worker: finally");
          }
        },
        { host: "one" },
      );
      space.process(
        "neighbour",
        async (ports) => {
          await ports.clock.sleep(10);
          notes.push(`neighbour: disk ${await readNote(ports)}`);
        },
        { host: "one" },
      );
      space.process(
        "peer",
        async (ports) => {
          for (;;) {
            const delivery = await ports.network.receive();
            notes.push(`peer: ${delivery.kind === "closed" ? "closed" : String(delivery.body)}`);
          }
        },
        { isDaemon: true },
      );
    },
    // Long enough for what comes after a minute.
    { faults: [fault], healMs: 300_000 },
  );
  return { played, notes };
}


const at = "worker.moment";

describe("what happens to a process", () => {
  it("kill: its memory is gone, its disk stays, its peer sees the connection close, and its calls never settle", async () => {
    const { notes, played } = await playRow({ at, kind: "kill" });
    expect(notes).toEqual(["peer: life 1", "peer: closed", "neighbour: disk written"]);
    expect(played.states.map(({ name, status }) => `${name} ${status}`)).toEqual(["worker killed", "neighbour ended", "peer running"]);
  });

  it("kill and restart: a new life begins with fresh memory and the disk of the old one", async () => {
    const { notes, played } = await playRow({ at, kind: "kill-restart", forMs: 1_000 });
    expect(notes).toEqual([
      "peer: life 1",
      "peer: closed",
      "neighbour: disk written",
      "worker: memory 1, disk written",
      "worker: wrote to the register at 1000",
      "worker: finally",
      "peer: life 2",
      "peer: closed",
    ]);
    expect(played.states[0]).toEqual({ name: "worker", status: "ended", life: 2, hangs: 0, failure: "" });
  });

  it("stop and continue: memory, disk and connections stay, and its calls wait until it is continued", async () => {
    const { notes, played } = await playRow({ at, kind: "stop-continue", forMs: 1_000 });
    expect(notes).toEqual([
      "peer: life 1",
      "neighbour: disk written",
      "worker: memory 1, disk written",
      "worker: wrote to the register at 1000",
      "worker: finally",
      "peer: closed",
    ]);
    expect(played.states[0]).toEqual({ name: "worker", status: "ended", life: 1, hangs: 0, failure: "" });
  });

  it("host dead: everyone on it is gone, and nobody is told", async () => {
    const { notes, played } = await playRow({ at, kind: "host-dead" });
    expect(notes).toEqual(["peer: life 1"]);
    expect(played.states.map(({ name, status }) => `${name} ${status}`)).toEqual(["worker killed", "neighbour killed", "peer running"]);
  });

  it("host unreachable: its local calls go on, the remote ones wait, and nobody is told", async () => {
    const { notes } = await playRow({ at, kind: "host-unreachable", forMs: 1_000 });
    expect(notes).toEqual([
      "worker: memory 1, disk written",
      "neighbour: disk written",
      "worker: wrote to the register at 1000",
      "worker: finally",
      "peer: life 1",
      "peer: closed",
    ]);
  });

  it("a life that was restarted twice counts its calls and ids on, and keeps its disk", async () => {
    const lives: string[] = [];
    const { steps } = await playOut(
      (space) => {
        space.process("worker", async (ports) => {
          lives.push(`${ports.process.life} ${ports.ids.next("task")} ${ports.process.life === 1 ? "" : await readNote(ports)}`.trim());
          if (ports.process.life === 1) await writeNote(ports, "from life 1");
          await ports.faults.reach(at);
        });
      },
      { faults: [{ at, kind: "kill-restart", times: 2 }] },
    );
    expect(lives).toEqual(["1 task-worker-0001", "2 task-worker-0002 from life 1", "3 task-worker-0003 from life 1"]);
    expect(steps.filter((step) => step.includes("process.restart"))).toHaveLength(2);
  });
});

describe("no code of a dead process runs", () => {
  // The request was sent; then its process dies, and the answer comes, or its time is up.
  const CASES = [
    { says: "when the answer to its request comes", answers: true, timeoutMs: 1_000 },
    { says: "when the time of its request is up", answers: false, timeoutMs: 5 },
  ];
  it.each(CASES)("$says", async ({ answers, timeoutMs }) => {
    for (const kind of ["kill", "kill-restart", "host-dead"] as const) {
      const notes: string[] = [];
      await playOut(
        (space) => {
          space.process("asker", async (ports) => {
            if (ports.process.life > 1) return;
            const asked = ports.network.request("server", "?", timeoutMs).finally(() => void notes.push("its finally ran"));
            await ports.clock.sleep(1);
            await ports.faults.reach("asker.waits");
            notes.push(`went on ${JSON.stringify(await asked)}`);
          });
          space.process(
            "server",
            async (ports) => {
              const question = await ports.network.receive();
              await ports.clock.sleep(2);
              if (answers && question.kind === "message") await question.answer("!");
            },
            { isDaemon: true },
          );
        },
        { faults: [{ at: "asker.waits", kind }], healMs: 200_000 },
      );
      expect([kind, notes]).toEqual([kind, []]);
    }
  });

  it("when it was held, slow or asleep and its host dies", async () => {
    for (const kind of ["hold", "slow", "stop-continue"] as const) {
      const notes: string[] = [];
      const { ending, states } = await playOut(
        (space) => {
          space.process("first", async (ports) => {
            void ports.clock.sleep(3).then(() => void notes.push("woke"));
            await ports.faults.reach("first.moment");
            notes.push("went on");
          }, { host: "one" });
          space.process("second", async (ports) => {
            await ports.clock.sleep(1);
            await ports.faults.reach("second.moment");
          }, { host: "one" });
        },
        { faults: [{ at: "first.moment", kind, forMs: 2 }, { at: "second.moment", kind: "host-dead" }], healMs: 60_000 },
      );
      expect([kind, notes, ending?.how, states.map(({ status }) => status)]).toEqual([kind, [], "finished", ["killed", "killed"]]);
    }
  });

  it("when its host dies while it waits for its restart: it stays dead", async () => {
    const lives: number[] = [];
    const { ending, states, execution } = await playOut(
      (space) => {
        space.process("first", async (ports) => {
          lives.push(ports.process.life);
          await ports.faults.reach("first.moment");
        }, { host: "one" });
        space.process("second", async (ports) => {
          await ports.clock.sleep(1);
          await ports.faults.reach("second.moment");
        }, { host: "one" });
      },
      { faults: [{ at: "first.moment", kind: "kill-restart" }, { at: "second.moment", kind: "host-dead" }], healMs: 100_000 },
    );
    expect({ lives, ending, states: states.map(({ status }) => status), escapes: execution.escapes }).toEqual({
      lives: [1],
      ending: { how: "finished" },
      states: ["killed", "killed"],
      escapes: [],
    });
  });
});

it("a process that has ended is not stopped by what strikes at a step that it left behind, and is not alive again afterwards", async () => {
  const { ending, states } = await playOut(
    (space) => {
      // Its body comes back at once, and its strand wakes behind it.
      space.process("worker", async ({ clock }) => void clock.sleep(50));
      space.process("other", ({ clock }) => clock.sleep(1_000));
    },
    { faults: [{ at: "step", process: "worker", kind: "stop-continue", forMs: 100 }] },
  );
  expect([ending, states.map(({ status }) => status)]).toEqual([{ how: "finished" }, ["ended", "ended"]]);
});

describe("no code of a stopped process runs", () => {
  it("when the time of its request is up, when its request is refused, when a slow or a held call goes on", async () => {
    const notes: string[] = [];
    await playOut(
      (space) => {
        space.process("ended", async () => undefined);
        space.process("worker", async (ports) => {
          const { clock, network, faults } = ports;
          const note = (what: string) => (): void => void notes.push(`${what} at ${clock.now() - EPOCH_MS}`);
          const all = [
            network.request("deaf", "?", 5).then(note("timed out")),
            network.request("ended", "?", 50_000).then(note("refused")),
            faults.reach("worker.slow").then(note("slow")),
            faults.reach("worker.held").then(note("held")),
          ];
          await faults.reach("worker.stops");
          await Promise.all(all);
        });
        space.process("deaf", async (ports) => {
          await ports.clock.sleep(8);
          await ports.faults.reach("deaf.moment");
        });
      },
      {
        faults: [
          { at: "worker.slow", kind: "slow", forMs: 6 },
          { at: "worker.held", kind: "hold", until: "deaf.moment" },
          { at: "worker.stops", kind: "stop-continue", forMs: 100 },
        ],
      },
    );
    expect(notes.toSorted()).toEqual(["held at 100", "refused at 100", "slow at 100", "timed out at 100"]);
  });
});

describe("a lock that a process held when it was killed", () => {
  it("is not held by its next life, which can neither release it nor take it", async () => {
    const { log, ending } = await playOut(
      (space) => {
        const lock = space.lock("row");
        space.process("worker", async (ports) => {
          if (ports.process.life === 1) {
            await ports.lock(lock).acquire();
            return ports.faults.reach("worker.moment");
          }
          await ports.lock(lock).release().catch((failure: { code: string }) => ports.log.write("warning", failure.code));
          await ports.lock(lock).acquire();
        });
      },
      { faults: [{ at: "worker.moment", kind: "kill-restart" }] },
    );
    expect(log.map(({ event }) => event)).toEqual(["LOCK_NOT_HELD"]);
    expect(ending).toEqual({ how: "deadlock", waiting: ['worker: lock.acquire "row" waits for the lock "row", held by worker'] });
  });
});
