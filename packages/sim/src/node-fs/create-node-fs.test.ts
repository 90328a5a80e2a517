/** What the contract cannot compare: which steps a call is, what is refused, and whose descriptors are whose. */
import * as realFs from "node:fs";
import { promisify } from "node:util";
import { createWorld, type World } from "@casebook/sim";
import { describe, expect, it } from "vitest";
import { createNodeFs } from "./index.ts";

const freshWorld = (): World => createWorld({ seed: 1, epoch: "2026-03-01T00:00:00Z" });

async function stepsOf(work: (fs: typeof realFs) => Promise<unknown>): Promise<string[]> {
  const world = freshWorld();
  await world.run(({ disk }) => work(createNodeFs(disk)));
  return world.trace.events.map(({ operation, object }) => `${operation} ${object}`);
}

const messageOf = (work: () => unknown): string => {
  try {
    work();
    return "no error";
  } catch (failure) {
    return (failure as Error).message;
  }
};

describe("node:fs over the disk port", () => {
  it("takes a step for each call of the system, behind a callback and behind a promise", async () => {
    const steps = ["disk.open /a", "disk.write /a", "disk.close /a", "disk.rename /a -> /b"];
    expect(await stepsOf(async ({ promises }) => promises.writeFile("/a", "text").then(() => promises.rename("/a", "/b")))).toEqual(steps);
    expect(
      await stepsOf(
        (fs) =>
          new Promise<void>((resolve) => {
            fs.writeFile("/a", "text", () => fs.rename("/a", "/b", () => resolve()));
          }),
      ),
    ).toEqual(steps);
  });

  it("syncs a directory that is opened for reading, as the kernel does", async () => {
    const steps = await stepsOf(async ({ promises }) => {
      const directory = await promises.open("/", "r");
      await directory.sync();
      await directory.close();
    });
    expect(steps).toEqual(["disk.open /", "disk.sync /", "disk.close /"]);
  });

  it("flushes what writeFile was told to", async () => {
    // The types of Node 20 do not have it, its 20.10 and later do.
    const options = { flush: true } as realFs.WriteFileOptions;
    expect(await stepsOf(({ promises }) => promises.writeFile("/a", "text", options))).toEqual(["disk.open /a", "disk.write /a", "disk.sync /a", "disk.close /a"]);
  });

  it("keeps the order of writes that nobody waited for, each where the one before it ended", async () => {
    const world = freshWorld();
    await world.run(async ({ disk }) => {
      const fs = createNodeFs(disk);
      const fd = await promisify(fs.open)("/a", "w");
      await Promise.all(["one ", "two ", "three"].map((word) => promisify(fs.write)(fd, word)));
    });
    expect(world.volume().toJSON()).toEqual({ "/a": "one two three" });
  });

  it("numbers descriptors from 3, the lowest free one first, for each process by itself", async () => {
    const world = freshWorld();
    await world.run(async ({ disk }) => {
      const [one, other] = [createNodeFs(disk), createNodeFs(disk)];
      const open = (fs: typeof realFs): Promise<number> => promisify(fs.open)("/a", "w");
      expect([await open(one), await open(one), await open(one)]).toEqual([3, 4, 5]);
      await promisify(one.close)(4);
      expect([await open(one), await open(other)]).toEqual([4, 3]);
      await expect(promisify(other.fsync)(5)).rejects.toMatchObject({ code: "EBADF", errno: -9, syscall: "fsync" });
    });
  });

  it("closes a file handle once, and answers EBADF for what is asked of it afterwards", async () => {
    const { promises } = createNodeFs(freshWorld().ports.disk);
    const handle = await promises.open("/a", "w+");
    await Promise.all([handle.close(), handle.close()]);
    expect(handle.fd).toBe(-1);
    await expect(handle.sync()).rejects.toMatchObject({ code: "EBADF", syscall: "fsync" });
    await expect(promises.readFile(handle)).rejects.toMatchObject({ code: "EBADF" });
  });

  it("has every function that Node has, and each that is left out says so by name", async () => {
    const ours = createNodeFs(freshWorld().ports.disk);
    const names = Object.entries(realFs).filter(([, value]) => typeof value === "function").map(([name]) => name);
    expect(names.length).toBeGreaterThan(90);
    expect(names.filter((name) => typeof (ours as unknown as Record<string, unknown>)[name] !== "function")).toEqual([]);
    const ofPromises = Object.entries(realFs.promises).filter(([, value]) => typeof value === "function").map(([name]) => name);
    expect(ofPromises.filter((name) => typeof (ours.promises as unknown as Record<string, unknown>)[name] !== "function")).toEqual([]);
    expect(messageOf(() => ours.readFileSync("/a"))).toBe(
      "NODE_FS_SYNC: fs.readFileSync blocks, and a call that blocks cannot be a step of the world, which others take turns with. Call fs.readFile with a callback, or the one of fs.promises.",
    );
    expect(messageOf(() => ours.watch("/a"))).toBe(
      "NODE_FS_NOT_MODELLED: fs.watch is not in the simulated node:fs: there are files and directories only, and no links, watching or streams. Use what is there, or leave it out of what runs in the world.",
    );
    await expect(ours.promises.symlink("/a", "/b")).rejects.toMatchObject({ code: "NODE_FS_NOT_MODELLED" });
  });

  it("guesses nothing: what the disk port does not know is refused", async () => {
    const { ports } = freshWorld();
    const fs = createNodeFs(ports.disk);
    await fs.promises.writeFile("/a", "text");
    const stats = await fs.promises.stat("/a");
    const now = new Date(0);
    const refused: (() => unknown)[] = [
      () => stats.ino,
      () => fs.utimes("/a", now, now, () => undefined),
      () => fs.open("/a", "rs+", () => undefined),
      () => fs.open("/a", realFs.constants.O_RDWR | realFs.constants.O_CREAT, () => undefined),
      () => fs.readFile("/a", { signal: new AbortController().signal }, () => undefined),
      () => fs.stat("/a", { bigint: true }, () => undefined),
    ];
    expect(refused.map((work) => messageOf(work).split(":")[0])).toEqual(refused.map(() => "NODE_FS_NOT_MODELLED"));
  });

  it("takes modes and owners, and has one of each for all", async () => {
    const fs = createNodeFs(freshWorld().ports.disk);
    await fs.promises.writeFile("/a", "text", { mode: 0o600 });
    await fs.promises.chmod("/a", 0o600);
    await fs.promises.chown("/a", 1000, 1000);
    const { mode, uid, gid } = await fs.promises.stat("/a");
    expect({ mode: mode.toString(8), uid, gid }).toEqual({ mode: "100644", uid: 0, gid: 0 });
    await expect(fs.promises.access("/a", realFs.constants.X_OK)).rejects.toMatchObject({ code: "EACCES" });
  });

  it("throws at the call for arguments that are none, where there is a callback, and rejects where there is none", async () => {
    const fs = createNodeFs(freshWorld().ports.disk);
    expect(messageOf(() => (fs.stat as unknown as (path: string) => void)("/a"))).toBe('ERR_INVALID_ARG_TYPE: "cb" has to be a function, and is string');
    expect(messageOf(() => fs.open("/a", "read", () => undefined))).toBe('ERR_INVALID_ARG_VALUE: "flags" has to be one of those that node:fs knows, and is "read"');
    expect(messageOf(() => fs.close(-1, () => undefined))).toBe('ERR_OUT_OF_RANGE: "fd" has to be a whole number from 0 up, and is -1');
    await expect(fs.promises.open("/a\0", "r")).rejects.toMatchObject({ code: "ERR_INVALID_ARG_VALUE" });
  });
});
