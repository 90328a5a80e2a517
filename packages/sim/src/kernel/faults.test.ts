/** Each kind of fault at a point: what the code at the point sees, and when it fires. */
import { describe, expect, it } from "vitest";
import { type ArmedFault, POINT_FAULTS, WRITE_FAULTS } from "./armed-fault.ts";
import { assertFired } from "./fired.ts";
import { everyOrder, playOut, type PlayOptions } from "./play-out.fixture.ts";
import type { ProcessPorts } from "./process-ports.ts";
import { KERNEL_EPOCH_MS } from "./simulation.ts";

const at = "worker.moment";
/** For the table: whatever the kind needs beyond its point. */
const SHORT = { at, forMs: 1_000 } as const;

/** What a worker notes that comes to the moment `reaches` times, and a neighbour on the same host that looks on after 1 ms. */
async function playMoments(fault: ArmedFault, { reaches = 1, ...options }: PlayOptions & { reaches?: number } = {}) {
  const notes: string[] = [];
  const { execution, ending } = await playOut(
    (space) => {
      const note = (ports: ProcessPorts, what: string): void => void notes.push(`${ports.process.name} ${what} at ${ports.clock.now() - KERNEL_EPOCH_MS}`);
      const moments = (ports: ProcessPorts) => async (): Promise<void> => {
        for (let reach = 1; reach <= reaches; reach += 1) {
          await ports.faults.reach(at).then(
            () => note(ports, "went on"),
            (failure: { code: string }) => note(ports, `got ${failure.code}`),
          );
        }
        await ports.disk.mkdir(`/${ports.process.name}-${ports.process.life}`).then(
          () => note(ports, "wrote"),
          (failure: { code: string }) => note(ports, `could not write: ${failure.code}`),
        );
      };
      space.process("worker", (ports) => moments(ports)(), { host: "one" });
      space.process("neighbour", async (ports) => {
        await ports.clock.sleep(10);
        note(ports, "looked");
      }, { host: "one" });
    },
    { faults: [fault], ...options },
  );
  return { notes, execution, ending };
}

/** Those of a write have tests of their own. */
const AT_A_MOMENT = POINT_FAULTS.filter((kind): kind is AtAMoment => !WRITE_FAULTS.includes(kind));
type AtAMoment = Exclude<(typeof POINT_FAULTS)[number], "short-write" | "torn-write">;

const SEEN: Record<AtAMoment, { fault?: Partial<ArmedFault>; notes: string[] }> = {
  error: { fault: { errno: "EACCES" }, notes: ["worker got EACCES at 0", "worker wrote at 0", "neighbour looked at 10"] },
  hang: { notes: ["neighbour looked at 10"] },
  slow: { notes: ["neighbour looked at 10", "worker went on at 1000", "worker wrote at 1000"] },
  hold: { notes: ["neighbour looked at 10", "worker went on at 10", "worker wrote at 10"] },
  kill: { notes: ["neighbour looked at 10"] },
  "kill-restart": { notes: ["neighbour looked at 10", "worker went on at 1000", "worker wrote at 1000"] },
  "stop-continue": { notes: ["neighbour looked at 10", "worker went on at 1000", "worker wrote at 1000"] },
  "host-dead": { notes: [] },
  "power-loss": { notes: ["worker went on at 1000", "worker wrote at 1000", "neighbour looked at 1010"] },
  "host-unreachable": { notes: ["worker went on at 0", "worker wrote at 0", "neighbour looked at 10"] },
  "disk-full": { notes: ["worker went on at 0", "worker could not write: ENOSPC at 0", "neighbour looked at 10"] },
  "clock-jump": { fault: { byMs: 5 }, notes: ["worker went on at 5", "worker wrote at 5", "neighbour looked at 15"] },
  "clock-back": { fault: { byMs: 5 }, notes: ["worker went on at -5", "worker wrote at -5", "neighbour looked at 5"] },
  "clock-freeze": { fault: { forMs: 60_000 }, notes: ["worker went on at 0", "worker wrote at 0", "neighbour looked at 0"] },
};

