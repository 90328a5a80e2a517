import { Volume } from "memfs";
import { describe, expect, it } from "vitest";
import type { Ports } from "@casebook/ports";
import { createWorld, type World } from "./index.ts";

const epoch = "2026-03-01T00:00:00Z";
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** One use of every port. */
async function story({ clock, disk, ids, log, faults }: Ports): Promise<void> {
  const input = await disk.open("/tasks.json", "r");
  await input.read(100, 0);
  await input.close();
  const name = `/${ids.next("attempt")}`;
  const output = await disk.open(name, "wx");
  await output.write(encode("started"));
  await output.close();
  await faults.reach("dispatcher.after-intent");
  await disk.unlink("/missing").catch(() => undefined);
  await clock.sleep(1500);
  await disk.rename(name, "/done");
  await disk.readdir("/");
  await disk.stat("/done");
  log.write("info", "dispatcher.done", { attempts: clock.now() % 2 });
}

function worldWith(tasks: string, seed = 1): World {
  return createWorld({ seed, epoch, volume: Volume.fromJSON({ "/tasks.json": tasks, "/a": "", "/b": "", "/c": "" }) });
}

async function hashAfter(tasks: string, play: (ports: Ports) => Promise<void> = story): Promise<string> {
  const world = worldWith(tasks);
  await world.run(play);
  return world.trace.hash();
}

describe("a trace", () => {
  it("has every port operation with its object, outcome, virtual time and a digest of the bytes", async () => {
    const world = worldWith("[1]");
    await world.run(story);
    const lines = world.trace.events.map(
      ({ operation, object, outcome, detail, atMs }) =>
        `${atMs - world.epochMs} ${operation} ${object} ${outcome} ${detail}`,
    );
    expect(lines).toEqual([
      "0 disk.open /tasks.json ok r",
      "0 disk.read /tasks.json ok 3 at 0: 99e6dc7d11ce72fe",
      "0 disk.close /tasks.json ok ",
      "0 ids.next attempt ok attempt-0001",
      "0 disk.open /attempt-0001 ok wx",
      "0 disk.write /attempt-0001 ok 7 at 0: aa447b8833db82f6",
      "0 disk.close /attempt-0001 ok ",
      "0 faults.reach dispatcher.after-intent ok ",
      "0 disk.unlink /missing ENOENT ",
      "0 clock.sleep  ok 1500",
      "1500 clock.wake  elapsed 1500",
      "1500 disk.rename /attempt-0001 -> /done ok ",
      "1500 disk.readdir / ok 5: fb5c4d1275fabb3e",
      "1500 disk.stat /done ok file 7 1772323200000",
      "1500 clock.now  ok ",
      "1500 log.write dispatcher.done ok info {\"attempts\":0}",
    ]);
  });

  it("is the same on every run and every machine", async () => {
    // Written down: a change of this number means that every recorded trace hash is void.
    expect([await hashAfter("[1]"), await hashAfter("[1]")]).toEqual(["067f632efa728af7", "067f632efa728af7"]);
  });

  it("changes with one byte of input, also one of the same length", async () => {
    expect(await hashAfter("[2]")).not.toBe(await hashAfter("[1]"));
  });

  it("changes with any one thing that is different", async () => {
    const variants: ((ports: Ports) => Promise<unknown>)[] = [
      async () => undefined,
      async ({ clock }) => clock.now(),
      async ({ clock }) => clock.sleep(1),
      async ({ clock }) => clock.sleep(2),
      async ({ disk }) => disk.mkdir("/x"),
      async ({ disk }) => disk.mkdir("/y"),
      async ({ disk }) => disk.mkdir("/a").catch(() => undefined),
      async ({ disk }) => disk.rmdir("/x").catch(() => undefined),
      async ({ disk }) => disk.stat("/a"),
      async ({ disk }) => disk.stat("/tasks.json"),
      async ({ disk }) => disk.syncDirectory("/"),
      async ({ disk }) => disk.readdir("/"),
      async ({ disk }) => disk.open("/a", "r"),
      async ({ disk }) => disk.open("/a", "r+"),
      async ({ disk }) => disk.open("/a", "r+").then((file) => file.write(Uint8Array.of(1))),
      async ({ disk }) => disk.open("/a", "r+").then((file) => file.write(Uint8Array.of(2))),
      async ({ disk }) => disk.open("/a", "r+").then((file) => file.write(Uint8Array.of(2), 1)),
      async ({ disk }) => disk.open("/a", "r+").then((file) => file.truncate(1)),
      async ({ disk }) => disk.open("/a", "r+").then((file) => file.sync()),
      async ({ disk }) => disk.open("/a", "r+").then((file) => file.stat()),
      async ({ disk }) => disk.open("/a", "r+").then((file) => file.close()),
      async ({ ids }) => ids.next("a"),
      async ({ ids }) => ids.next("b"),
      async ({ log }) => log.write("info", "a.b"),
      async ({ log }) => log.write("error", "a.b"),
      async ({ log }) => log.write("error", "a.b", { count: 1 }),
      async ({ faults }) => faults.reach("a.b"),
    ];
    const hashes = new Set<string>();
    for (const play of variants) hashes.add(await hashAfter("[1]", async (ports) => void (await play(ports))));
    expect(hashes.size).toBe(variants.length);
  });

  it("changes with the epoch, and with the clock being set", async () => {
    const hashOf = async (start: number, jumpMs: number): Promise<string> => {
      const world = createWorld({ seed: 1, epoch: start });
      await world.run(async ({ disk }) => disk.mkdir("/a"));
      if (jumpMs > 0) world.setClock(start + jumpMs);
      return world.trace.hash();
    };
    const hashes = [await hashOf(0, 0), await hashOf(1, 0), await hashOf(2 ** 32, 0), await hashOf(0, 1)];
    expect(new Set(hashes).size).toBe(4);
  });
});

