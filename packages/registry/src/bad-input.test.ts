import { createNodePorts } from "@casebook/ports/node";
import { parityFacts, readRegistry, type RegistryLocation } from "@casebook/registry";
import { createWorld, type World } from "@casebook/sim";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";

const perTask: RegistryLocation = { path: "/tasks", shape: { kind: "file-per-task" } };
const oneFile: RegistryLocation = { path: "/tasks.json", shape: { kind: "array", pointer: "/scheduledTasks" } };
type Files = Readonly<Record<string, string | Uint8Array>>;

/** The same bad input on the simulated and on the real disk. */
describe.each(["the world", "a real disk"] as const)("bad input on %s", (host) => {
  const utf16 = Uint8Array.from([
    0xff,
    0xfe,
    ...[...'{"scheduledTasks":[]}'].flatMap((character) => [character.charCodeAt(0), 0]),
  ]);
  it.each<[string, Files, RegistryLocation, string]>([
    ["missing", {}, oneFile, "absent REGISTRY_MISSING: there is no /tasks.json"],
    ["empty", { "/tasks.json": "" }, oneFile, "unreadable REGISTRY_EMPTY: there is nothing in it"],
    [
      "a directory",
      { "/tasks.json/a.txt": "" },
      oneFile,
      "unreadable REGISTRY_IS_DIRECTORY: /tasks.json is a directory",
    ],
    [
      "below a file",
      { "/tasks.json": "" },
      { ...oneFile, path: "/tasks.json/more.json" },
      "unreadable REGISTRY_UNREADABLE: the disk refuses to read /tasks.json/more.json: ENOTDIR",
    ],
    [
      "cut off in a string",
      { "/tasks.json": '{"scheduledTasks":[{"id":"a' },
      oneFile,
      "unreadable REGISTRY_TRUNCATED: the text ends inside a string",
    ],
    [
      "UTF-16",
      { "/tasks.json": utf16 },
      oneFile,
      "unreadable REGISTRY_UTF16_LE: the file starts with a UTF-16 (LE) byte order mark",
    ],
    [
      "full of NULs",
      { "/tasks.json": new Uint8Array(100) },
      oneFile,
      "unreadable REGISTRY_NUL_BYTES: 100 of 100 bytes, from byte 0, are NUL",
    ],
    [
      "nested 100,000 deep",
      { "/tasks.json": "[".repeat(100_000) },
      oneFile,
      "unreadable REGISTRY_TOO_DEEP: more than 512 levels deep",
    ],
    ["a directory of task files that is missing", {}, perTask, "absent REGISTRY_MISSING: there is no /tasks"],
    [
      "a file where a directory of task files should be",
      { "/tasks": "{}" },
      perTask,
      "unreadable REGISTRY_NOT_DIRECTORY: /tasks is not a directory",
    ],
  ])(
    "a registry that is %s gives a named problem, one line in the log and no write",
    async (_, files, location, expected) => {
      const { outcome, problem, lines, before, after } =
        host === "the world" ? await inWorld(files, location) : await onRealDisk(files, location);
      expect(`${outcome} ${problem.code}: ${problem.what}`).toBe(expected);
      expect(lines).toEqual([`registry.file-${outcome}`]);
      expect(after).toEqual(before);
    },
  );
});

