/** The disk port of a world: paths and handles over the store, each operation through the gate. */
import type { Disk, DiskFile, OpenFlags } from "@casebook/ports";
import { type RandomStream, shuffled } from "../random.ts";
import { describeBytes, describeStat, describeTexts } from "../trace.ts";
import type { Gate } from "../gate.ts";
import {
  findDirectory,
  makeDirectory,
  openInode,
  removeDirectory,
  renameEntry,
  statOf,
  statPath,
  syncDirectoryInode,
  unlinkEntry,
} from "./operations.ts";
import { type FileInode, type Inode, markDurable, resize, type Store, writeData } from "./store.ts";
import { named, Refusal } from "./walk.ts";

export interface DiskHost {
  readonly store: Store;
  readonly gate: Gate;
  /** Orders listings; nothing else draws from it. */
  readonly listings: RandomStream;
  nowMs(): number;
}

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
      }, (entries) => describeTexts(entries.map((entry) => `${entry.name}/${entry.kind}`)));
    },
    stat: (path) => request("stat", path, () => statPath(store, path), describeStat),
    syncDirectory: (path) => request("syncDirectory", path, () => syncDirectoryInode(store, path)),
  };
}

/** Beyond this the disk answers ENOSPC: a wrong position must not take the memory of the machine. */
export const MAX_FILE_BYTES = 2 ** 30;

export function openFile(host: DiskHost, inode: Inode, path: string, flags: OpenFlags): DiskFile {
  const { store, nowMs } = host;
  const readable = flags.startsWith("r") || flags.endsWith("+");
  const writable = flags !== "r";
  let isClosed = false;
  let lastWriteEnd = 0;

  function request<T>(name: string, work: () => T, describe?: (value: T) => string): Promise<T> {
    const guarded = (): T => {
      if (isClosed) throw new Refusal("EBADF");
      return work();
    };
    return host.gate.request(`disk.${name}`, path, () => named(name, path, guarded), describe);
  }

  /** Where a write goes; in the append modes always the end. */
  function startOfWrite(file: FileInode, position: number | undefined): number {
    if (flags.startsWith("a")) return file.size;
    return position ?? lastWriteEnd;
  }

  return {
    read(length, position) {
      return request("read", () => {
        checkCount(length);
        checkCount(position);
        if (!readable) throw new Refusal("EBADF");
        // Node answers an empty read without asking the system, which would refuse it on a directory.
        if (length === 0) return new Uint8Array(0);
        if (inode.kind === "directory") throw new Refusal("EISDIR");
        return inode.bytes.slice(Math.min(position, inode.size), Math.min(position + length, inode.size));
      }, (bytes) => describeBytes(position, bytes));
    },
    write(bytes, position) {
      let start = 0;
      return request("write", () => {
        if (position !== undefined) checkCount(position);
        if (!writable || inode.kind === "directory") throw new Refusal("EBADF");
        start = startOfWrite(inode, position);
        if (start + bytes.length > MAX_FILE_BYTES) throw new Refusal("ENOSPC");
        if (bytes.length > 0) writeData(store, inode, start, bytes, nowMs());
        lastWriteEnd = start + bytes.length;
        return bytes.length;
      }, () => describeBytes(start, bytes));
    },
    truncate(size) {
      return request("truncate", () => {
        checkCount(size);
        if (!writable || inode.kind === "directory") throw new Refusal("EINVAL");
        if (size > MAX_FILE_BYTES) throw new Refusal("ENOSPC");
        resize(store, inode, size, nowMs());
      }, () => String(size));
    },
    sync: () => request("sync", () => markDurable(store, inode)),
    stat: () => request("fstat", () => statOf(inode), describeStat),
    close() {
      return request("close", () => {
        isClosed = true;
      });
    },
  };
}

function checkCount(count: number): void {
  if (!Number.isSafeInteger(count) || count < 0) throw new Refusal("ERR_OUT_OF_RANGE");
}
