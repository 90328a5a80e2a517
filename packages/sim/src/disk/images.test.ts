/** Every list of disks here was written down from the rules of POSIX, by hand, and not from what the code answered. */
import { describe, expect, it } from "vitest";
import { applyImage, crashImages, legalImages, unsyncedReport } from "./images.ts";
import { type Contents, contentsOf, diskAfter, exploredDisks, legalDisks, sorted, type StoryDisk } from "./images.fixture.ts";
import { isDurable } from "./store.ts";

function expectDisks(before: Contents, story: (disk: StoryDisk) => void, legal: readonly Contents[]): void {
  expect(legalDisks(() => diskAfter(before, story))).toEqual(sorted(legal));
}

describe("a power loss", () => {
  it("after a rename whose directory was synced and whose file was not leaves the name with or without the bytes", () => {
    expectDisks({ "/a": "old" }, (disk) => {
      disk.write(disk.create("/t"), "new");
      disk.rename("/t", "/a");
      disk.syncDirectory("/");
    }, [{ "/a": "new" }, { "/a": "" }]);
  });

  it("after write, sync, rename and sync of the directory leaves the new file and nothing else", () => {
    expectDisks({ "/a": "old" }, (disk) => {
      const file = disk.create("/t");
      disk.write(file, "new");
      disk.sync(file);
      disk.rename("/t", "/a");
      disk.syncDirectory("/");
    }, [{ "/a": "new" }]);
  });

  it("after two appends leaves both, either or none, and NULs where only the second arrived", () => {
    expectDisks({ "/log": "1" }, (disk) => {
      const log = disk.open("/log");
      disk.write(log, "2");
      disk.write(log, "3");
    }, [{ "/log": "123" }, { "/log": "12" }, { "/log": "1\x003" }, { "/log": "1" }]);
  });

  it("after a create that only the file was synced of leaves the whole file or no name", () => {
    expectDisks({}, (disk) => {
      const file = disk.create("/f");
      disk.write(file, "x");
      disk.sync(file);
    }, [{ "/f": "x" }, {}]);
  });

  describe("after a rename from one directory to another", () => {
    const before = { "/from/": "", "/from/f": "x", "/to/": "", "/to/f": "old" };
    const kept = { "/from/": "", "/to/": "", "/to/f": "x" };
    const syncs: [string, readonly string[], readonly Contents[]][] = [
      ["leaves the old or the new place, never both and never neither", [], [before, kept]],
      ["leaves the new place once the one that it left was synced", ["/from"], [kept]],
      ["leaves the new place once the one that it came to was synced", ["/to"], [kept]],
      ["leaves the new place once both were synced", ["/from", "/to"], [kept]],
      ["is not helped by a sync of the directory above", ["/"], [before, kept]],
    ];
    it.each(syncs)("%s", (_sentence, synced, legal) => {
      expectDisks(before, (disk) => {
        disk.rename("/from/f", "/to/f");
        for (const path of synced) disk.syncDirectory(path);
      }, legal);
    });
  });

  it("after an unlink of an open file that was then written leaves no file, or the file with or without the write", () => {
    const story = (disk: StoryDisk): void => {
      const file = disk.open("/a");
      disk.unlink("/a");
      disk.write(file, "2");
    };
    expectDisks({ "/a": "1" }, story, [{}, { "/a": "12" }, { "/a": "1" }]);
    expectDisks({ "/a": "1" }, (disk) => {
      story(disk);
      disk.syncDirectory("/");
    }, [{}]);
  });

  it("takes a truncate or a write behind it, and brings back what was cut when it takes the truncate", () => {
    expectDisks({ "/a": "12345" }, (disk) => {
      const file = disk.open("/a");
      disk.truncate(file, 2);
      disk.write(file, "x", 3);
    }, [{ "/a": "12\x00x" }, { "/a": "12" }, { "/a": "123x5" }, { "/a": "12345" }]);
  });

  it("after a rename of a synced file without a sync of the directory leaves the old, the new, or both under their names", () => {
    expectDisks({ "/a": "old" }, (disk) => {
      const file = disk.create("/t");
      disk.write(file, "new");
      disk.sync(file);
      disk.rename("/t", "/a");
      // The last but one is the create that was lost and the rename that was not: the name comes with the rename.
    }, [{ "/a": "old" }, { "/a": "old", "/t": "new" }, { "/a": "new" }]);
  });

  it("takes for ever what a failed sync gave up, also after a sync that says it went well", () => {
    expectDisks({ "/a": "1" }, (disk) => {
      const file = disk.open("/a");
      disk.write(file, "2");
      disk.failSync(file);
      disk.write(file, "3");
      disk.sync(file);
    }, [{ "/a": "123" }, { "/a": "1\x003" }]);
  });

  it("takes for ever a name that a failed sync of its directory gave up, and not one that came later", () => {
    expectDisks({}, (disk) => {
      disk.create("/a");
      disk.failSync(disk.store.root);
      disk.create("/b");
      disk.syncDirectory("/");
    }, [{ "/a": "", "/b": "" }, { "/b": "" }]);
  });

  it("takes a directory with everything synced in it when the directory above was not synced", () => {
    expectDisks({}, (disk) => {
      disk.mkdir("/d");
      const file = disk.create("/d/f");
      disk.write(file, "x");
      disk.sync(file);
      disk.syncDirectory("/d");
    }, [{ "/d/": "", "/d/f": "x" }, {}]);
  });

  it("does not give one file two names when the first of two renames is lost", () => {
    expectDisks({ "/t": "x" }, (disk) => {
      disk.rename("/t", "/a");
      disk.rename("/a", "/b");
    }, [{ "/t": "x" }, { "/a": "x" }, { "/b": "x" }]);
  });

  it("keeps a synced file under a name that was free, whatever becomes of the file that had it before", () => {
    const replaceName = (disk: StoryDisk): void => {
      disk.failSync(disk.store.root);
      disk.write(disk.create("/t"), "2");
      disk.sync(disk.open("/t"));
      disk.syncDirectory("/");
      disk.rename("/a", "/b");
    };
    const legal = [{ "/b": "1", "/t": "2" }, { "/a": "1", "/t": "2" }, { "/t": "2" }];
    expectDisks({ "/t": "1" }, (disk) => {
      disk.rename("/t", "/a");
      replaceName(disk);
    }, legal);
    expectDisks({}, (disk) => {
      const file = disk.create("/t");
      disk.write(file, "1");
      disk.sync(file);
      disk.rename("/t", "/a");
      replaceName(disk);
    }, legal);
  });

  it("does not leave a directory within itself", () => {
    // To lose the first rename and to keep the second, which is durable, would put /b into /b/x.
    expectDisks({ "/b/": "", "/b/x/": "" }, (disk) => {
      disk.rename("/b/x", "/x");
      disk.rename("/b", "/x/b");
      disk.syncDirectory("/x");
    }, [{ "/x/": "", "/x/b/": "" }]);
  });
});

