/** The disk port of a world: paths and handles over the store, each operation through the gate. */
import type { Disk, DiskFile, OpenFlags } from "@casebook/ports";
import { describeStat, describeTexts } from "../trace.ts";
import { shuffled } from "../random.ts";
import { openFile } from "./file.ts";
import type { DiskHost } from "./host.ts";
import {
  findDirectory,
  makeDirectory,
  openInode,
  removeDirectory,
  renameEntry,
  statPath,
  syncDirectoryInode,
  unlinkEntry,
} from "./operations.ts";
import { named, Refusal } from "./walk.ts";

const FLAGS: readonly OpenFlags[] = ["r", "r+", "w", "w+", "wx", "wx+", "a", "a+", "ax", "ax+"];

export function createDisk(host: DiskHost): Disk {
  const { store, nowMs } = host;

  function request<T>(
    name: string,
    path: string,
    work: () => T,
    describe?: (value: T) => string,
  ): Promise<T> {
    return host.gate.request(`disk.${name}`, path, () => named(name, path, work), describe);
  }

  return {
    open(path, flags) {
      return request("open", path, (): DiskFile => {
        if (!FLAGS.includes(flags)) throw new Refusal("ERR_INVALID_ARG_VALUE");
        return openFile(host, openInode(store, path, flags, nowMs()), path, flags);
      }, () => flags);
    },
    rename(from, to) {
      const work = (): void => named("rename", `${from}' -> '${to}`, () => renameEntry(store, from, to, nowMs()));
      return host.gate.request("disk.rename", `${from} -> ${to}`, work);
    },
    unlink: (path) => request("unlink", path, () => unlinkEntry(store, path, nowMs())),
    mkdir: (path) => request("mkdir", path, () => makeDirectory(store, path, nowMs())),
    rmdir: (path) => request("rmdir", path, () => removeDirectory(store, path, nowMs())),
    readdir(path) {
      return request("readdir", path, () => {
        const entries = findDirectory(store, path).entries;
        const names = shuffled([...entries.keys()].sort(), host.listings);
        return names.map((name) => ({ name, kind: entries.get(name)!.kind }));
      }, (entries) => describeTexts(entries.map((entry) => entry.name)));
    },
    stat: (path) => request("stat", path, () => statPath(store, path), describeStat),
    syncDirectory: (path) => request("syncDirectory", path, () => syncDirectoryInode(store, path)),
  };
}
