import { expect, it } from "vitest";
import { diskAfter, type StoryDisk } from "./images.fixture.ts";
import { setMounts } from "./mounts.ts";
import { Refusal } from "./walk.ts";
import { copyStore } from "./copy.ts";

const rename = (from: string, to: string) => (disk: StoryDisk): void => disk.rename(from, to);

// Seen on Linux 6 with a tmpfs mounted at /m in a namespace of its own, in this order, on one disk.
const SEEN: [call: string, play: (disk: StoryDisk) => void, answer: string][] = [
  ["a file into it", rename("/g", "/m/g"), "EXDEV"],
  ["a missing file into it", rename("/nope", "/m/g"), "EXDEV"],
  ["a file into a missing directory in it", rename("/g", "/m/nope/g"), "ENOENT"],
  ["a directory into it", rename("/e", "/m/e"), "EXDEV"],
  ["its own dot out of it", rename("/m/.", "/x"), "EXDEV"],
  ["its own dot within it", rename("/m/.", "/m/x"), "EBUSY"],
  ["the mount point", rename("/m", "/x"), "EBUSY"],
  ["the mount point with slashes", rename("/m/", "/x/"), "EBUSY"],
  ["the mount point into itself", rename("/m", "/m/x"), "EXDEV"],
  ["the mount point to its own name", rename("/m", "/m"), "ok"],
  ["the mount point over a file", rename("/m", "/g"), "ENOTDIR"],
  ["the mount point over a directory", rename("/m", "/e"), "EBUSY"],
  ["a file over it", rename("/g", "/m"), "EISDIR"],
  ["a directory over it, which is not empty", rename("/e", "/m"), "EBUSY"],
  ["a directory of its own over it", rename("/m/d", "/m"), "EXDEV"],
  ["a missing file over it", rename("/nope", "/m"), "ENOENT"],
  ["the mount point into a missing directory", rename("/m", "/nope/x"), "ENOENT"],
  ["rmdir of it", (disk) => disk.rmdir("/m"), "EBUSY"],
  ["rmdir of its own dot", (disk) => disk.rmdir("/m/."), "EINVAL"],
  ["rmdir of it by way of what is in it", (disk) => disk.rmdir("/m/d/.."), "ENOTEMPTY"],
  ["unlink of it", (disk) => disk.unlink("/m"), "EISDIR"],
  ["within it", rename("/m/f", "/m/d/f"), "ok"],
  ["through it and out again", rename("/m/../g", "/m/../e/g"), "ok"],
];

it("answers at a mount point what Linux answers", () => {
  diskAfter({ "/m/": "", "/m/d/": "", "/m/f": "1", "/g": "2", "/e/": "" }, (disk) => {
    setMounts(disk.store, ["/m"]);
    expect(SEEN.map(([call, play]) => [call, answerTo(() => play(disk))])).toEqual(SEEN.map(([call, , answer]) => [call, answer]));
  });
});

it("lets a mount point move along with the directory that it is in, and stay one", () => {
  diskAfter({ "/a/": "", "/a/m/": "", "/f": "1" }, (disk) => {
    setMounts(disk.store, ["/a/m"]);
    disk.rename("/a", "/b");
    expect(answerTo(() => disk.rename("/f", "/b/m/f"))).toBe("EXDEV");
  });
});

it("is a mount point in every copy of the disk", () => {
  const template = diskAfter({ "/m/": "", "/f": "1" }, (disk) => setMounts(disk.store, ["/m"]));
  expect(copyStore(template).root.entries.get("m")).toMatchObject({ isMount: true });
});

it("refuses to mount on what is no directory below the root", () => {
  const refusal = (path: string): unknown => {
    const store = diskAfter({ "/f": "1" }, () => undefined);
    return answerTo(() => setMounts(store, [path]));
  };
  expect(["/f", "/", "/nope", "m"].map(refusal)).toEqual(
    ["is a file", "is the root, which is a file system already", "cannot be found: ENOENT", "cannot be found: EINVAL"].map(
      (why, index) =>
        `WORLD_MOUNT_INVALID: "${["/f", "/", "/nope", "m"][index]}" was to be a mount point and ${why}. ` +
        "Name a directory that is on the disk when the world begins.",
    ),
  );
});

function answerTo(call: () => void): string {
  try {
    call();
    return "ok";
  } catch (failure) {
    return failure instanceof Refusal ? failure.code : (failure as Error).message;
  }
}
