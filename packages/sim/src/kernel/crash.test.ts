/** A crash at any port call, what it leaves on the disk, and what a call at the disk port can meet. */
import { describe, expect, it } from "vitest";
import type { ArmedFault } from "./armed-fault.ts";
import { everyOrder, playOut, type PlayOptions } from "./play-out.fixture.ts";
import type { ProcessPorts } from "./process-ports.ts";
import { KERNEL_EPOCH_MS } from "./simulation.ts";
import type { FilesOfHost } from "../disk/files.ts";

const text = (words: string): Uint8Array => new TextEncoder().encode(words);

/** Writes `/a` anew beside it and renames; answers what it noted, and the disk at the end. */
async function playWriter(faults: readonly ArmedFault[], options: PlayOptions = {}, write: (ports: ProcessPorts, note: (what: string) => void) => Promise<void> = replaceA) {
  const notes: string[] = [];
  let files!: FilesOfHost;
  const played = await playOut(
    (space) => {
      files = space.files("box");
      space.process("writer", (ports) => write(ports, (what) => notes.push(`life ${ports.process.life}: ${what}`)), { host: "box" });
    },
    { faults, ...options },
  );
  const disk = Object.fromEntries((files.list("/") ?? []).map((name) => [name, files.text(`/${name}`)]));
  return { ...played, notes, disk };
}

async function replaceA({ disk, process }: ProcessPorts, note: (what: string) => void): Promise<void> {
  // The next life only looks.
  if (process.life > 1) return note(`sees ${(await disk.readdir("/")).map(({ name }) => name).sort().join() || "nothing"}`);
  const file = await disk.open("/t", "w");
  await file.write(text("new"));
  note("wrote");
  await file.sync();
  await disk.rename("/t", "/a");
  note("renamed");
  await disk.syncDirectory("/");
  note("synced");
}

const atStep = (nth: number, kind: ArmedFault["kind"]): ArmedFault => ({ at: "step", process: "writer", nth, kind, forMs: 1_000 });

describe("a fault at the nth port call of a process", () => {
  it("strikes when the call has taken effect and before its caller hears of it", async () => {
    const { disk, notes } = await playWriter([atStep(2, "kill")]);
    expect({ disk, notes }).toEqual({ disk: { t: "new" }, notes: [] });
  });

  it("can kill and restart: the next life sees the disk as it was", async () => {
    const { notes } = await playWriter([atStep(4, "kill-restart")]);
    expect(notes).toEqual(["life 1: wrote", "life 2: sees a"]);
  });

  it("can stop the process, which then goes on with the answer of that call", async () => {
    const { notes, steps } = await playWriter([atStep(2, "stop-continue")]);
    expect(notes).toEqual(["life 1: wrote", "life 1: renamed", "life 1: synced"]);
    expect(steps).toContain('writer: process.continue "writer"');
  });

  it("begins one next life, not two, of a process that was about to restart when its host lost the power", async () => {
    const kill: ArmedFault = { at: "step", process: "killed", nth: 1, kind: "kill-restart", forMs: 500 };
    for (const [forMs, atMs] of [[100, 100], [500, 500], [1_000, 1_000]] as const) {
      const played = await everyOrder((chooser) =>
        playOut(
          (space) => {
            for (const name of ["killed", "other"]) {
              space.process(name, async ({ disk, clock, log, process }) => {
                await disk.stat("/");
                log.write("info", "looked", { life: process.life, afterMs: clock.now() - KERNEL_EPOCH_MS });
              }, { host: "box" });
            }
          },
          { chooser, faults: [kill, { at: "step", process: "other", nth: 1, kind: "power-loss", forMs }] },
        ),
      );
      const killedFirst = played.filter(({ steps }) => steps[0]?.startsWith("killed"));
      expect(killedFirst).not.toEqual([]);
      for (const { log, execution } of killedFirst) {
        expect(log.map(({ process, facts }) => `${process} ${facts["life"]} ${facts["afterMs"]}`).sort()).toEqual([`killed 2 ${atMs}`, `other 2 ${atMs}`]);
        expect(execution.escapes).toEqual([]);
      }
    }
  });

  it.each([
    [{ at: "step", kind: "kill" }, "at a step it needs the process whose steps are counted. Add `process`"],
    [{ at: "step", kind: "error", process: "writer" }, "at a step there can be hang, slow, kill,"],
    [{ at: "disk.rename", kind: "torn-write" }, "at disk.rename there can be error, hang, slow, kill,"],
    [{ at: "writer.moment", kind: "short-write" }, "only a write can be short or torn. Arm it at disk.write"],
  ] as const)("is refused where it can never happen: %o", async (fault, says) => {
    await expect(playWriter([fault])).rejects.toThrow(`FAULT_IMPOSSIBLE: the fault \``);
    await expect(playWriter([fault])).rejects.toThrow(says);
  });
});

