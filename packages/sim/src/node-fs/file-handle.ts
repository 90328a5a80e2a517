/** An open file as `fs.promises.open` answers it: the calls on a descriptor, as methods. Leaves out streams and lines. */
import type { DescriptorCalls } from "./descriptor-calls.ts";
import { notModelled, systemError } from "./errors.ts";
import type { WholeFileCalls } from "./whole-file-calls.ts";

type Calls = DescriptorCalls & WholeFileCalls;

const CLOSED = -1;

export class FileHandle {
  readonly #calls: Calls;
  #fd: number;
  #closing: Promise<void> | undefined;

  constructor(calls: Calls, fd: number) {
    this.#calls = calls;
    this.#fd = fd;
  }

  /** −1 once it is closed. */
  get fd(): number {
    return this.#fd;
  }

  async read(buffer?: unknown, ...form: unknown[]) {
    return this.#calls.read(this.#open("read"), buffer, ...form);
  }

  async readv(buffers: unknown, position?: unknown) {
    return this.#calls.readv(this.#open("readv"), buffers, position);
  }

  async write(data: unknown, ...form: unknown[]) {
    const fd = this.#open("write");
    if (ArrayBuffer.isView(data) && data.byteLength === 0) return { bytesWritten: 0, buffer: data };
    return this.#calls.write(fd, data, ...form);
  }

  async writev(buffers: unknown, position?: unknown) {
    const fd = this.#open("writev");
    if (Array.isArray(buffers) && buffers.length === 0) return { bytesWritten: 0, buffers };
    return this.#calls.writev(fd, buffers, position);
  }

  async readFile(options?: unknown) {
    return this.#calls.readFile(this.#open("readFile"), options);
  }

  async writeFile(data: unknown, options?: unknown) {
    return this.#calls.writeFile(this.#open("writeFile"), data, options);
  }

  async appendFile(data: unknown, options?: unknown) {
    return this.#calls.appendFile(this.#open("appendFile"), data, options);
  }

  async truncate(length?: unknown) {
    return this.#calls.ftruncate(this.#open("ftruncate"), length);
  }

  async sync() {
    return this.#calls.fsync(this.#open("fsync"));
  }

  async datasync() {
    return this.#calls.fdatasync(this.#open("fdatasync"));
  }

  async stat(options?: unknown) {
    return this.#calls.fstat(this.#open("fstat"), options);
  }

  async chmod() {
    return this.#calls.fchmod(this.#open("fchmod"));
  }

  async chown() {
    return this.#calls.fchown(this.#open("fchown"));
  }

  async utimes(): Promise<void> {
    return this.#calls.futimes();
  }

  /** A second close answers like the first. */
  async close(): Promise<void> {
    if (this.#fd === CLOSED) return this.#closing;
    const fd = this.#fd;
    this.#fd = CLOSED;
    this.#closing = this.#calls.close(fd);
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  createReadStream(): never {
    throw notModelled("fileHandle.createReadStream", "there are no streams. Use read.");
  }

  createWriteStream(): never {
    throw notModelled("fileHandle.createWriteStream", "there are no streams. Use write.");
  }

  readableWebStream(): never {
    throw notModelled("fileHandle.readableWebStream", "there are no streams. Use read.");
  }

  readLines(): never {
    throw notModelled("fileHandle.readLines", "there are no streams. Use readFile.");
  }

  #open(syscall: string): number {
    if (this.#fd === CLOSED) throw systemError("EBADF", { syscall });
    return this.#fd;
  }
}