describe("a fault at a point", () => {
  it.each(AT_A_MOMENT)("%s", async (kind) => {
    const { notes, execution } = await playMoments({ ...SHORT, kind, ...SEEN[kind].fault }, { healMs: 60_000 });
    expect({ notes, fired: execution.faults[0]?.fired }).toEqual({ notes: SEEN[kind].notes, fired: 1 });
  });

  it("fires at the nth reach and so many in a row", async () => {
    const { notes } = await playMoments({ at, kind: "error", nth: 2, times: 2 }, { reaches: 4 });
    expect(notes.slice(0, 4)).toEqual(["worker went on at 0", "worker got EIO at 0", "worker got EIO at 0", "worker went on at 0"]);
  });

  it("is the only one at a reach: another that is due then has its turn at the next", async () => {
    const { notes, execution } = await playMoments({ at, kind: "error" }, {
      reaches: 3,
      faults: [{ at, kind: "error" }, { at, kind: "error", errno: "EBUSY" }, { at, kind: "error", errno: "EPERM", after: 0 }],
    });
    expect(notes.slice(0, 3)).toEqual(["worker got EIO at 0", "worker got EBUSY at 0", "worker got EPERM at 0"]);
    expect(execution.faults.map(({ fired }) => fired)).toEqual([1, 1, 1]);
  });

  it("of a process counts the reaches of that process only", async () => {
    const notes: string[] = [];
    await playOut(
      (space) => {
        for (const name of ["one", "two"]) {
          space.process(name, async ({ faults }) => {
            for (let reach = 1; reach <= 2; reach += 1) {
              await faults.reach(at).then(() => notes.push(`${name} ${reach}`), () => notes.push(`${name} ${reach} failed`));
            }
          });
        }
      },
      { faults: [{ at, kind: "error", nth: 2, process: "two" }] },
    );
    expect(notes).toEqual(["one 1", "one 2", "two 1", "two 2 failed"]);
  });

  it("that comes after another counts from the firing of the other one on", async () => {
    const { notes } = await playMoments({ at: "never", kind: "kill" }, {
      reaches: 4,
      faults: [{ at, kind: "error", nth: 2, errno: "EIO" }, { at, kind: "error", after: 0, nth: 2, errno: "EBUSY" }],
    });
    // The reach that fires the first is before the second one's count: reaches 3 and 4 are its first and second.
    expect(notes.slice(0, 4)).toEqual(["worker went on at 0", "worker got EIO at 0", "worker went on at 0", "worker got EBUSY at 0"]);
  });

  it("frees a full disk when its time is up", async () => {
    const notes: string[] = [];
    await playOut(
      (space) => {
        space.process("worker", async ({ clock, disk, faults }) => {
          await faults.reach(at);
          for (const path of ["/one", "/two"]) {
            await disk.mkdir(path).then(() => notes.push(`${path} made`), (failure: { code: string }) => notes.push(`${path} ${failure.code}`));
            await clock.sleep(1_000);
          }
        });
      },
      { faults: [{ at, kind: "disk-full", forMs: 999 }] },
    );
    expect(notes).toEqual(["/one ENOSPC", "/two made"]);
  });

  it("can move the clock of one host, and leaves that of the others and the length of a sleep alone", async () => {
    const clocks: string[] = [];
    await playOut(
      (space) => {
        for (const name of ["skewed", "right"]) {
          space.process(name, async ({ clock, faults }) => {
            if (name === "skewed") await faults.reach(at);
            await clock.sleep(100);
            clocks.push(`${name} ${clock.now() - KERNEL_EPOCH_MS}`);
          });
        }
      },
      { faults: [{ at, kind: "clock-jump" }] },
    );
    expect(clocks).toEqual(["skewed 3600100", "right 100"]);
  });
});

