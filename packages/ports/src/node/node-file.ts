/** An open file of the disk port over a Node file handle. */
import type { FileHandle } from "node:fs/promises";
import type { DiskFile, OpenFlags } from "../disk.ts";
import { coded, named } from "./node-error.ts";
import { statOf } from "./node-stat.ts";

/** A read asks for at most this much at a time, so that a large `length` does not take memory the file cannot fill. */
const READ_CHUNK_BYTES = 2 ** 20;

export function createNodeFile(handle: FileHandle, path: string, flags: OpenFlags): DiskFile {
  const readable = flags.startsWith("r") || flags.endsWith("+");
  const writable = flags !== "r";
  let isClosed = false;
  let lastWriteEnd = 0;

  function request<T>(operation: string, work: () => Promise<T>): Promise<T> {
    return named(operation, path, () => {
      // Node lets a handle be closed twice and answers empty reads and writes without asking the system.
      if (isClosed) throw coded("EBADF");
      return work();
    });
  }

  return {
    read: (length, position) =>
      request("read", async () => {
        checkCount(length);
        checkCount(position);
        if (!readable) throw coded("EBADF");
        return readUpTo(handle, length, position);
      }),
    write: (bytes, position) =>
      request("write", async () => {
        if (position !== undefined) checkCount(position);
        if (!writable) throw coded("EBADF");
        const start = position ?? lastWriteEnd;
        const at = flags.startsWith("a") ? null : start;
        const { bytesWritten } = await handle.write(bytes, 0, bytes.length, at);
        lastWriteEnd = start + bytesWritten;
        return bytesWritten;
      }),
    truncate: (size) =>
      request("truncate", async () => {
        checkCount(size);
        await handle.truncate(size);
      }),
    sync: () => request("sync", () => handle.sync()),
    stat: () => request("fstat", async () => statOf(await handle.stat())),
    close: () =>
      request("close", () => {
        isClosed = true;
        return handle.close();
      }),
  };
}

async function readUpTo(handle: FileHandle, length: number, position: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  while (total < length) {
    const chunk = new Uint8Array(Math.min(length - total, READ_CHUNK_BYTES));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, position + total);
    if (bytesRead === 0) break;
    chunks.push(chunk.subarray(0, bytesRead));
    total += bytesRead;
  }
  return joined(chunks, total);
}

function joined(chunks: readonly Uint8Array[], total: number): Uint8Array {
  const whole = new Uint8Array(total);
  let filled = 0;
  for (const chunk of chunks) {
    whole.set(chunk, filled);
    filled += chunk.length;
  }
  return whole;
}

function checkCount(count: number): void {
  if (!Number.isSafeInteger(count) || count < 0) throw coded("ERR_OUT_OF_RANGE");
}
