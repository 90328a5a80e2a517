/**
 * Numbered open files. A descriptor has one position, which reads and writes without one of their own share and move, one after
 * the other in the order of the calls.
 */
import type { DiskFile, OpenFlags } from "@casebook/ports";
import { asNode, systemError } from "./errors.ts";

export class Descriptor {
  readonly file: DiskFile;
  readonly #flags: OpenFlags;
  #position = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(file: DiskFile, flags: OpenFlags) {
    this.file = file;
    this.#flags = flags;
  }

  read(length: number, position: number | undefined): Promise<Uint8Array> {
    if (position !== undefined) return asNode({ syscall: "read" }, this.file.read(length, position));
    return this.#inTurn(async () => {
      const bytes = await asNode({ syscall: "read" }, this.file.read(length, this.#position));
      this.#position += bytes.length;
      return bytes;
    });
  }

  write(bytes: Uint8Array, position: number | undefined): Promise<number> {
    if (position !== undefined) return asNode({ syscall: "write" }, this.file.write(bytes, position));
    return this.#inTurn(async () => {
      const isAppending = this.#flags.startsWith("a");
      const written = await asNode({ syscall: "write" }, this.file.write(bytes, isAppending ? undefined : this.#position));
      // The disk port does not say where an append went. Only who can read needs to know, and asks: one more step, in which the
      // append of another process may have come between.
      if (!isAppending) this.#position += written;
      else if (this.#flags.endsWith("+") && written > 0) this.#position = (await this.file.stat()).size;
      return written;
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work, work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}

/** 0, 1 and 2 are taken, as everywhere. */
const FIRST = 3;

export class DescriptorTable {
  readonly #open = new Map<number, Descriptor>();

  add(descriptor: Descriptor): number {
    let fd = FIRST;
    while (this.#open.has(fd)) fd += 1;
    this.#open.set(fd, descriptor);
    return fd;
  }

  /** Rejects with EBADF, in the name of the call. */
  async get(fd: number, syscall: string): Promise<Descriptor> {
    const found = this.#open.get(fd);
    if (found === undefined) throw systemError("EBADF", { syscall });
    return found;
  }

  async close(fd: number): Promise<void> {
    const descriptor = await this.get(fd, "close");
    await asNode({ syscall: "close" }, descriptor.file.close());
    this.#open.delete(fd);
  }
}