describe("a call that is held until another process comes to a point", () => {
  /** The rendezvous: `reader` stands between its read and its write while `writer` does everything. */
  const build = (notes: string[]) => (space: Parameters<Parameters<typeof playOut>[0]>[0]): void => {
    const row = space.cell("row", 0);
    space.process("reader", async (ports) => {
      const cell = ports.cell(row);
      const seen = await cell.read();
      await ports.faults.reach("reader.after-read");
      await cell.write(seen + 1);
    });
    space.process("writer", async (ports) => {
      await ports.cell(row).update((value) => value + 1);
      await ports.faults.reach("writer.done");
      notes.push("writer done");
    });
    space.process("witness", async (ports) => {
      await ports.clock.sleep(1);
      notes.push(`row ${await ports.cell(row).read()}`);
    });
  };
  const faults: ArmedFault[] = [{ at: "reader.after-read", kind: "hold", until: "writer.done" }];

  it("loses the update in every order in which the reader comes first", async () => {
    const all = await everyOrder(async (chooser) => {
      const notes: string[] = [];
      const { steps, ending } = await playOut(build(notes), { chooser, faults });
      const readerFirst = steps.indexOf('reader: cell.read "row" 0') !== -1 && steps.findIndex((step) => step.startsWith("reader: cell.read")) < steps.findIndex((step) => step.startsWith("writer: cell.update"));
      const held = steps.includes('reader: faults.reach "reader.after-read" held');
      return { readerFirst, held, row: notes.find((note) => note.startsWith("row")), how: ending?.how };
    });
    const wanted = all.filter(({ readerFirst, how }) => readerFirst && how === "finished");
    // In the other four the reader comes second.
    expect([wanted.length, all.length]).toEqual([2, 6]);
    expect(new Set(wanted.map(({ row }) => row))).toEqual(new Set(["row 1"]));
    expect(all.every(({ held }) => held)).toBe(true);
  });

  it("waits for ever when the point was passed before, and the deadlock says so", async () => {
    // Backwards: the writer is done before the reader begins.
    const { ending } = await playOut(build([]), { faults, chooser: { choose: (ready) => ready.length - 1 } });
    expect(ending).toEqual({ how: "deadlock", waiting: ['reader: faults.reach "reader.after-read" waits, held by a fault, until "writer.done" is reached'] });
  });

  it("goes on in the heal phase at the latest", async () => {
    const { ending, states } = await playOut(build([]), { faults: [{ at: "reader.after-read", kind: "hold" }], healMs: 10 });
    expect([ending?.how, states.map(({ status }) => status)]).toEqual(["finished", ["ended", "ended", "ended"]]);
  });
});

describe("an armed fault that never fired", () => {
  const message = async (fault: ArmedFault, more: ArmedFault[] = []): Promise<string> => {
    const { execution } = await playMoments(fault, { reaches: 2, faults: [fault, ...more] });
    try {
      assertFired(execution);
    } catch (failure) {
      return `${(failure as { code: string }).code} | ${(failure as Error).message}`;
    }
    return "all fired";
  };

  it("is an error that names the points that were reached", async () => {
    expect(await message({ at: "worker.momment", kind: "kill" })).toBe(
      "FAULT_NEVER_FIRED | FAULT_NEVER_FIRED: the fault `kill at worker.momment` never fired: nothing came to that point. " +
        "Points reached: worker.moment (2 times). Check the spelling.",
    );
  });

  it("says how often its point was reached", async () => {
    expect(await message({ at, kind: "error", nth: 3 })).toBe(
      "FAULT_NEVER_FIRED | FAULT_NEVER_FIRED: the fault `error at worker.moment at reach 3` never fired: that point was reached 2 times. " +
        "Points reached: worker.moment (2 times). Arm an earlier reach.",
    );
  });

  it("says that the one that it comes after did not fire", async () => {
    expect(await message({ at, kind: "error", after: 1 }, [{ at: "nowhere", kind: "kill" }])).toBe(
      "FAULT_NEVER_FIRED | FAULT_NEVER_FIRED: the fault `error at worker.moment once fault 2 has fired` never fired: fault 2 did not fire. " +
        "Points reached: worker.moment (2 times). Make fault 2 fire first.",
    );
  });

  it("says nothing when all fired", async () => {
    expect(await message({ at, kind: "error", nth: 2 })).toBe("all fired");
  });
});
