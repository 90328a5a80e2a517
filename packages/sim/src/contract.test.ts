import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Disk } from "@casebook/ports";
import {
  clockContract,
  diskContract,
  diskModes,
  diskSequences,
  faultsContract,
  idsContract,
  logContract,
  watchContract,
} from "@casebook/ports/contract";
import { nodeDisk } from "@casebook/ports/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorld, type World } from "./index.ts";

let base = "";
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "casebook-sim-"));
});
afterAll(() => rm(base, { recursive: true }));

const world = (): World => createWorld({ seed: 1, epoch: "2026-03-01T00:00:00Z" });

describe("the clock of a world", () => {
  for (const { name, run } of clockContract) {
    it(name, () => world().run((ports) => run(async () => ports.clock)));
  }
});

describe("the disk of a world", () => {
  for (const { name, run } of diskContract) it(name, () => run(async () => world().ports.disk));

  it("answers every call through a handle of every mode as a real directory does", () => {
    return diskModes(realDirectory).run(async () => world().ports.disk);
  });

  // Two seconds on a quiet machine; a busy one must not make it a failure.
  it("answers generated sequences as a real directory does, and they reach every kind of answer", { timeout: 60_000 }, async () => {
    const reached = new Set<string>();
    const suite = diskSequences({
      seed: 20260301,
      sequences: 60,
      stepsPerSequence: 40,
      makeOracle: realDirectory,
      onAnswer: (_step, answer) => reached.add(/^[A-Z_]+(?=:)/.exec(answer)?.[0] ?? "an answer"),
    });
    await suite.run(async () => world().ports.disk);
    // Every answer but those that only a fault gives. A generator that no longer gets there compares nothing.
    expect([...reached].sort()).toEqual([
      "EBADF",
      "EBUSY",
      "EEXIST",
      "EINVAL",
      "EISDIR",
      "ENAMETOOLONG",
      "ENOENT",
      "ENOTDIR",
      "ENOTEMPTY",
      "ERR_INVALID_ARG_VALUE",
      "ERR_OUT_OF_RANGE",
      "an answer",
    ]);
  });

  it("is told apart from a real directory when one answer differs", { timeout: 60_000 }, async () => {
    const broken = (disk: Disk): Disk => ({ ...disk, rmdir: () => Promise.resolve() });
    const suite = diskSequences({ seed: 1, sequences: 20, stepsPerSequence: 8, makeOracle: realDirectory });
    await expect(suite.run(async () => broken(world().ports.disk))).rejects.toThrow(/Property failed after/);
  });
});

describe("a watcher of a world", () => {
  for (const { name, run } of watchContract) it(name, () => run(async () => world().ports));

  it("is woken in a run, and what it waits for in vain is a deadlock", async () => {
    const one = world();
    const heard = one.run(async ({ watch, disk, clock }) => {
      const watcher = await watch.open("/");
      void clock.sleep(10).then(() => disk.mkdir("/a"));
      return [await watcher.next(), clock.now() - one.epochMs];
    });
    expect(await heard).toEqual([{ kind: "changed", name: "a" }, 10]);
    await expect(one.run(async ({ watch }) => (await watch.open("/")).next())).rejects.toThrow(/^WORLD_DEADLOCK: the run awaits something .*\(last one: watch\.next '\/'\)/);
  });
});

describe("the small ports of a world", () => {
  for (const { name, run } of idsContract) it(name, () => run(async () => world().ports.ids));
  for (const { name, run } of faultsContract) it(name, () => run(async () => world().ports.faults));
  for (const { name, run } of logContract) it(name, () => run(async () => readableLog(world())));
});

async function realDirectory(): Promise<Disk> {
  return nodeDisk(await mkdtemp(join(base, "disk-")));
}

function readableLog({ ports, log }: World): { log: typeof ports.log; entries(): World["log"] } {
  return { log: ports.log, entries: () => log };
}
