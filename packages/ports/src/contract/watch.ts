/**
 * What every watcher does. Asks only what all systems can promise: that something comes after a change, and nothing after a close.
 * Leaves out how many events a change makes, their names, their order, and what is heard once the directory is gone.
 */
import type { Disk } from "../disk.ts";
import type { Watch } from "../watch.ts";
import { expectEqual, type ContractCase } from "./contract.ts";

/** Both of one machine; the disk is empty. */
export interface WatchedDisk {
  readonly disk: Disk;
  readonly watch: Watch;
}

const CHANGES: readonly { readonly name: string; change(disk: Disk): Promise<unknown> }[] = [
  { name: "a file that is created", change: (disk) => write(disk, "/watched/new", "") },
  { name: "a file that is written", change: (disk) => write(disk, "/watched/file", "more") },
  { name: "a file that is renamed", change: (disk) => disk.rename("/watched/file", "/watched/renamed") },
  { name: "a file that is replaced by a rename from elsewhere", change: (disk) => disk.rename("/elsewhere", "/watched/file") },
  { name: "a file that is moved away", change: (disk) => disk.rename("/watched/file", "/gone") },
  { name: "a file that is removed", change: (disk) => disk.unlink("/watched/file") },
  { name: "a directory that is made", change: (disk) => disk.mkdir("/watched/made") },
  { name: "a directory that is removed", change: (disk) => disk.rmdir("/watched/inner") },
];

export const watchContract: readonly ContractCase<WatchedDisk>[] = [
  ...CHANGES.map(
    ({ name, change }): ContractCase<WatchedDisk> => ({
      name: `says that there is something to look at after ${name}`,
      async run(makePort) {
        const { disk, watch } = await prepared(makePort);
        const watcher = await watch.open("/watched");
        await change(disk);
        const event = await watcher.next();
        await watcher.close();
        expectEqual(event?.kind === "changed" || event?.kind === "overflow", true, `next() answered ${JSON.stringify(event)}`);
      },
    }),
  ),
  {
    name: "tells each of two watchers, and one after the other is closed",
    async run(makePort) {
      const { disk, watch } = await prepared(makePort);
      const [one, two] = [await watch.open("/watched"), await watch.open("/watched/")];
      await write(disk, "/watched/file", "more");
      expectEqual([(await one.next())?.kind, (await two.next())?.kind], ["changed", "changed"], "what they were told");
      await one.close();
      await disk.unlink("/watched/file");
      expectEqual((await two.next())?.kind, "changed", "what the other was told");
      await two.close();
    },
  },
  {
    name: "says nothing after it was closed, neither what it had not told yet nor what happens later",
    async run(makePort) {
      const { disk, watch } = await prepared(makePort);
      const watcher = await watch.open("/watched");
      for (const text of ["one", "two", "three"]) await write(disk, "/watched/file", text);
      await watcher.next();
      await watcher.close();
      await write(disk, "/watched/file", "four");
      expectEqual([(await watcher.next()) ?? "closed", (await watcher.next()) ?? "closed"], ["closed", "closed"], "after the close");
    },
  },
  {
    name: "ends a wait for an event when it is closed, and is closed twice as well as once",
    async run(makePort) {
      const { watch } = await prepared(makePort);
      const watcher = await watch.open("/watched");
      const waiting = watcher.next();
      await watcher.close();
      await watcher.close();
      expectEqual((await waiting) ?? "closed", "closed", "the wait");
    },
  },
  {
    name: "refuses what is not there and what is no directory, as the disk does",
    async run(makePort) {
      const { watch } = await prepared(makePort);
      const paths = ["/missing", "/elsewhere", "/elsewhere/inside", "", "relative", "/\0"];
      const seen: string[] = [];
      for (const path of paths) seen.push(await watch.open(path).then(() => "open", (failure: Error) => failure.message));
      const expected = ["ENOENT", "ENOTDIR", "ENOTDIR", "ENOENT", "EINVAL", "ERR_INVALID_ARG_VALUE"];
      expectEqual(seen, paths.map((path, at) => `${expected[at]}: watch '${path}'`), "refusals");
    },
  },
];

async function prepared(makePort: () => Promise<WatchedDisk>): Promise<WatchedDisk> {
  const ports = await makePort();
  await ports.disk.mkdir("/watched");
  await ports.disk.mkdir("/watched/inner");
  await write(ports.disk, "/watched/file", "content");
  await write(ports.disk, "/elsewhere", "content");
  return ports;
}

async function write(disk: Disk, path: string, text: string): Promise<void> {
  const file = await disk.open(path, "w");
  await file.write(Uint8Array.from(text, (letter) => letter.charCodeAt(0)));
  await file.close();
}
