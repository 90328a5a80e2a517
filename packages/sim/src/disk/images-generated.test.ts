/** What holds for every disk, over generated operations; which disks are legal is said by hand in `images.test.ts`. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { crashImages, legalImages, unsyncedReport } from "./images.ts";
import { type Contents, contentsOf, diskAfter, exploredDisks, legalDisks, type StoryDisk } from "./images.fixture.ts";
import { markDurable, type FileInode, type Inode, type Store } from "./store.ts";
import { Refusal } from "./walk.ts";

const BEFORE: Contents = { "/a": "12", "/d/": "", "/d/a": "3", "/d/e/": "" };
const path = fc.constantFrom("/a", "/b", "/d", "/e", "/d/a", "/d/b", "/d/e", "/e/a", "/e/d", "/d/e/a");
// Half of the renames are of a kind that usually works: others are refused nine times out of ten.
const rename = fc.oneof(
  fc.tuple(path, path),
  fc.constantFrom(["/a", "/d/a"], ["/d/a", "/a"], ["/a", "/b"], ["/b", "/a"], ["/d/e", "/e"], ["/d", "/e/d"], ["/d", "/e"], ["/e", "/d"]),
);
const directory = fc.constantFrom("/", "/d", "/e", "/d/e", "/e/d");
const handle = fc.nat(3);
const small = fc.nat(3);

type Step = (disk: StoryDisk, handles: FileInode[]) => void;
const onHandle = (work: (disk: StoryDisk, file: FileInode) => void) => (index: number): Step => (disk, handles) => {
  const file = handles[index % Math.max(1, handles.length)];
  if (file !== undefined) work(disk, file);
};

const change: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: path.map((at): Step => (disk, handles) => void handles.push(disk.open(at))) },
  { weight: 3, arbitrary: path.map((at): Step => (disk, handles) => void handles.push(disk.create(at))) },
  { weight: 4, arbitrary: rename.map(([from, to]): Step => (disk) => disk.rename(from, to)) },
  { weight: 2, arbitrary: path.map((at): Step => (disk) => disk.unlink(at)) },
  { weight: 2, arbitrary: path.map((at): Step => (disk) => disk.mkdir(at)) },
  { weight: 1, arbitrary: path.map((at): Step => (disk) => disk.rmdir(at)) },
  {
    weight: 4,
    arbitrary: fc.tuple(handle, fc.constantFrom("x", "yy"), small).map(([index, text, at]) => onHandle((disk, file) => disk.write(file, text, at))(index)),
  },
  { weight: 2, arbitrary: fc.tuple(handle, small).map(([index, size]) => onHandle((disk, file) => disk.truncate(file, size))(index)) },
);
const sync: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: handle.map(onHandle((disk, file) => disk.sync(file))) },
  { weight: 2, arbitrary: directory.map((at): Step => (disk) => disk.syncDirectory(at)) },
);
const failedSync: fc.Arbitrary<Step> = handle.map(onHandle((disk, file) => disk.failSync(file)));

// Ten changes at most are 1024 subsets, each applied to a disk of its own.
const steps = fc
  .tuple(fc.array(change, { minLength: 4, maxLength: 10, size: "max" }), fc.array(fc.oneof(sync, failedSync), { maxLength: 3 }), fc.array(fc.nat(10), { minLength: 3, maxLength: 3 }))
  .map(([changes, syncs, places]) => {
    const mixed = [...changes];
    for (const [index, step] of syncs.entries()) mixed.splice(places[index]!, 0, step);
    return mixed;
  });

function play(played: readonly Step[]): Store {
  return diskAfter(BEFORE, (disk) => {
    const handles = [disk.open("/a"), disk.open("/d/a")];
    for (const step of played) {
      try {
        step(disk, handles);
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
      }
    }
  });
}

const always = (holds: (make: () => Store) => void): void => {
  fc.assert(fc.property(steps, (played) => holds(() => play(played))), { seed: 20260301, numRuns: 150 });
};

it("explores nothing that is not legal, and first of all the disk as it is", () => {
  always((make) => {
    const legal = new Set(legalDisks(make).map((disk) => JSON.stringify(disk)));
    const explored = exploredDisks(make);
    expect(explored[0]).toEqual(["nothing lost", contentsOf(make())]);
    for (const [, disk] of explored) expect(legal).toContain(JSON.stringify(disk));
  });
});

it("gives each resulting disk once, and each image a label of its own", () => {
  always((make) => {
    for (const list of [legalDisks(make), exploredDisks(make).map(([, disk]) => disk), crashImages(make()).map(({ label }) => label)]) {
      expect(new Set(list.map((item) => JSON.stringify(item))).size).toBe(list.length);
    }
  });
});

it("reports something unsynced exactly when there is more than one legal image", () => {
  always((make) => {
    expect(unsyncedReport(make()).length > 0).toBe(legalImages(make(), 1024).length > 1);
  });
});

it("has one image once everything is synced, unless a failed sync came before", () => {
  const syncAll = (store: Store, inode: Inode = store.root): void => {
    markDurable(store, inode);
    if (inode.kind === "directory") for (const child of inode.entries.values()) syncAll(store, child);
  };
  always((make) => {
    const store = make();
    store.givenUp.clear();
    syncAll(store);
    expect(crashImages(store)).toEqual([{ label: "nothing lost", lost: [] }]);
  });
});
