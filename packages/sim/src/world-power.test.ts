/** A world that loses its power between two runs. */
import { Volume } from "memfs";
import { expect, it } from "vitest";
import { createWorld } from "./world.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function unsyncedWorld() {
  const world = createWorld({ seed: 1, epoch: 0, volume: Volume.fromJSON({ "/a": "old" }) });
  await world.run(async ({ disk }) => {
    const file = await disk.open("/t", "w");
    await file.write(bytes("new"));
    await disk.rename("/t", "/a");
  });
  return world;
}

const contentOf = (volume: Volume): unknown => volume.toJSON();

it("a power loss takes everything that was not synced, unless it is told what to take", async () => {
  const world = await unsyncedWorld();
  expect(world.unsyncedReport().map(({ operation }) => operation)).toEqual(["create /t", "rename /t over /a", "write 3 bytes at 0 of /t (now /a)"]);
  world.losePower();
  expect(contentOf(world.volume())).toEqual({ "/a": "old" });
  expect(world.unsyncedReport()).toEqual([]);
  expect(world.trace.events.at(-1)).toMatchObject({ operation: "disk.crash-image", object: "everything unsynced lost" });
});

it("each of the images that it can leave can be asked for", async () => {
  const disks = [];
  for (const at of [0, 1, 2, 3].keys()) {
    const world = await unsyncedWorld();
    const image = world.crashImages()[at];
    if (image === undefined) break;
    world.losePower(image);
    disks.push(`${image.label}: ${JSON.stringify(contentOf(world.volume()))}`);
  }
  expect(disks).toEqual([
    'nothing lost: {"/a":"new"}',
    'everything unsynced lost: {"/a":"old"}',
    'lost: rename /t over /a: {"/a":"old","/t":"new"}',
    'lost: write 3 bytes at 0 of /t (now /a): {"/a":""}',
  ]);
});

it("a directory can be another file system", async () => {
  const world = createWorld({ seed: 1, epoch: 0, volume: Volume.fromJSON({ "/t": "", "/mnt/x": "" }), mounts: ["/mnt"] });
  await expect(world.ports.disk.rename("/t", "/mnt/t")).rejects.toMatchObject({ code: "EXDEV" });
});

it("the power cannot go while a run goes on: that is a fault for the search", async () => {
  const world = await unsyncedWorld();
  await world.run(async () => expect(() => world.losePower()).toThrow(/^WORLD_BUSY/));
});
