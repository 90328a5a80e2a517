/** Messages, requests, and each kind of fault on a link. */
import { describe, expect, it } from "vitest";
import { type ArmedFault, LINK_FAULTS } from "./armed-fault.ts";
import { everyOrder, playOut, type PlayOptions } from "./play-out.fixture.ts";
import { createStream } from "../random.ts";
import { KERNEL_EPOCH_MS, type Space } from "./simulation.ts";

/** `sender` sends 1, 2, 3 with 10 ms between them; `receiver` notes what arrives, and when; then it tries the way back. */
async function playLink(faults: readonly ArmedFault[], options: PlayOptions = {}) {
  const notes: string[] = [];
  const { execution } = await playOut(
    (space) => {
      space.process("sender", async ({ clock, network }) => {
        for (const number of [1, 2, 3]) {
          await network.send("receiver", number);
          await clock.sleep(10);
        }
        await network.receive();
        notes.push(`back at ${clock.now() - KERNEL_EPOCH_MS}`);
        await clock.sleep(1_000);
      });
      space.process("receiver", async ({ clock, network }) => {
        await clock.sleep(5);
        await network.send("sender", "back");
        for (;;) {
          const delivery = await network.receive();
          // The sender has ended by then.
          if (clock.now() - KERNEL_EPOCH_MS > 1_000) return;
          notes.push(`${delivery.kind === "closed" ? "closed" : String(delivery.body)} at ${clock.now() - KERNEL_EPOCH_MS}`);
        }
      }, { isDaemon: true });
    },
    { faults, ...options },
  );
  return { notes, fired: execution.faults.map(({ fired }) => fired) };
}

const LINK = "network.sender->receiver";
const SEEN: Record<(typeof LINK_FAULTS)[number], { fault?: Partial<ArmedFault>; notes: string[] }> = {
  drop: { notes: ["1 at 5", "3 at 20", "back at 30"] },
  duplicate: { notes: ["1 at 5", "2 at 10", "2 at 10", "3 at 20", "back at 30"] },
  delay: { fault: { forMs: 15 }, notes: ["1 at 5", "3 at 20", "2 at 25", "back at 30"] },
  // Alone on the link it changes nothing; see below for two on their way.
  reorder: { notes: ["1 at 5", "2 at 10", "3 at 20", "back at 30"] },
  cut: { fault: { forMs: 5 }, notes: ["1 at 5", "3 at 20", "back at 30"] },
  blackhole: { fault: { forMs: 5 }, notes: ["1 at 5", "3 at 20", "back at 30"] },
  reset: { notes: ["1 at 5", "closed at 10", "3 at 20", "back at 30"] },
};

describe("a fault on a link", () => {
  it.each(LINK_FAULTS)("%s of the second message", async (kind) => {
    const seen = await playLink([{ at: LINK, kind, nth: 2, ...SEEN[kind].fault }]);
    expect(seen).toEqual({ notes: SEEN[kind].notes, fired: [1] });
  });

  it("cut lets the way back alone, and blackhole does not", async () => {
    // From the first message on, for longer than the receiver waits before it sends back.
    const back = async (kind: "cut" | "blackhole"): Promise<string> => {
      const { notes } = await playLink([{ at: LINK, kind, forMs: 500 }], { healMs: 1_000 });
      return notes.find((note) => note.startsWith("back")) ?? "nothing";
    };
    expect([await back("cut"), await back("blackhole")]).toEqual(["back at 30", "nothing"]);
  });

  it("fires at as many messages as it says", async () => {
    expect((await playLink([{ at: LINK, kind: "drop", nth: 1, times: 2 }])).notes).toEqual(["3 at 20", "back at 30"]);
  });

  it("reorder lets one message come earlier or later than its turn, and keeps the order of the others", async () => {
    const orders = async (faults: ArmedFault[]): Promise<string[]> => {
      const all = await everyOrder(async (chooser) => {
        const got: unknown[] = [];
        await playOut(
          (space) => {
            space.process("sender", async ({ clock, network }) => {
              for (const number of [1, 2, 3]) await network.send("receiver", number);
              // Its end would be a message too.
              await clock.sleep(1);
            });
            space.process("receiver", async ({ network }) => {
              for (let count = 0; count < 3; count += 1) {
                const delivery = await network.receive();
                got.push(delivery.kind === "message" ? delivery.body : "closed");
              }
            });
          },
          { chooser, faults },
        );
        return got.join(" ");
      });
      return [...new Set(all)].sort();
    };
    expect(await orders([])).toEqual(["1 2 3"]);
    expect(await orders([{ at: LINK, kind: "reorder", nth: 2 }])).toEqual(["1 2 3", "1 3 2", "2 1 3"]);
  });
});

