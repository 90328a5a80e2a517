/** Several stores of one installation: what each registers, what all of them forgot, and when nobody can know. */
import { MAX_STORES, readStores, type StoresLocation } from "./index.ts";
import { joinStores } from "@casebook/registry/judge";
import { createWorld, type World } from "@casebook/sim";
import { describe, expect, it } from "vitest";

const LOCATION: StoresLocation = {
  path: "/stores",
  file: "scheduled-tasks.json",
  shape: { kind: "array", pointer: "/scheduledTasks" },
  promptsPath: "/prompts",
};
const registry = (...ids: readonly string[]) =>
  JSON.stringify({ scheduledTasks: ids.map((id) => ({ id, cronExpression: "0 8 * * *" })) });
const prompts = (...ids: readonly string[]) => Object.fromEntries(ids.map((id) => [`/prompts/${id}/SKILL.md`, "Do it.\n"]));
const store = (account: string, text: string) => ({ [`/stores/${account}/main/scheduled-tasks.json`]: text });

async function read(files: Readonly<Record<string, string>>, seed = 1) {
  const world = createWorld({ seed, epoch: "2026-09-02T08:00:00Z" });
  for (const [path, text] of Object.entries(files)) await put(world.ports.disk, path, text);
  const reading = await world.run((ports) => readStores(ports, LOCATION, "quarantine-entry"));
  return { reading, log: world.log.map(({ event }) => event) };
}

async function put(disk: World["ports"]["disk"], path: string, text: string): Promise<void> {
  const folders = path.split("/").slice(1, -1);
  for (const [index] of folders.entries()) {
    // Made for the file before.
    await disk.mkdir(`/${folders.slice(0, index + 1).join("/")}`).catch(() => undefined);
  }
  const file = await disk.open(path, "w");
  await file.write(new TextEncoder().encode(text));
  await file.close();
}

describe("a reader of every store", () => {
  it("counts each store and names the prompts that none of them registers, whatever order the disk lists them in", async () => {
    const files = { ...store("b", registry()), ...store("a", registry("one", "two")), ...prompts("two", "four", "three", "one") };
    for (const seed of [1, 2, 3]) {
      const { reading, log } = await read(files, seed);
      expect(reading.stores.map(({ store: name, reading: { loaded } }) => [name, loaded.length])).toEqual([["a/main", 2], ["b/main", 0]]);
      expect(reading).toMatchObject({ registered: ["one", "two"], orphans: ["four", "three"], shared: [], promptless: [], unlisted: [] });
      expect(log).toEqual([]);
    }
  });

  it("names an id that two stores share, because both write to one prompt", async () => {
    const { reading } = await read({ ...store("b", registry("one")), ...store("a", registry("one", "two")), ...prompts("one") });
    expect(reading.shared).toEqual([{ id: "one", stores: ["a/main", "b/main"] }]);
    expect(reading.promptless).toEqual(["two"]);
  });

  it("calls an entry that was set aside registered, and its prompt no orphan", async () => {
    const bad = JSON.stringify({ scheduledTasks: [{ id: "one", fireAt: "soon" }] });
    expect((await read({ ...store("a", bad), ...prompts("one", "two") })).reading.orphans).toEqual(["two"]);
  });

  it.each([
    ["a store that does not parse", { ...store("a", registry("one")), ...store("b", "{") }],
    ["an entry whose id cannot be read", store("a", JSON.stringify({ scheduledTasks: [{ id: 7, cronExpression: "0 8 * * *" }] }))],
    ["no folder of stores at all", {}],
    ["a file where the folder should be", { "/stores": "" }],
  ])("knows no orphan with %s: what could not be read may register any of them", async (_what, files) => {
    const { reading, log } = await read({ ...files, ...prompts("one", "two") });
    expect([reading.orphans, reading.prompts]).toEqual([undefined, ["one", "two"]]);
    expect(log).toHaveLength(1);
  });

  it("knows neither orphans nor missing prompts when the prompts cannot be listed, which is not `none`", async () => {
    const { reading } = await read(store("a", registry("one")));
    expect(reading).toMatchObject({ registered: ["one"], prompts: undefined, orphans: undefined, promptless: undefined });
  });

  it("takes a workspace folder without a registry for no store, and a file beside the folders for nothing", async () => {
    const { reading } = await read({ ...store("a", registry()), "/stores/a/other/session.json": "{}", "/stores/note.txt": "", ...prompts("one") });
    expect([reading.stores.map(({ store: name }) => name), reading.orphans]).toEqual([["a/main"], ["one"]]);
  });

  it("stops at a limit and says that there are more", async () => {
    const many = Object.fromEntries(Array.from({ length: MAX_STORES + 1 }, (_, index) => [`/stores/a/${index}/scheduled-tasks.json`, registry()]));
    const { reading } = await read({ ...many, ...prompts("one") });
    expect(reading.stores).toHaveLength(MAX_STORES);
    expect(reading.unlisted.map(({ what }) => what)).toEqual(["/stores holds 1001 stores, more than the limit of 1000"]);
    expect(reading.orphans).toBeUndefined();
  });
});

describe("the join of stores and prompts", () => {
  it("lists every id once, an id twice in one store included, and no property that objects inherit", () => {
    const joined = joinStores([{ store: "a", ids: ["one", "one", "constructor"] }], ["one", "constructor", "toString", "toString"]);
    expect(joined).toEqual({ registered: ["constructor", "one"], shared: [], orphans: ["toString"], promptless: [] });
  });

  it("answers for the stores that could be read, and leaves the orphans open for the one that could not", () => {
    const joined = joinStores([{ store: "a", ids: ["one"] }, { store: "b", ids: undefined }], ["one", "two"]);
    expect(joined).toEqual({ registered: ["one"], shared: [], orphans: undefined, promptless: [] });
  });
});
