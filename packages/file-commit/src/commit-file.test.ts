import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DiskError, type Disk, type DiskFile, type Ports } from "@casebook/ports";
import { createNodePorts } from "@casebook/ports/node";
import { createWorld, type World } from "@casebook/sim";
import { describe, expect, it } from "vitest";
import { commitFile } from "./index.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const freshWorld = (): World => createWorld({ seed: 1, epoch: "2026-03-01T00:00:00Z" });

/** A world with one old file in one directory. */
async function worldWith(directory: string, path: string): Promise<World> {
  const world = freshWorld();
  const { disk } = world.ports;
  if (directory !== "/") await disk.mkdir(directory);
  const file = await disk.open(path, "wx");
  await file.write(encode("the old content"));
  await file.close();
  return world;
}

describe("commitFile", () => {
  it("replaces the file and leaves nothing else behind", async () => {
    const world = await worldWith("/state", "/state/tasks.json");
    await world.run((ports) => commitFile(ports, "/state/tasks.json", encode("new")));
    expect(world.volume().toJSON()).toEqual({ "/state/tasks.json": "new" });
  });

  it("refuses a name that leaves no room for that of the temporary file, and touches nothing", async () => {
    const directory = await mkdtemp(join(tmpdir(), "casebook-long-name-"));
    const ports = createNodePorts();
    try {
      await expect(commitFile(ports, join(directory, "n".repeat(207)), encode("fits"))).resolves.toMatchObject({ attempts: 1 });
      await expect(commitFile(ports, join(directory, "n".repeat(208)), encode("does not"))).rejects.toMatchObject({ code: "ENAMETOOLONG" });
      expect((await ports.disk.readdir(directory)).map(({ name }) => name.length)).toEqual([207]);
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it("creates a file that was not there, in the root directory too, and takes no bytes at all", async () => {
    const world = freshWorld();
    await world.run(async (ports) => {
      await commitFile(ports, "/first", encode("1"));
      await commitFile(ports, "/empty", new Uint8Array(0));
    });
    expect(world.volume().toJSON()).toEqual({ "/first": "1", "/empty": "" });
  });

  it("makes the content durable before it takes the name, and the name durable after", async () => {
    const world = await worldWith("/state", "/state/tasks.json");
    const before = world.trace.events.length;
    await world.run((ports) => commitFile(ports, "/state/tasks.json", encode("new")));
    expect(world.trace.events.slice(before).map(({ operation, object }) => `${operation} ${object}`)).toEqual([
      "ids.next commit",
      "disk.open /state/tasks.json.commit-0001.tmp",
      "disk.write /state/tasks.json.commit-0001.tmp",
      "faults.reach file-commit.after-write",
      "disk.sync /state/tasks.json.commit-0001.tmp",
      "faults.reach file-commit.after-sync",
      "disk.close /state/tasks.json.commit-0001.tmp",
      "faults.reach file-commit.before-rename",
      "disk.rename /state/tasks.json.commit-0001.tmp -> /state/tasks.json",
      "faults.reach file-commit.after-rename",
      "disk.syncDirectory /state",
    ]);
  });

  it("shows a reader the old bytes or the new ones after every single disk operation", async () => {
    const world = await worldWith("/", "/tasks.json");
    const seen = new Set<string>();
    const look = (): void => void seen.add(String(world.volume().toJSON()["/tasks.json"]));
    await world.run((ports) => commitFile(after(ports, look), "/tasks.json", encode("new")));
    expect([...seen]).toEqual(["the old content", "new"]);
  });

  it("writes on when the disk takes fewer bytes than it was given", async () => {
    const world = freshWorld();
    const short = onWrite((file, bytes, position) => file.write(bytes.subarray(0, 2), position));
    await world.run((ports) => commitFile(short(ports), "/tasks.json", encode("seven b")));
    expect(world.volume().toJSON()).toEqual({ "/tasks.json": "seven b" });
  });

  it.each([
    ["takes nothing more", onWrite(() => Promise.resolve(0)), /^SHORT_WRITE: 0 of 3 bytes written, then none$/],
    ["is full", onWrite(() => refuse("ENOSPC", "write")), /^ENOSPC/],
    ["fails to sync", onFile(() => ({ sync: () => refuse("EIO", "sync") })), /^EIO/],
    ["refuses the rename", onDisk({ rename: () => refuse("EBUSY", "rename") }), /^COMMIT_RENAME_REFUSED: .* 8 times .* EBUSY/],
    ["is full at the rename", onDisk({ rename: () => refuse("ENOSPC", "rename") }), /^ENOSPC/],
    [
      "fails to sync, to close and to clean up",
      (ports: Ports) =>
        onDisk({ unlink: () => refuse("EPERM", "unlink") })(onFile(() => ({ sync: () => refuse("EIO", "sync") }))(ports)),
      /^EIO/,
    ],
  ] as const)("leaves the old file when the disk %s, and throws the first error on", async (what, breaks, message) => {
    const world = await worldWith("/", "/tasks.json");
    const run = world.run((ports) => commitFile(breaks(ports), "/tasks.json", encode("new")));
    await expect(run).rejects.toThrow(message);
    const left = Object.entries(world.volume().toJSON());
    expect(left[0]).toEqual(["/tasks.json", "the old content"]);
    // Only a disk that refuses the removal keeps the temporary file.
    expect(left.length).toBe(what.endsWith("clean up") ? 2 : 1);
  });

  it("gives a write that stopped short a code, as every refusal of the disk has one", async () => {
    const stuck = onWrite(() => Promise.resolve(0))(freshWorld().ports);
    await expect(commitFile(stuck, "/tasks.json", encode("new"))).rejects.toMatchObject({ code: "SHORT_WRITE" });
  });

  it("never renames a file whose sync failed, and syncs it once", async () => {
    const world = await worldWith("/", "/tasks.json");
    let syncs = 0;
    const renamed: string[] = [];
    const breaks = (ports: Ports): Ports =>
      onDisk({ rename: async (from) => void renamed.push(from) })(onFile(() => ({ sync: () => ((syncs += 1), refuse("EIO", "sync")) }))(ports));
    await expect(world.run((ports) => commitFile(breaks(ports), "/tasks.json", encode("new")))).rejects.toThrow(/^EIO: sync/);
    expect([syncs, renamed]).toEqual([1, []]);
  });

  it("closes its handle when the write fails, so that a long life does not run out of them", async () => {
    const world = await worldWith("/", "/tasks.json");
    let closed = 0;
    const breaks = onFile((file) => ({ write: () => refuse("ENOSPC", "write"), close: () => ((closed += 1), file.close()) }));
    await expect(world.run((ports) => commitFile(breaks(ports), "/tasks.json", encode("new")))).rejects.toThrow(/^ENOSPC/);
    expect(closed).toBe(1);
  });

  it.each(["EINVAL", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EPERM", "EISDIR"])("says so when the disk syncs no directories (%s)", async (code) => {
    const world = await worldWith("/", "/tasks.json");
    const breaks = onDisk({ syncDirectory: () => refuse(code, "syncDirectory") });
    expect(await world.run((ports) => commitFile(breaks(ports), "/tasks.json", encode("new")))).toEqual({ attempts: 1, directorySync: "unsupported" });
    expect(world.volume().toJSON()).toEqual({ "/tasks.json": "new" });
  });

  it.each(["EIO", "EACCES", "ENOSPC"])("fails in the open when it could have synced the directory, and did not (%s)", async (code) => {
    const world = await worldWith("/", "/tasks.json");
    const breaks = onDisk({ syncDirectory: () => refuse(code, "syncDirectory") });
    await expect(world.run((ports) => commitFile(breaks(ports), "/tasks.json", encode("new")))).rejects.toMatchObject({
      code: "COMMIT_NOT_DURABLE",
      errno: code,
      attempts: 1,
      target: "new",
      message:
        `COMMIT_NOT_DURABLE: /tasks.json holds the new version, and the disk failed to make its name durable (${code}): a power loss may ` +
        "bring back the old one. Look at the disk and its permissions, and write it again",
    });
    expect(world.volume().toJSON()).toEqual({ "/tasks.json": "new" });
  });

  it("lets what is no answer of a disk pass as it is", async () => {
    const world = await worldWith("/", "/tasks.json");
    const breaks = onDisk({ syncDirectory: () => Promise.reject(new TypeError("no function")) });
    await expect(world.run((ports) => commitFile(breaks(ports), "/tasks.json", encode("new")))).rejects.toThrow(/^no function$/);
  });

  it("refuses to replace a directory, and cleans up", async () => {
    const world = await worldWith("/tasks.json", "/tasks.json/inside");
    const run = world.run((ports) => commitFile(ports, "/tasks.json", encode("new")));
    await expect(run).rejects.toThrow(/^EISDIR: rename/);
    expect(world.volume().toJSON()).toEqual({ "/tasks.json/inside": "the old content" });
  });

  it("lets two writers commit at the same time: one of the two contents stands, whole", async () => {
    const world = await worldWith("/", "/tasks.json");
    await world.run((ports) =>
      Promise.all(["one".repeat(50), "two"].map((text) => commitFile(ports, "/tasks.json", encode(text)))),
    );
    const { "/tasks.json": content, ...others } = world.volume().toJSON();
    expect([["one".repeat(50), "two"].includes(String(content)), others]).toEqual([true, {}]);
  });

  it("does the same on a real disk", async () => {
    const root = await mkdtemp(join(tmpdir(), "casebook-file-commit-"));
    try {
      const ports = createNodePorts({ root });
      await commitFile(ports, "/tasks.json", encode("old"));
      await commitFile(ports, "/tasks.json", encode("new"));
      const file = await ports.disk.open("/tasks.json", "r");
      expect([...(await file.read(99, 0))]).toEqual([...encode("new")]);
      await file.close();
      expect(await ports.disk.readdir("/")).toEqual([{ name: "tasks.json", kind: "file" }]);
    } finally {
      await rm(root, { recursive: true });
    }
  });
});

function refuse(code: string, operation: string): Promise<never> {
  return Promise.reject(new DiskError(code, operation, "/tasks.json"));
}

/** Ports whose disk answers differently; until faults can be armed, a disk that fails is the world's with one call replaced. */
function onDisk(replaced: Partial<Disk>): (ports: Ports) => Ports {
  return (ports) => ({ ...ports, disk: { ...ports.disk, ...replaced } });
}

function onFile(replace: (file: DiskFile) => Partial<DiskFile>): (ports: Ports) => Ports {
  return (ports) =>
    onDisk({
      open: async (path, flags) => {
        const file = await ports.disk.open(path, flags);
        return { ...file, ...replace(file) };
      },
    })(ports);
}

function onWrite(
  write: (file: DiskFile, bytes: Uint8Array, position?: number) => Promise<number>,
): (ports: Ports) => Ports {
  return onFile((file) => ({ write: (bytes, position) => write(file, bytes, position) }));
}

/** Calls `look` after every answer of the disk and of its files. */
function after(ports: Ports, look: () => void): Ports {
  const { disk } = ports;
  const watched = onFile((file) => ({
    write: (bytes, position) => file.write(bytes, position).finally(look),
    sync: () => file.sync().finally(look),
    close: () => file.close().finally(look),
  }))(ports);
  return onDisk({
    open: (path, flags) => watched.disk.open(path, flags).finally(look),
    rename: (from, to) => disk.rename(from, to).finally(look),
    syncDirectory: (path) => disk.syncDirectory(path).finally(look),
  })(ports);
}