it("explores none, all, all but one and only one, and each resulting disk once", () => {
  const make = () => diskAfter({}, (disk) => {
    for (const name of ["a", "b", "c"]) disk.create(`/${name}`);
  });
  expect(exploredDisks(make)).toEqual([
    ["nothing lost", { "/a": "", "/b": "", "/c": "" }],
    ["everything unsynced lost", {}],
    ["lost: create /a", { "/b": "", "/c": "" }],
    ["lost: create /b", { "/a": "", "/c": "" }],
    ["lost: create /c", { "/a": "", "/b": "" }],
    ["everything unsynced lost but: create /a", { "/a": "" }],
    ["everything unsynced lost but: create /b", { "/b": "" }],
    ["everything unsynced lost but: create /c", { "/c": "" }],
  ]);
});

it("gives the same images under the same labels whichever of two independent writers came first", () => {
  const writers: ((disk: StoryDisk) => (() => void)[])[] = [
    (disk) => [
      () => disk.write(disk.create("/one/t"), "new"),
      () => disk.rename("/one/t", "/one/a"),
      () => disk.syncDirectory("/one"),
    ],
    (disk) => [
      () => disk.write(disk.open("/two/log"), "2"),
      () => disk.write(disk.open("/two/log"), "3"),
      () => disk.rename("/two", "/moved"),
    ],
  ];
  const before = { "/one/": "", "/one/a": "old", "/two/": "", "/two/log": "1" };
  const played = (order: string) => () => diskAfter(before, (disk) => {
    const steps = writers.map((writer) => writer(disk));
    for (const writer of order) steps[Number(writer)]!.shift()!();
  });
  const orders = ["000111", "001011", "010101", "101010", "110100", "111000"];
  const [first, ...others] = orders.map((order) => exploredDisks(played(order)));
  for (const other of others) expect(other).toEqual(first);
  // The write to the new file, two appends and the rename of the directory, lost in as many ways as make a difference.
  expect(first).toHaveLength(10);
});

