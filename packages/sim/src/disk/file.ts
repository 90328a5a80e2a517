/** An open file: it keeps its inode, whatever happens to the name. */
import type { DiskFile, OpenFlags } from "@casebook/ports";
import { describeBytes, describeStat } from "../trace.ts";
import type { DiskHost } from "./host.ts";
import { statOf } from "./operations.ts";
import { markDurable, resize, writeData, type FileInode, type Inode } from "./store.ts";
import { named, Refusal } from "./walk.ts";

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
