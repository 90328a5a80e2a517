/** The disk port of a world: paths and handles over the store, each operation through the gate. */
import type { Disk, DiskFile, OpenFlags } from "@casebook/ports";
import { type RandomStream, shuffled } from "../random.ts";
import { describeBytes, describeStat, describeTexts } from "../trace.ts";
import type { Gate, MoreOfRequest } from "../gate.ts";
import { type DiskCallKind, partsOfHandle, partsOfPaths } from "./parts.ts";
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
import { failSync, type FileInode, type Inode, markDurable, resize, type Store, writeData } from "./store.ts";
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
    kind: DiskCallKind,
    describe?: (value: T) => string,
    refused?: () => void,
  ): Promise<T> {
    const more: MoreOfRequest<T> = { parts: () => partsOfPaths(store, [path], kind), ...(refused === undefined ? {} : { refused }) };
    return host.gate.request(`disk.${name}`, path, () => named(name, path, work), describe, more);
  }

  return {
    open(path, flags) {
      return request("open", path, (): DiskFile => {
        if (!FLAGS.includes(flags)) throw new Refusal("ERR_INVALID_ARG_VALUE");
        return openFile(host, openInode(store, path, flags, nowMs()), path, flags);
      }, { call: "open", flags }, () => flags);
    },
    rename(from, to) {
      const work = (): void => named("rename", `${from}' -> '${to}`, () => renameEntry(store, from, to, nowMs()));
      const more: MoreOfRequest<void> = { parts: () => partsOfPaths(store, [from, to], CHANGE) };
      return host.gate.request("disk.rename", `${from} -> ${to}`, work, undefined, more);
    },
    unlink: (path) => request("unlink", path, () => unlinkEntry(store, path, nowMs()), CHANGE),
    mkdir: (path) => request("mkdir", path, () => makeDirectory(store, path, nowMs()), CHANGE),
    rmdir: (path) => request("rmdir", path, () => removeDirectory(store, path, nowMs()), CHANGE),
    readdir(path) {
      return request("readdir", path, () => {
        const entries = findDirectory(store, path).entries;
        const names = shuffled([...entries.keys()].sort(), host.listings);
        return names.map((name) => ({ name, kind: entries.get(name)!.kind }));
      }, { call: "list" }, (entries) => describeTexts(entries.map((entry) => `${entry.name}/${entry.kind}`)));
    },
    stat: (path) => request("stat", path, () => statPath(store, path), { call: "stat" }, describeStat),
    syncDirectory(path) {
      return request("syncDirectory", path, () => syncDirectoryInode(store, path), { call: "sync-directory" }, undefined, () => giveUpNames(store, path));
    },
  };
}

const CHANGE: DiskCallKind = { call: "change" };

/** As with a file: the next sync will not try again. Where there is no such directory, nothing was to be synced. */
function giveUpNames(store: Store, path: string): void {
  try {
    failSync(store, findDirectory(store, path));
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
  }
}

/** Beyond this the disk answers ENOSPC: a wrong position must not take the memory of the machine. */
export const MAX_FILE_BYTES = 2 ** 30;

export function openFile(host: DiskHost, inode: Inode, path: string, flags: OpenFlags): DiskFile {
  const { store, nowMs } = host;
  const readable = flags.startsWith("r") || flags.endsWith("+");
  const writable = flags !== "r";
  let isClosed = false;
  let lastWriteEnd = 0;

  function request<T>(
    name: string,
    access: "read" | "write",
    work: () => T,
    describe?: (value: T) => string,
    more: Pick<MoreOfRequest<T>, "half" | "refused"> = {},
  ): Promise<T> {
    const guarded = (part: () => T) => (): T =>
      named(name, path, () => {
        if (isClosed) throw new Refusal("EBADF");
        return part();
      });
    const { half, refused } = more;
    return host.gate.request(`disk.${name}`, path, guarded(work), describe, {
      parts: () => partsOfHandle(inode, access),
      ...(half === undefined ? {} : { half: guarded(half) }),
      ...(refused === undefined ? {} : { refused }),
    });
  }

  /** Where a write goes; in the append modes always the end. */
  function startOfWrite(file: FileInode, position: number | undefined): number {
    if (flags.startsWith("a")) return file.size;
    return position ?? lastWriteEnd;
  }

  return {
    read(length, position) {
      return request("read", "read", () => {
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
      let taken = bytes;
      const write = (part: Uint8Array): number => {
        if (position !== undefined) checkCount(position);
        if (!writable || inode.kind === "directory") throw new Refusal("EBADF");
        start = startOfWrite(inode, position);
        if (start + part.length > MAX_FILE_BYTES) throw new Refusal("ENOSPC");
        if (part.length > 0) writeData(store, inode, start, part, nowMs());
        lastWriteEnd = start + part.length;
        taken = part;
        return part.length;
      };
      const half = (): number => write(bytes.subarray(0, bytes.length >> 1));
      return request("write", "write", () => write(bytes), () => describeBytes(start, taken), { half });
    },
    truncate(size) {
      return request("truncate", "write", () => {
        checkCount(size);
        if (!writable || inode.kind === "directory") throw new Refusal("EINVAL");
        if (size > MAX_FILE_BYTES) throw new Refusal("ENOSPC");
        resize(store, inode, size, nowMs());
      }, () => String(size));
    },
    // A failed sync has marked what was not written as written: the next one will not try again.
    sync: () => request("sync", "read", () => markDurable(store, inode), undefined, { refused: () => failSync(store, inode) }),
    stat: () => request("fstat", "read", () => statOf(inode), describeStat),
    close() {
      return request("close", "read", () => {
        isClosed = true;
      });
    },
  };
}

function checkCount(count: number): void {
  if (!Number.isSafeInteger(count) || count < 0) throw new Refusal("ERR_OUT_OF_RANGE");
}
