/**
 * Calls on a descriptor, each with the argument forms that `node:fs` takes, without the callback. Bad arguments throw at the call;
 * the answer, and every refusal of the disk, comes as a promise. Modes and owners are taken and forgotten.
 */
import {
  readBytes,
  readDescriptor,
  readEncoding,
  readLength,
  readOptions,
  readPart,
  readPositionOfRead,
  readPositionOfWrite,
  readViews,
  refuseBigint,
  viewOf,
} from "./arguments.ts";
import type { DescriptorTable } from "./descriptors.ts";
import { asNode, notModelled, wrongValue } from "./errors.ts";
import { Stats } from "./stats.ts";

/** Of a buffer that `read` makes itself. */
const READ_BYTES = 16_384;

export const TIMES_NOT_MODELLED = "the time of a file is when its content last changed, by the clock of the world, and cannot be set.";

export interface ReadAnswer {
  readonly bytesRead: number;
  readonly buffer: unknown;
}

export interface WriteAnswer {
  readonly bytesWritten: number;
  /** What was handed in. */
  readonly buffer: unknown;
}

export type DescriptorCalls = ReturnType<typeof createDescriptorCalls>;

export function createDescriptorCalls(table: DescriptorTable) {
  async function readInto(fd: number, target: Buffer, position: number | undefined): Promise<number> {
    const descriptor = await table.get(fd, "read");
    const bytes = await descriptor.read(target.length, position);
    target.set(bytes);
    return bytes.length;
  }

  async function writeFrom(fd: number, bytes: Uint8Array, position: number | undefined): Promise<number> {
    const descriptor = await table.get(fd, "write");
    return descriptor.write(bytes, position);
  }

  return {
    close(given: unknown): Promise<void> {
      return table.close(readDescriptor(given));
    },
    /** `(fd, buffer, offset, length, position)`, `(fd, buffer, options)`, `(fd, options)`, `(fd)`. */
    read(given: unknown, ...form: unknown[]): Promise<ReadAnswer> {
      const fd = readDescriptor(given);
      const { buffer, offset, length, position } = formOf(form);
      const whole = viewOf(buffer);
      // Node does not ask the system for nothing, and does not look where it would have.
      if (length === 0 || (whole.length === 0 && (length === undefined || length === null))) return Promise.resolve({ bytesRead: 0, buffer });
      if (whole.length === 0) throw wrongValue("buffer", "one with room", "");
      const part = readPart(whole.length, offset, length);
      const start = readPositionOfRead(position);
      if (part.length === 0) return Promise.resolve({ bytesRead: 0, buffer });
      return readInto(fd, whole.subarray(part.offset, part.offset + part.length), start).then((bytesRead) => ({ bytesRead, buffer }));
    },
    readv(given: unknown, buffers: unknown, position?: unknown): Promise<{ bytesRead: number; buffers: unknown }> {
      const fd = readDescriptor(given);
      const views = readViews(buffers);
      const all = Buffer.alloc(views.reduce((total, { length }) => total + length, 0));
      const start = readPositionOfWrite(position);
      return readInto(fd, all, start).then((bytesRead) => {
        let from = 0;
        for (const view of views) {
          all.copy(view, 0, from, Math.min(from + view.length, bytesRead));
          from = Math.min(from + view.length, bytesRead);
        }
        return { bytesRead, buffers };
      });
    },
    /** `(fd, buffer, offset, length, position)`, `(fd, buffer, options)`, `(fd, string, position, encoding)`. */
    write(given: unknown, data: unknown, ...form: unknown[]): Promise<WriteAnswer> {
      const fd = readDescriptor(given);
      const answer = (bytesWritten: number): WriteAnswer => ({ bytesWritten, buffer: data });
      if (typeof data === "string") {
        const [position, encoding] = form;
        return writeFrom(fd, readBytes(data, readEncoding(encoding)), readPositionOfWrite(position)).then(answer);
      }
      const whole = viewOf(data);
      const { offset, length, position } = formOf([data, ...form]);
      const part = readPart(whole.length, offset, length);
      return writeFrom(fd, whole.subarray(part.offset, part.offset + part.length), readPositionOfWrite(position)).then(answer);
    },
    writev(given: unknown, buffers: unknown, position?: unknown): Promise<{ bytesWritten: number; buffers: unknown }> {
      const fd = readDescriptor(given);
      return writeFrom(fd, Buffer.concat(readViews(buffers)), readPositionOfWrite(position)).then((bytesWritten) => ({ bytesWritten, buffers }));
    },
    fsync(given: unknown): Promise<void> {
      return onFile(readDescriptor(given), "fsync", (file) => file.sync());
    },
    /** As `fsync`: what it may leave out, the time of change, no program here depends on. */
    fdatasync(given: unknown): Promise<void> {
      return onFile(readDescriptor(given), "fdatasync", (file) => file.sync());
    },
    ftruncate(given: unknown, length?: unknown): Promise<void> {
      const fd = readDescriptor(given);
      const size = readLength(length);
      return onFile(fd, "ftruncate", (file) => file.truncate(size));
    },
    fstat(given: unknown, options?: unknown): Promise<Stats> {
      refuseBigint("fstat", readOptions(options));
      return onFile(readDescriptor(given), "fstat", async (file) => new Stats(await file.stat()));
    },
    fchmod(given: unknown): Promise<void> {
      return onFile(readDescriptor(given), "fchmod", (file) => file.stat().then(() => undefined));
    },
    fchown(given: unknown): Promise<void> {
      return onFile(readDescriptor(given), "fchown", (file) => file.stat().then(() => undefined));
    },
    futimes(): Promise<void> {
      throw notModelled("futimes", TIMES_NOT_MODELLED);
    },
  };

  async function onFile<T>(fd: number, syscall: string, call: (file: Awaited<ReturnType<DescriptorTable["get"]>>["file"]) => Promise<T>): Promise<T> {
    const { file } = await table.get(fd, syscall);
    return asNode({ syscall }, call(file));
  }
}

/** Buffer and part of it, whether they came one by one, in an object, or not at all. */
function formOf([first, second, ...rest]: unknown[]): { buffer: unknown; offset: unknown; length: unknown; position: unknown } {
  if (ArrayBuffer.isView(first)) {
    const { offset, length, position } = typeof second === "object" && second !== null ? readOptions(second) : { offset: second, length: rest[0], position: rest[1] };
    return { buffer: first, offset, length, position };
  }
  const { buffer = Buffer.alloc(READ_BYTES), offset, length, position } = readOptions(first);
  return { buffer, offset, length, position };
}