describe("listing order", () => {
  const listings = async (seed: number, before: (ports: Ports) => Promise<unknown>): Promise<string> => {
    const world = worldWith("[1]", seed);
    return world.run(async (ports) => {
      await before(ports);
      const entries = [...(await ports.disk.readdir("/")), ...(await ports.disk.readdir("/"))];
      return entries.map((entry) => entry.name).join(" ");
    });
  };
  const nothing = async (): Promise<void> => undefined;

  it("is drawn from the seed, anew for every listing", async () => {
    expect(await listings(1, nothing)).toBe("c tasks.json b a a b c tasks.json");
    expect(await listings(2, nothing)).toBe("c a b tasks.json tasks.json a b c");
  });

  it("takes every order in some world, so that nobody can rely on one", async () => {
    const orders = new Set<string>();
    for (let seed = 0; seed < 200; seed += 1) orders.add((await listings(seed, nothing)).split(" ").slice(0, 4).join(" "));
    // Four names have 24 orders.
    expect(orders.size).toBe(24);
  });

  it("is not shifted by what other ports do", async () => {
    const busy = async ({ clock, ids, faults }: Ports): Promise<void> => {
      ids.next("attempt");
      await faults.reach("a.b");
      await clock.sleep(10);
    };
    expect(await listings(1, busy)).toBe(await listings(1, nothing));
  });
});

describe("the log of a world", () => {
  it("keeps what was written with the time that the clock showed", async () => {
    const world = worldWith("[1]");
    await world.run(async ({ clock, log }) => {
      await clock.sleep(250);
      log.write("error", "registry.file-rejected", { entries: 6 });
    });
    expect(world.log).toEqual([
      { level: "error", event: "registry.file-rejected", facts: { entries: 6 }, atMs: world.epochMs + 250 },
    ]);
  });
});

it("changes its hash when an entry of a listing is a directory in place of a file", async () => {
  const listed = async (volume: Volume): Promise<string> => {
    const world = createWorld({ seed: 1, epoch: "2026-01-01T00:00:00Z", volume });
    await world.run((ports) => ports.disk.readdir("/d"));
    return world.trace.hash();
  };
  const file = Volume.fromJSON({ "/d/x": "" });
  const folder = Volume.fromJSON({ "/d/x/": null });
  expect(await listed(folder)).not.toBe(await listed(file));
});
