/**
 * Calls that open, read or write, and close: several steps each, between which others take theirs. A write that takes fewer bytes
 * than it was given is followed by another for the rest.
 */
import { constants } from "node:fs";
import { posix } from "node:path";
import type { Disk } from "@casebook/ports";
import { readBytes, readDescriptor, readEncoding, readFlags, readOptions, readPath, refuseSignal } from "./arguments.ts";
import { Descriptor, type DescriptorTable } from "./descriptors.ts";
import { asNode, notModelled } from "./errors.ts";
import { closing, openDescriptor } from "./path-calls.ts";

/** Of a file that says it is empty. */
const CHUNK_BYTES = 65_536;

export type WholeFileCalls = ReturnType<typeof createWholeFileCalls>;

/** `asksForNothing`: an empty write is still a call of the system. Node's callbacks do that, its promises do not. */
export function createWholeFileCalls(disk: Disk, table: DescriptorTable, asksForNothing: boolean) {
  return {
    /** `file` is a path or a descriptor, which is read from where it stands and stays open. */
    readFile(file: unknown, options?: unknown): Promise<Buffer | string> {
      const { flag, encoding, ...more } = readOptions(options);
      refuseSignal("readFile", more);
      const as = readEncoding(encoding);
      const inWords = (bytes: Buffer): Buffer | string => (as === undefined ? bytes : bytes.toString(as));
      if (typeof file === "number") return onDescriptor(file, "read", readAll).then(inWords);
      const path = readPath(file);
      const { flags, mustBeDirectory } = readFlags(flag, "r");
      return openDescriptor(disk, path, flags, mustBeDirectory).then((descriptor) => closing(descriptor, () => readAll(descriptor))).then(inWords);
    },
    writeFile: (file: unknown, data: unknown, options?: unknown): Promise<void> => write("writeFile", "w", file, data, options),
    appendFile: (file: unknown, data: unknown, options?: unknown): Promise<void> => write("appendFile", "a", file, data, options),
    copyFile(from: unknown, to: unknown, mode?: unknown): Promise<void> {
      const [source, goal] = [readPath(from, "src"), readPath(to, "dest")];
      const bits = typeof mode === "number" ? mode : 0;
      if ((bits & constants.COPYFILE_FICLONE_FORCE) !== 0) throw notModelled("copyFile with COPYFILE_FICLONE_FORCE", "no disk here shares bytes between files. Leave the flag out.");
      const isExclusive = (bits & constants.COPYFILE_EXCL) !== 0;
      return asCopy(source.given, goal.given, async () => {
        const reading = new Descriptor(await disk.open(source.full, "r"), "r");
        await closing(reading, async () => {
          const { size } = await reading.file.stat();
          // The kernel opens the goal without emptying it, and sees that it is the same file.
          if (!isExclusive && !goal.full.endsWith("/") && posix.resolve(source.full) === posix.resolve(goal.full)) {
            return closing(new Descriptor(await disk.open(goal.full, "r+"), "r+"), () => Promise.resolve());
          }
          const flags = isExclusive ? "wx" : "w";
          const writing = new Descriptor(await disk.open(goal.full, flags), flags);
          try {
            await closing(writing, async () => writeAll(writing, await reading.read(Math.max(size, 1), 0)));
          } catch (failure) {
            // What could not be copied whole is taken away, and what was there before is gone with it.
            await disk.unlink(goal.full).catch(() => undefined);
            throw failure;
          }
        });
      });
    },
  };

  function write(call: string, otherwise: "w" | "a", file: unknown, data: unknown, options: unknown): Promise<void> {
    const { flag, encoding, flush, ...more } = readOptions(options);
    refuseSignal(call, more);
    const bytes = readBytes(data, readEncoding(encoding));
    const work = async (descriptor: Descriptor): Promise<void> => {
      if (bytes.length === 0 && asksForNothing) await descriptor.write(bytes, undefined);
      await writeAll(descriptor, bytes);
      if (flush === true) await asNode({ syscall: "fsync" }, descriptor.file.sync());
    };
    if (typeof file === "number") return onDescriptor(file, "write", work);
    const path = readPath(file);
    // Node takes 0, which is O_RDONLY, for none given.
    const { flags, mustBeDirectory } = readFlags(flag === 0 ? undefined : flag, otherwise);
    return openDescriptor(disk, path, flags, mustBeDirectory).then((descriptor) => closing(descriptor, () => work(descriptor)));
  }

  async function onDescriptor<T>(fd: number, syscall: string, work: (descriptor: Descriptor) => Promise<T>): Promise<T> {
    return work(await table.get(readDescriptor(fd), syscall));
  }
}

async function readAll(descriptor: Descriptor): Promise<Buffer> {
  const { size } = await asNode({ syscall: "fstat" }, descriptor.file.stat());
  const chunks: Uint8Array[] = [];
  let total = 0;
  do {
    const bytes = await descriptor.read(size > 0 ? size - total : CHUNK_BYTES, undefined);
    if (bytes.length === 0) break;
    chunks.push(bytes);
    total += bytes.length;
  } while (total !== size);
  return Buffer.concat(chunks);
}

async function writeAll(descriptor: Descriptor, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length; ) written += await descriptor.write(bytes.subarray(written), undefined);
}

/** The system does a copy in one call, in whose name everything fails. */
function asCopy(path: string, dest: string, work: () => Promise<void>): Promise<void> {
  return asNode({ syscall: "copyfile", path, dest }, work());
}
