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
} from "../contract/index.ts";
import { createNodePorts, nodeClock, nodeDisk, nodeFaults, nodeIds, nodeLog } from "./index.ts";

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