it("says in words what a power loss now would take, by path, and leaves out what nobody would miss", () => {
  const store = diskAfter({ "/a": "old", "/d/": "", "/gone": "", "/log": "1" }, (disk) => {
    const gone = disk.open("/gone");
    disk.unlink("/gone");
    disk.syncDirectory("/");
    disk.write(gone, "nobody reads this");
    disk.write(disk.create("/t"), "new");
    disk.rename("/t", "/a");
    const log = disk.open("/log");
    disk.write(log, "2", 10);
    disk.write(log, "3", 9);
    disk.write(log, "3", 9);
    disk.truncate(log, 4);
    disk.mkdir("/d/e");
    disk.rmdir("/d/e");
  });
  expect(unsyncedReport(store)).toEqual([
    { operation: "mkdir /d/e", paths: ["/d/e"], bytes: 0 },
    { operation: "rmdir /d/e", paths: ["/d/e"], bytes: 0 },
    { operation: "truncate /log to 4 bytes", paths: ["/log"], bytes: 7 },
    { operation: "write 1 byte at 9 of /log", paths: ["/log"], bytes: 1 },
    { operation: "write 1 byte at 9 of /log #2", paths: ["/log"], bytes: 1 },
    { operation: "write 1 byte at 10 of /log", paths: ["/log"], bytes: 1 },
    { operation: "create /t", paths: ["/t"], bytes: 0 },
    { operation: "rename /t over /a", paths: ["/t", "/a"], bytes: 0 },
    { operation: "write 3 bytes at 0 of /t (now /a)", paths: ["/t", "/a"], bytes: 3 },
  ]);
});

it("makes the image durable, in ordinary records, and gives what went back the time that it had", () => {
  const store = diskAfter({ "/a": "old" }, (disk) => {
    const file = disk.open("/a");
    disk.write(file, "1"); // 2 ms
    disk.write(file, "2"); // 3 ms
    disk.create("/b"); // 4 ms
  });
  const before = store.journal.length;
  applyImage(store, crashImages(store).find((image) => image.label === "everything unsynced lost but: write 1 byte at 3 of /a")!);
  expect(contentsOf(store)).toEqual({ "/a": "old1" });
  expect(store.journal.slice(before).map((record) => record.kind)).toEqual(["data", "entry"]);
  expect([store.root.modifiedAtMs, store.root.entries.get("a")!.modifiedAtMs]).toEqual([1, 2]);
  expect(crashImages(store)).toEqual([{ label: "nothing lost", lost: [] }]);
  expect(unsyncedReport(store)).toEqual([]);
  expect(store.journal.every((_, position) => isDurable(store, position))).toBe(true);
});

it("gives back the time of a change that was lost although the bytes are the same without it", () => {
  const store = diskAfter({ "/a": "old" }, (disk) => {
    const file = disk.open("/a");
    disk.write(file, "new", 0); // 2 ms
    disk.write(file, "new", 0); // 3 ms
  });
  applyImage(store, { label: "the second write", lost: [1] });
  expect([contentsOf(store), store.root.entries.get("a")!.modifiedAtMs]).toEqual([{ "/a": "new" }, 2]);
});

it("tells two disks apart by any byte of a long file", () => {
  const long = "x".repeat(20_000);
  for (const position of [0, 4095, 4096, 19_999]) {
    const store = diskAfter({ "/long": long }, (disk) => disk.write(disk.open("/long"), "y", position));
    expect(crashImages(store)).toHaveLength(2);
  }
  // These two have the same sum, by which equal contents are looked for.
  const alike = diskAfter({ "/a": "sgwmkili" }, (disk) => disk.write(disk.open("/a"), "hqgojkyv", 0));
  expect(crashImages(alike)).toHaveLength(2);
});

it("refuses an image of another moment, and more subsets than were allowed", () => {
  const store = diskAfter({}, (disk) => void disk.create("/a"));
  const image = crashImages(store)[1]!;
  applyImage(store, image);
  expect(() => applyImage(store, image)).toThrow(
    'WORLD_IMAGE_INVALID: "everything unsynced lost" loses what is durable or cannot be lost on its own; ' +
      "it belongs to another disk or to an earlier moment. Take the image from crashImages, and apply it before the next operation.",
  );
  const busy = diskAfter({}, (disk) => ["a", "b", "c"].forEach((name) => disk.mkdir(`/${name}`)));
  expect(legalImages(busy, 8)).toHaveLength(8);
  expect(() => legalImages(busy, 7)).toThrow(
    "WORLD_IMAGES_TOO_MANY: 3 unsynced operations have 2^3 subsets, and at most 7 are looked at. " +
      "Sync more often, or use crashImages, which grows with the number of operations and not with its power.",
  );
});