describe("a power loss", () => {
  it("ends every process of the host, and each begins a new life when the power is back", async () => {
    const notes: string[] = [];
    await playOut(
      (space) => {
        for (const name of ["one", "two", "elsewhere"]) {
          space.process(name, async ({ clock, faults, process }) => {
            await clock.sleep(10);
            await faults.reach(`${name}.moment`);
            notes.push(`${name} in life ${process.life}`);
          }, { host: name === "elsewhere" ? "other" : "box" });
        }
      },
      { faults: [{ at: "one.moment", kind: "power-loss", forMs: 1_000 }] },
    );
    expect(notes).toEqual(["elsewhere in life 1", "one in life 2", "two in life 2"]);
  });

  it("loses nothing of the disk where the durability is that of a kill", async () => {
    const { notes, steps } = await playWriter([atStep(2, "power-loss")], { durability: "kill" });
    expect(notes).toEqual(["life 2: sees t"]);
    expect(steps.filter((step) => step.includes("crash-image"))).toEqual([]);
  });

  const disksAfter = async (nth: number, kind: ArmedFault["kind"] = "power-loss"): Promise<string[]> => {
    const all = await everyOrder(async (chooser) => (await playWriter([atStep(nth, kind)], { chooser, durability: "posix-min" })).disk);
    return all.map((disk) => JSON.stringify(disk)).sort();
  };

  it("leaves one of the disks that the rules allow, each as a choice, at every step", async () => {
    expect(await disksAfter(1)).toEqual(['{"t":""}', "{}"]);
    expect(await disksAfter(2)).toEqual(['{"t":""}', '{"t":"new"}', "{}"]);
    expect(await disksAfter(3)).toEqual(['{"t":"new"}', "{}"]);
    expect(await disksAfter(4)).toEqual(['{"a":"new"}', '{"t":"new"}', "{}"]);
    expect(await disksAfter(5)).toEqual(['{"a":"new"}']);
  });

  it("is the same to the disk of a host that stays dead", async () => {
    expect(await disksAfter(2, "host-dead")).toEqual(['{"t":""}', '{"t":"new"}', "{}"]);
  });

  it("shows in the trace which disk it left", async () => {
    const { steps } = await playWriter([atStep(2, "power-loss")], { durability: "posix-min", chooser: { choose: (ready) => ready.length - 1 } });
    expect(steps[2]).toBe('writer: disk.crash-image "lost: write 3 bytes at 0 of /t"');
  });
});

describe("a call at the disk port", () => {
  it("can be refused so many times, and then works", async () => {
    const { notes, disk } = await playWriter([{ at: "disk.rename", kind: "error", errno: "EPERM", times: 2 }], {}, async (ports, note) => {
      await (await ports.disk.open("/t", "w")).close();
      for (let tries = 1; tries <= 3; tries += 1) {
        await ports.disk.rename("/t", "/a").then(() => note("renamed"), (failure: { code: string }) => note(failure.code));
      }
    });
    expect([notes, disk]).toEqual([["life 1: EPERM", "life 1: EPERM", "life 1: renamed"], { a: "" }]);
  });

  it("can be a write that takes only half of its bytes, and says so", async () => {
    const { disk, notes } = await playWriter([{ at: "disk.write", kind: "short-write" }], {}, async (ports, note) => {
      const file = await ports.disk.open("/a", "w");
      note(`took ${await file.write(text("abcdef"))}`);
      note(`took ${await file.write(text("XY"))}`);
    });
    expect([disk, notes]).toEqual([{ a: "abcXY" }, ["life 1: took 3", "life 1: took 2"]]);
  });

  it("can be an append of which half arrives before the process dies", async () => {
    const { disk, notes } = await playWriter([{ at: "disk.write", kind: "torn-write", nth: 2, forMs: 1_000 }], {}, async (ports, note) => {
      const file = await ports.disk.open("/log", "a");
      if (ports.process.life > 1) return note(`starts again over ${(await file.stat()).size} bytes`);
      await file.write(text("first\n"));
      await file.write(text("second\n"));
    });
    expect([disk, notes]).toEqual([{ log: "first\nsec" }, ["life 2: starts again over 9 bytes"]]);
  });

  it("can be a sync that fails, after which a later one does not make durable what the first one lost", async () => {
    const disks = await everyOrder(async (chooser) => {
      const faults: ArmedFault[] = [{ at: "disk.sync", kind: "error" }, atStep(6, "power-loss")];
      return (await playWriter(faults, { chooser, durability: "posix-min" }, async ({ disk, process }, note) => {
        if (process.life > 1) return;
        const file = await disk.open("/a", "w");
        await disk.syncDirectory("/");
        await file.write(text("lost?"));
        await file.sync().catch((failure: { code: string }) => note(failure.code));
        await file.sync();
        await file.close();
      })).disk;
    });
    expect(disks.map((disk) => JSON.stringify(disk)).sort()).toEqual(['{"a":""}', '{"a":"lost?"}']);
  });

  it("can be a sync of a directory that fails, after which a later one does not make durable the name that the first one gave up", async () => {
    const disks = await everyOrder(async (chooser) => {
      const faults: ArmedFault[] = [{ at: "disk.syncDirectory", kind: "error" }, atStep(4, "power-loss")];
      return (await playWriter(faults, { chooser, durability: "posix-min" }, async ({ disk, process }) => {
        if (process.life > 1) return;
        await (await disk.open("/a", "w")).close();
        await disk.syncDirectory("/").catch(() => undefined);
        await disk.syncDirectory("/");
      })).disk;
    });
    expect(disks.map((disk) => JSON.stringify(disk)).sort()).toEqual(['{"a":""}', "{}"]);
  });
});