describe("on a real disk", () => {
  it("a file of 200 MB is not read", async () => {
    const { root, ports } = await realDisk({ "/tasks.json": "" });
    await truncate(join(root, "tasks.json"), 200_000_000);
    expect(await readRegistry(ports, oneFile, "quarantine-entry")).toMatchObject({
      outcome: "unreadable",
      problem: {
        code: "REGISTRY_TOO_LARGE",
        what: "/tasks.json has 200000000 bytes, more than the 67108864 that may still be read",
      },
    });
  });

  it("a task file of 200 MB is set aside, and costs no other", async () => {
    const { root, ports } = await realDisk({
      "/tasks/a.json": '{"fireAt":1}',
      "/tasks/b.json": "",
      "/tasks/c.json": '{"fireAt":1}',
    });
    await truncate(join(root, "tasks/b.json"), 200_000_000);
    const reading = await readRegistry(ports, perTask, "quarantine-entry");
    expect(parityFacts(reading)).toEqual({ onDisk: 3, loaded: 2, quarantined: 1 });
    expect(reading.quarantined[0]?.problems[0].say).toContain("REGISTRY_TOO_LARGE");
  });

  it("task files that are too large together are set aside from where the limit is reached", async () => {
    const { root, ports } = await realDisk({
      "/tasks/a.json": '{"fireAt":1}',
      "/tasks/b.json": "",
      "/tasks/c.json": "",
      "/tasks/d.json": '{"fireAt":1}',
    });
    for (const name of ["b", "c"]) await truncate(join(root, `tasks/${name}.json`), 40_000_000);
    const reading = await readRegistry(ports, perTask, "quarantine-entry");
    expect(reading.loaded.map((task) => task.id)).toEqual(["a", "d"]);
    expect(reading.quarantined.map((bad) => bad.problems[0].seen)).toEqual([
      "40000000 of 40000000 bytes, from byte 0, are NUL",
      // 64 MiB less the first two files.
      "/tasks/c.json has 40000000 bytes, more than the 27108852 that may still be read",
    ]);
  });

  it("a file that may not be read is unreadable, not empty", async (context) => {
    const { root, ports } = await realDisk({ "/tasks.json": "[]", "/tasks/a.json": "{}" });
    await chmod(join(root, "tasks.json"), 0);
    await chmod(join(root, "tasks"), 0);
    const isRoot = process.geteuid?.() === 0;
    if (process.geteuid === undefined) context.skip("NOT RUN (unsupported): no user ids on this platform, so nothing refuses this process");
    await chmod(root, 0o755);
    // Root cannot be refused, so it steps down for the length of the two reads.
    if (isRoot) process.seteuid?.(65_534);
    try {
      const file = await readRegistry(ports, oneFile, "quarantine-entry");
      expect(file).toMatchObject({
        outcome: "unreadable",
        population: undefined,
        problem: { code: "REGISTRY_UNREADABLE", what: "the disk refuses to read /tasks.json: EACCES" },
      });
      const directory = await readRegistry(ports, perTask, "quarantine-entry");
      expect(directory).toMatchObject({
        outcome: "unreadable",
        problem: { code: "REGISTRY_UNREADABLE", what: "the disk refuses to read /tasks: EACCES" },
      });
    } finally {
      if (isRoot) process.seteuid?.(0);
      await chmod(join(root, "tasks"), 0o700);
    }
  });

  it("a link to nowhere among the task files is set aside, because the name is there", async () => {
    const { root, ports } = await realDisk({ "/tasks/a.json": '{"fireAt":1}' });
    await symlink(join(root, "nowhere"), join(root, "tasks/b.json"));
    expect(parityFacts(await readRegistry(ports, perTask, "quarantine-entry"))).toEqual({
      onDisk: 2,
      loaded: 1,
      quarantined: 1,
    });
  });
});

async function inWorld(files: Files, location: RegistryLocation) {
  const world = createWorld({ seed: 1, epoch: 0 });
  await put(world.ports.disk, files);
  const reading = await world.run((ports) => readRegistry(ports, location, "quarantine-entry"));
  if (reading.outcome === "loaded" || reading.outcome === "rejected") throw new Error(reading.outcome);
  const untouched = createWorld({ seed: 1, epoch: 0 });
  await put(untouched.ports.disk, files);
  return {
    ...reading,
    lines: world.log.map(({ event }) => event),
    before: untouched.volume().toJSON(),
    after: world.volume().toJSON(),
  };
}

async function onRealDisk(files: Files, location: RegistryLocation) {
  const { root, ports, lines } = await realDisk(files);
  const before = await treeOf(root);
  const reading = await readRegistry(ports, location, "quarantine-entry");
  if (reading.outcome === "loaded" || reading.outcome === "rejected") throw new Error(reading.outcome);
  return {
    ...reading,
    lines: lines.map((line) => /registry\.[a-z-]+/.exec(line)?.[0]),
    before,
    after: await treeOf(root),
  };
}

const roots: string[] = [];
afterEach(async () => {
  for (const root of roots.splice(0)) await rm(root, { recursive: true });
});

async function realDisk(files: Files) {
  const root = await mkdtemp(join(tmpdir(), "casebook-registry-"));
  roots.push(root);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(root, path, ".."), { recursive: true });
    await writeFile(join(root, path), content);
  }
  const lines: string[] = [];
  return { root, ports: createNodePorts({ root, log: (line) => lines.push(line) }), lines };
}

async function treeOf(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const texts = entries.map(
    async (item) =>
      `${item.name} ${item.isFile() ? (await readFile(join(item.parentPath, item.name))).toString("base64") : "/"}`,
  );
  return (await Promise.all(texts)).sort();
}

async function put(disk: World["ports"]["disk"], files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const directories = path.split("/").slice(1, -1);
    for (let depth = 1; depth <= directories.length; depth += 1) {
      await disk.mkdir(`/${directories.slice(0, depth).join("/")}`).catch(() => undefined);
    }
    const file = await disk.open(path, "w");
    await file.write(typeof content === "string" ? new TextEncoder().encode(content) : content);
    await file.close();
  }
}