describe("a request", () => {
  /** What the asker is told by a server that does this. */
  async function ask(serve: (space: Space) => void, options: PlayOptions = {}) {
    const replies: unknown[] = [];
    const { log } = await playOut(
      (space) => {
        serve(space);
        space.process("asker", async ({ clock, network }) => {
          replies.push(await network.request("server", "do it", 100), clock.now() - KERNEL_EPOCH_MS);
        });
      },
      options,
    );
    return { replies, did: log.map(({ event }) => event) };
  }
  const server = (answer: boolean) => (space: Space): void =>
    space.process("server", async ({ clock, faults, log, network }) => {
      let delivery = await network.receive();
      while (delivery.kind === "closed") delivery = await network.receive();
      log.write("info", "done");
      await faults.reach("server.done");
      if (answer) await delivery.answer("yes");
      await clock.sleep(1_000);
    });

  it("is ok when it is answered", async () => {
    expect(await ask(server(true))).toEqual({ replies: [{ outcome: "ok", body: "yes" }, 0], did: ["done"] });
  });

  it("is unknown when the time is up, although it was done", async () => {
    expect(await ask(server(false))).toEqual({ replies: [{ outcome: "unknown", why: "timed-out" }, 100], did: ["done"] });
  });

  it("is unknown when the message was lost, and was not done: the asker cannot tell", async () => {
    const lost = await ask(server(true), { faults: [{ at: "network.asker->server", kind: "drop" }] });
    expect(lost).toEqual({ replies: [{ outcome: "unknown", why: "timed-out" }, 100], did: [] });
  });

  it("is unknown when the server dies before it answers", async () => {
    const died = await ask(server(true), { faults: [{ at: "server.done", kind: "kill" }] });
    expect(died).toEqual({ replies: [{ outcome: "unknown", why: "closed" }, 0], did: ["done"] });
  });

  it("is refused at once by a process that has ended", async () => {
    const ended = await ask((space) => space.process("server", async () => undefined));
    expect(ended).toEqual({ replies: [{ outcome: "failed", why: "refused" }, 0], did: [] });
  });

  it("times out on a server whose host is gone without a word", async () => {
    const gone = await ask((space) => space.process("server", async ({ faults }) => faults.reach("server.begins")), {
      faults: [{ at: "server.begins", kind: "host-dead" }],
    });
    expect(gone).toEqual({ replies: [{ outcome: "unknown", why: "timed-out" }, 100], did: [] });
  });

  it("that was given up may still be done later, and its late answer is dropped", async () => {
    const late = await ask(server(true), { faults: [{ at: "network.asker->server", kind: "delay", forMs: 500 }], healMs: 5_000 });
    expect(late).toEqual({ replies: [{ outcome: "unknown", why: "timed-out" }, 100], did: ["done"] });
  });

  it("to a name that nobody has is refused with the names there are", async () => {
    const { states } = await playOut((space) => {
      space.process("asker", ({ network }) => network.request("sever", "?", 1));
      space.process("server", async () => undefined);
    });
    expect(states[0]).toEqual({
      name: "asker",
      status: "threw",
      life: 1,
      hangs: 0,
      failure: 'NETWORK_NO_SUCH_PROCESS: no process is called "sever"; there are asker, server. Check the spelling.',
    });
  });
});

describe("a connection that closes", () => {
  it("is seen in one step by every peer, behind what was sent before", async () => {
    const orders: string[][][] = [];
    const ways = new Set<string>();
    for (let seed = 1; seed <= 60; seed += 1) {
      const stream = createStream(seed, "closing");
      const { steps } = await playOut(
        (space) => {
          space.process("dying", async ({ faults, network }) => {
            await Promise.all([network.send("one", "last words"), network.send("two", "last words")]);
            await faults.reach("dying.moment");
          });
          for (const name of ["one", "two"]) {
            space.process(name, async ({ network }) => {
              for (;;) if ((await network.receive()).kind === "closed") return;
            });
          }
        },
        { chooser: { choose: (ready) => stream.below(ready.length) }, faults: [{ at: "dying.moment", kind: "kill" }] },
      );
      ways.add(steps.join());
      orders.push(["one", "two"].map((name) => steps.filter((step) => step.startsWith(`${name}: network.receive`)).map((step) => step.slice(5))));
    }
    expect(ways.size).toBeGreaterThan(20);
    const each = ['network.receive dying: "last words"', "network.receive closed by dying"];
    for (const order of orders) expect(order).toEqual([each, each]);
  });
});

it.each(["power-loss", "kill-restart"] as const)("hands a next life nothing that had arrived for the last one: %s", async (kind) => {
  const notes: string[] = [];
  await playOut(
    (space) => {
      space.process("sender", async ({ clock, network }) => {
        await network.send("receiver", "to the first life");
        await clock.sleep(100);
        await network.send("receiver", "to the second");
        await clock.sleep(100);
      });
      space.process(
        "receiver",
        async ({ clock, faults, network, process }) => {
          await clock.sleep(10);
          await faults.reach("receiver.before-receiving");
          const delivery = await network.receive();
          notes.push(`life ${process.life}: ${delivery.kind === "message" ? String(delivery.body) : delivery.kind}`);
        },
        { isDaemon: true },
      );
    },
    { faults: [{ at: "receiver.before-receiving", kind, forMs: 20 }] },
  );
  expect(notes).toEqual(["life 2: to the second"]);
});
