import { Volume } from "memfs";
import { describe, expect, it } from "vitest";
import { createWorld, type World } from "../index.ts";

const epochMs = Date.UTC(2026, 2, 1);
const worldOn = (volume: Volume): World => createWorld({ seed: 1, epoch: epochMs, volume });

describe("a volume", () => {
  it("comes out as it went in: contents, empty directories, unusual names", () => {
    const contents = {
      "/tasks.json": "[1]",
      "/empty": null,
      "/deep/er/file": "é\0",
      "/deep/none": "",
      "/__proto__/constructor": "x",
      "/new\nline": "y",
    };
    expect(worldOn(Volume.fromJSON(contents)).volume().toJSON()).toEqual(contents);
  });

  it("comes out with what the world did to it", async () => {
    const world = worldOn(Volume.fromJSON({ "/a/one": "1", "/b": "2" }));
    await world.run(async ({ disk }) => {
      await disk.rename("/a", "/c");
      await disk.unlink("/b");
      await disk.mkdir("/d");
    });
    expect(world.volume().toJSON()).toEqual({ "/c/one": "1", "/d": null });
  });

  it("is copied both ways: what happens outside later stays outside, and the other way round", async () => {
    const before = Volume.fromJSON({ "/a": "abc" });
    const world = worldOn(before);
    const after = world.volume();
    // In place, through handles: a write of the whole file would only exchange the bytes that might be shared.
    for (const [volume, text] of [[before, "x"], [after, "y"]] as const) {
      volume.writeSync(volume.openSync("/a", "r+"), text, 0);
    }
    const file = await world.ports.disk.open("/a", "r+");
    (await file.read(3, 0)).fill(0);
    await file.write(Uint8Array.of(90), 1);
    const contents = [before, after, world.volume()].map((volume) => volume.readFileSync("/a", "utf8"));
    expect(contents).toEqual(["xbc", "ybc", "aZc"]);
  });

  it("keeps a time that was set, and gets the epoch for one that only says when the test ran", async () => {
    const volume = Volume.fromJSON({ "/set": "", "/in-years": "", "/stamped": "", "/directory": null });
    // 1001 ms and 1999 ms past a second are numbers that a division by 1000 and back does not survive.
    volume.utimesSync("/set", 0, 1.0015);
    volume.utimesSync("/in-years", 0, 4102444801.9995);
    volume.utimesSync("/directory", 0, 5);
    volume.utimesSync("/", 0, 6);
    const world = worldOn(volume);
    const times = async (of: World): Promise<number[]> =>
      Promise.all(
        ["/set", "/in-years", "/stamped", "/directory", "/"].map(
          async (path) => (await of.ports.disk.stat(path)).modifiedAtMs,
        ),
      );
    const expected = [1001, 4102444801999, epochMs, 5000, 6000];
    expect(await times(world)).toEqual(expected);
    expect(await times(worldOn(world.volume()))).toEqual(expected);
  });

  it("stamps a change with the virtual clock, on the file and on the directories whose entries changed", async () => {
    const world = worldOn(Volume.fromJSON({ "/a/file": "1", "/b": null, "/c": null }));
    await world.run(async ({ clock, disk }) => {
      await clock.sleep(1001);
      await disk.rename("/a/file", "/b/file");
      await clock.sleep(1000);
      const file = await disk.open("/b/file", "a");
      await file.write(Uint8Array.of(50));
      await file.close();
    });
    const volume = world.volume();
    const modified = ["/a", "/b", "/b/file", "/c"].map((path) => Number(volume.statSync(path).mtimeMs) - epochMs);
    expect(modified).toEqual([1001, 1001, 2001, 0]);
  });

  it("with a link is refused by name, because the disk of a world has none", () => {
    const symbolic = Volume.fromJSON({ "/a/target": "" });
    symbolic.symlinkSync("/a/target", "/a/link");
    expect(() => worldOn(symbolic)).toThrow(
      "WORLD_VOLUME_UNSUPPORTED: /a/link in the volume is neither a file nor a directory; the disk of a world has files " +
        "and directories only. Put a file with the same content there instead.",
    );
    const hard = Volume.fromJSON({ "/one": "" });
    hard.linkSync("/one", "/two");
    expect(() => worldOn(hard)).toThrow(/^WORLD_VOLUME_UNSUPPORTED: \/one in the volume has a second name/);
  });

  it("that is something else is refused", () => {
    expect(() => worldOn({ "/tasks.json": "[]" } as unknown as Volume)).toThrow(
      "WORLD_VOLUME_INVALID: createWorld takes its disk as a memfs volume, and this is none. " +
        'Pass Volume.fromJSON({ "/tasks.json": "[]" }) of memfs.',
    );
  });
});
