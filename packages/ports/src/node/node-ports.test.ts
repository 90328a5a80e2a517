import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCancellation } from "../index.ts";
import {
  clockContract,
  diskContract,
  faultsContract,
  idsContract,
  logContract,
  type ReadableLog,
  watchContract,
} from "../contract/index.ts";
import { createNodePorts, nodeClock, nodeDisk, nodeFaults, nodeIds, nodeLog, nodeWatch } from "./index.ts";

let base = "";
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "casebook-ports-"));
});
afterAll(() => rm(base, { recursive: true }));

const freshRoot = (): Promise<string> => mkdtemp(join(base, "root-"));

describe("the clock of the machine", () => {
  for (const { name, run } of clockContract) it(name, () => run(async () => nodeClock()));

  it("keeps the process alive for a wait, and no longer once it is cancelled", async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
    const before = timers();
    const cancellation = createCancellation();
    const wait = nodeClock().sleep(3_600_000, cancellation.signal);
    const during = timers();
    cancellation.cancel();
    expect([during - before, timers() - before, await wait]).toEqual([1, 0, "cancelled"]);
  });
});

describe("the disk of the machine", () => {
  for (const { name, run } of diskContract) it(name, () => run(async () => nodeDisk(await freshRoot())));

  it("keeps `..` below its root and names the port's path in an error, not the machine's", async () => {
    const root = await freshRoot();
    await mkdir(join(root, "inside"));
    const disk = nodeDisk(join(root, "inside"));
    await disk.mkdir("/../made");
    expect(await disk.readdir("/")).toEqual([{ name: "made", kind: "directory" }]);
    await expect(disk.unlink("/../../missing")).rejects.toThrow(/^ENOENT: unlink '\/\.\.\/\.\.\/missing'$/);
  });

  it("takes paths of the machine when it is given no root", async () => {
    const root = await freshRoot();
    const { disk } = createNodePorts();
    const file = await disk.open(`${root}/a`, "wx");
    await file.write(Uint8Array.of(65));
    await file.close();
    expect(await readFile(join(root, "a"), "utf8")).toBe("A");
  });

  it("calls what is neither file nor directory other", async () => {
    const root = await freshRoot();
    await writeFile(join(root, "file"), "");
    await symlink("file", join(root, "link"));
    const entries = await nodeDisk(root).readdir("/");
    expect(entries.sort((one, two) => (one.name < two.name ? -1 : 1))).toEqual([
      { name: "file", kind: "file" },
      { name: "link", kind: "other" },
    ]);
  });
});

describe("a watcher of the machine", () => {
  const freshDisk = async () => {
    const root = await freshRoot();
    return { disk: nodeDisk(root), watch: nodeWatch(root) };
  };
  for (const { name, run } of watchContract) it(name, () => run(freshDisk));

  it("keeps the process alive while it is open, and no longer", async () => {
    const handles = (): number => process.getActiveResourcesInfo().filter((kind) => kind === "FSEventWrap").length;
    const { watch } = await freshDisk();
    const watcher = await watch.open("/");
    const during = handles();
    await watcher.close();
    // What is closed goes at the end of a turn of the event loop.
    for (let turn = 1; turn <= 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect([during, handles()]).toEqual([1, 0]);
  });

  it.runIf(process.platform === "linux")("hears of the removal of its directory, and nothing of the one that takes its place", async () => {
    const { disk, watch } = await freshDisk();
    await disk.mkdir("/watched");
    const watcher = await watch.open("/watched");
    await disk.rmdir("/watched");
    expect((await watcher.next())?.kind).toBe("changed");
    await disk.mkdir("/watched");
    const witness = await watch.open("/watched");
    await disk.mkdir("/watched/new");
    await witness.next();
    await witness.close();
    // One system tells events in order, so the first watcher has heard by now what it will hear: of the removal, and of nothing else.
    const names: unknown[] = [];
    const rest = (async () => {
      for (let event = await watcher.next(); event !== undefined; event = await watcher.next()) names.push(event.kind === "changed" ? event.name : event.kind);
    })();
    await watcher.close();
    await rest;
    expect(names).not.toContain("new");
  });
});

describe("the ids of the machine", () => {
  for (const { name, run } of idsContract) it(name, () => run(async () => nodeIds()));
});

describe("the log of the machine", () => {
  for (const { name, run } of logContract) it(name, () => run(async () => logIntoLines()));
});

describe("the moments of the machine", () => {
  for (const { name, run } of faultsContract) it(name, () => run(async () => nodeFaults()));
});

function logIntoLines(): ReadableLog {
  const lines: string[] = [];
  return { log: nodeLog((line) => lines.push(line)), entries: () => lines.map((line) => JSON.parse(line)) };
}
