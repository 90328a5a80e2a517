/** What writers refuse or fail at, and that they say what it was. */
import { DiskError } from "@casebook/ports";
import { createNodePorts } from "@casebook/ports/node";
import {
  createTask,
  readRegistry,
  type RegistryLocation,
  type RegistryShape,
  updateTask,
  type WriteResult,
} from "@casebook/registry";
import { createWorld, type World } from "@casebook/sim";
import { link, lstat, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";

const list: RegistryShape = { kind: "array", pointer: "/scheduledTasks" };
const map: RegistryShape = { kind: "id-keyed-map", pointer: "" };
const perTask: RegistryLocation = { path: "/tasks", shape: { kind: "file-per-task" } };
const task = (id: string) => ({ id, fireAt: 5 });

describe("a map", () => {
  const taken = '{"a":{"id":"b","fireAt":1}}';

  it("gets no second entry under a key that is there, whatever id stands inside", async () => {
    const { result, text } = await onFile(taken, map, (ports, at) => createTask(ports, at, task("a")));
    expect(result).toEqual({
      outcome: "refused",
      code: "TASK_EXISTS",
      say: 'TASK_EXISTS: "a" is there already, at /a',
    });
    expect(text).toBe(taken);
  });

  it("is not changed under a key that is there twice", async () => {
    const twice = '{"a":{"id":"b","fireAt":1},"a":{"fireAt":2}}';
    const { result, text } = await onFile(twice, map, (ports, at) => updateTask(ports, at, "a", { enabled: false }));
    expect(result).toMatchObject({ outcome: "refused", code: "TASK_AMBIGUOUS" });
    expect(text).toBe(twice);
  });

  it.each([
    ["null", "null"],
    ['"soon"', 'text "soon"'],
    ["[]", "a list of 0"],
  ])("whose entry is %s answers an update with that, and not with an unreadable file", async (value, seen) => {
    const before = `{"a":${value},"b":{"fireAt":1}}`;
    const { result, text } = await onFile(before, map, (ports, at) => updateTask(ports, at, "a", { enabled: false }));
    expect(result).toEqual({
      outcome: "refused",
      code: "TASK_INVALID",
      say:
        `TASK_INVALID: ENTRY_NOT_OBJECT: /a (line 1, column 6) of "a" is ${seen}, wanted an object. ` +
        "A task that is set aside does not fire. Correct it in the file.",
    });
    expect(text).toBe(before);
  });
});

it("a choice between lists is made by nobody: no entry lands in the list that happens to be whole", async () => {
  const before = '{"tasks":["x",null],"archived":[]}';
  const shape: RegistryShape = { kind: "several-lists", declared: undefined };
  const { result, text } = await onFile(before, shape, (ports, at) => createTask(ports, at, task("new")));
  expect(result).toMatchObject({ outcome: "refused", code: "REGISTRY_WRITE_REFUSED" });
  expect(text).toBe(before);
});

describe("an id that is none", () => {
  it.each(["../out", "a\0b", "", "a/b"])("is refused before the disk hears of it: %j", async (id) => {
    const world = createWorld({ seed: 1, epoch: 0 });
    await world.ports.disk.mkdir("/tasks");
    const before = world.trace.events.length;
    for (const result of [
      await createTask(world.ports, perTask, task(id)),
      await updateTask(world.ports, perTask, id, { fireAt: 1 }),
      await createTask(world.ports, perTask, task(id), "write-back-loaded"),
    ])
      expect(result).toMatchObject({ outcome: "refused", code: "TASK_INVALID" });
    const operations = world.trace.events.slice(before).map(({ operation }) => operation);
    expect(operations).toEqual(["log.write", "log.write", "log.write"]);
  });
});

describe.each(["the world", "a real disk"] as const)("on %s", (host) => {
  const portsOf = async () => (host === "the world" ? createWorld({ seed: 1, epoch: 0 }).ports : (await realDisk()).ports);

  it("a path with a NUL is an answer, for readers and writers", async () => {
    const ports = await portsOf();
    for (const shape of [list, perTask.shape]) {
      const at: RegistryLocation = { path: "/a\0b", shape, promptsPath: "/c\0d" };
      expect(await readRegistry(ports, at, "quarantine-entry")).toMatchObject({
        outcome: "unreadable",
        population: undefined,
        problem: { code: "REGISTRY_PATH_INVALID", what: "the path /a\\u0000b holds a NUL, which no file name can" },
      });
      expect(await createTask(ports, at, task("a"))).toMatchObject({
        outcome: "refused",
        code: "REGISTRY_WRITE_REFUSED",
      });
    }
  });

  it.each<[RegistryLocation, string]>([
    [{ path: "/no/where/tasks.json", shape: list }, "/no/where"],
    [{ path: "/no/where/tasks", shape: perTask.shape }, "/no/where"],
  ])("a directory that is missing is named: %j", async (at, directory) => {
    const ports = await portsOf();
    expect(await createTask(ports, at, task("a"))).toEqual({
      outcome: "failed",
      code: "REGISTRY_WRITE_FAILED",
      say: `REGISTRY_WRITE_FAILED: there is no directory ${directory}, so nothing was written. Make it, or check the path`,
    });
    expect(await ports.disk.readdir("/")).toEqual([]);
  });

  it("a name that is too long is called so, also where only the temporary one is", async () => {
    const ports = await portsOf();
    const at = (name: string): RegistryLocation => ({ path: `/${name}`, shape: list });
    // 255 bytes are the most that a name may have.
    const tooLong = await createTask(ports, at("x".repeat(256)), task("a"));
    expect(tooLong).toEqual({
      outcome: "refused",
      code: "REGISTRY_WRITE_REFUSED",
      say:
        `REGISTRY_WRITE_REFUSED: what was not read cannot be written back. REGISTRY_NAME_TOO_LONG: /${"x".repeat(256)} is a name ` +
        "or path too long for this disk. The disk holds no file of that name, and takes none. Choose a shorter id or path.",
    });
    const justFits = await createTask(ports, at("x".repeat(255)), task("a"));
    expect(justFits).toEqual({
      outcome: "failed",
      code: "REGISTRY_WRITE_FAILED",
      say:
        `REGISTRY_WRITE_FAILED: /${"x".repeat(255)} with the ending of its temporary file is a name or path too long for this disk, ` +
        "so nothing was written. Choose a shorter id or path",
    });
    expect(await ports.disk.readdir("/")).toEqual([]);
  });

  it("a disk that takes fewer bytes than it was given, and then none, is a failure and no exception", async () => {
    const ports = await portsOf();
    const open: typeof ports.disk.open = async (path, flags) => {
      const file = await ports.disk.open(path, flags);
      return { ...file, write: () => Promise.resolve(0) };
    };
    const result = await createTask({ ...ports, disk: { ...ports.disk, open } }, { path: "/t", shape: list }, task("a"));
    expect(result).toMatchObject({ outcome: "failed", code: "REGISTRY_WRITE_FAILED" });
    expect(await ports.disk.readdir("/")).toEqual([]);
  });
});

describe("a registry that is a link", () => {
  it.each([
    ["to a file", true],
    ["to nowhere", false],
  ])("%s stays a link, because a write would put a plain file in its place", async (_, isThere) => {
    const { root, ports } = await realDisk();
    if (isThere) await writeFile(join(root, "real.json"), '{"scheduledTasks":[]}');
    await symlink("real.json", join(root, "tasks.json"));
    expect(await createTask(ports, { path: "/tasks.json", shape: list }, task("a"))).toEqual({
      outcome: "refused",
      code: "REGISTRY_WRITE_REFUSED",
      say:
        "REGISTRY_WRITE_REFUSED: /tasks.json is a link, and a write would put a plain file in its place. " +
        "Give the path that the link leads to",
    });
    expect((await lstat(join(root, "tasks.json"))).isSymbolicLink()).toBe(true);
    if (isThere) expect(await readFile(join(root, "real.json"), "utf8")).toBe('{"scheduledTasks":[]}');
  });
});

it("a write gives a private registry the mode of a new file, and a second name keeps the old content: the model has neither", async () => {
  const { root, ports } = await realDisk();
  const file = join(root, "tasks.json");
  await writeFile(file, '{"scheduledTasks":[]}', { mode: 0o600 });
  await link(file, join(root, "second.json"));
  expect(await createTask(ports, { path: "/tasks.json", shape: list }, task("a"))).toMatchObject({ outcome: "written" });
  expect((await lstat(file)).mode & 0o777).toBe(0o666 & ~process.umask());
  expect(await readFile(join(root, "second.json"), "utf8")).toBe('{"scheduledTasks":[]}');
});

it("a directory that may not be listed could hold a link, so nothing is written into it", async () => {
  const world = createWorld({ seed: 1, epoch: 0 });
  const readdir = (path: string): Promise<never> => Promise.reject(new DiskError("EACCES", "readdir", path));
  const ports = { ...world.ports, disk: { ...world.ports.disk, readdir } };
  expect(await createTask(ports, { path: "/tasks.json", shape: list }, task("a"))).toEqual({
    outcome: "refused",
    code: "REGISTRY_WRITE_REFUSED",
    say:
      "REGISTRY_WRITE_REFUSED: whether /tasks.json is a link cannot be told, because the disk refuses to list its directory: " +
      "EACCES. Check permissions",
  });
  expect(world.volume().toJSON()).toEqual({});
});

async function onFile(
  before: string,
  shape: RegistryShape,
  act: (ports: World["ports"], at: RegistryLocation) => Promise<WriteResult>,
) {
  const world = createWorld({ seed: 1, epoch: 0 });
  const file = await world.ports.disk.open("/tasks.json", "w");
  await file.write(new TextEncoder().encode(before));
  await file.close();
  const result = await world.run((ports) => act(ports, { path: "/tasks.json", shape }));
  return { result, text: world.volume().toJSON()["/tasks.json"] };
}

const roots: string[] = [];
afterEach(async () => {
  for (const root of roots.splice(0)) await rm(root, { recursive: true });
});

async function realDisk() {
  const root = await mkdtemp(join(tmpdir(), "casebook-registry-"));
  roots.push(root);
  return { root, ports: createNodePorts({ root, log: () => undefined }) };
}
