/**
 * Calls on a path, each with the argument forms that `node:fs` takes, without the callback. There are no links, so `lstat` is
 * `stat`; modes and owners are taken and forgotten. A call that is several calls of the system is several steps here, too.
 */
import { constants } from "node:fs";
import { posix } from "node:path";
import { type Disk, errorCode, type OpenFlags } from "@casebook/ports";
import { type GivenPath, readEncoding, readFlags, readOptions, readPath, refuseBigint } from "./arguments.ts";
import { TIMES_NOT_MODELLED } from "./descriptor-calls.ts";
import { Descriptor, type DescriptorTable } from "./descriptors.ts";
import { asNode, isDirectory, notModelled, systemError } from "./errors.ts";
import { Dirent, Stats } from "./stats.ts";

export type PathCalls = ReturnType<typeof createPathCalls>;

export function createPathCalls(disk: Disk, table: DescriptorTable) {
  const stat = async (path: GivenPath, syscall: string): Promise<Stats> => new Stats(await asNode({ syscall, path: path.given }, disk.stat(path.full)));

  /** Only that it is there: what would change is not modelled. */
  const mustExist = (value: unknown, syscall: string): Promise<void> => stat(readPath(value), syscall).then(() => undefined);

  return {
    open(value: unknown, flags?: unknown): Promise<number> {
      const path = readPath(value);
      const given = readFlags(flags, "r");
      return openDescriptor(disk, path, given.flags, given.mustBeDirectory).then((descriptor) => table.add(descriptor));
    },
    rename(from: unknown, to: unknown): Promise<void> {
      const [source, goal] = [readPath(from, "oldPath"), readPath(to, "newPath")];
      return asNode({ syscall: "rename", path: source.given, dest: goal.given }, disk.rename(source.full, goal.full));
    },
    unlink(value: unknown): Promise<void> {
      const path = readPath(value);
      return asNode({ syscall: "unlink", path: path.given }, disk.unlink(path.full));
    },
    /** Recursive: answers the first directory that it made, if it made any. */
    mkdir(value: unknown, options?: unknown): Promise<string | undefined> {
      const path = readPath(value);
      if (typeof options === "object" && readOptions(options)["recursive"] === true) return makeDirectories(disk, path);
      return asNode({ syscall: "mkdir", path: path.given }, disk.mkdir(path.full)).then(() => undefined);
    },
    rmdir(value: unknown, options?: unknown): Promise<void> {
      const path = readPath(value);
      if (readOptions(options)["recursive"] === true) throw notModelled("rmdir with recursive", "Node has given it up. Use rm with recursive.");
      return asNode({ syscall: "rmdir", path: path.given }, disk.rmdir(path.full));
    },
    async rm(value: unknown, options?: unknown): Promise<void> {
      const path = readPath(value);
      const { force, recursive, maxRetries } = readOptions(options);
      if (typeof maxRetries === "number" && maxRetries > 0) throw notModelled("rm with maxRetries", "it would wait, and the disk has no clock. Leave the option out, and try again with a timer.");
      try {
        const found = await stat(path, "lstat");
        if (!found.isDirectory()) return await asNode({ syscall: "unlink", path: path.given }, disk.unlink(path.full));
        if (recursive !== true) throw isDirectory(path.given);
        await removeTree(disk, path);
      } catch (failure) {
        if (force === true && errorCode(failure) === "ENOENT") return;
        throw failure;
      }
    },
    /** In the order of the disk, which is none: whoever cares sorts. */
    async readdir(value: unknown, options?: unknown): Promise<(string | Dirent)[]> {
      const path = readPath(value);
      const { withFileTypes, recursive, encoding } = readOptions(options);
      if (recursive === true) throw notModelled("readdir with recursive", "walk the directories one by one.");
      if (encoding === "buffer") throw notModelled("readdir with the encoding buffer", "names are text here.");
      const entries = await asNode({ syscall: "scandir", path: path.given }, disk.readdir(path.full));
      return entries.map((entry) => (withFileTypes === true ? new Dirent(entry, path.given) : entry.name));
    },
    stat(value: unknown, options?: unknown): Promise<Stats> {
      refuseBigint("stat", readOptions(options));
      return stat(readPath(value), "stat");
    },
    lstat(value: unknown, options?: unknown): Promise<Stats> {
      refuseBigint("lstat", readOptions(options));
      return stat(readPath(value), "lstat");
    },
    async access(value: unknown, mode?: unknown): Promise<void> {
      const path = readPath(value);
      const found = await stat(path, "access");
      // In step with the mode that `stat` tells.
      const wantsExecution = typeof mode === "number" && (mode & constants.X_OK) !== 0;
      if (wantsExecution && found.isFile()) throw systemError("EACCES", { syscall: "access", path: path.given });
    },
    async readlink(value: unknown): Promise<never> {
      const path = readPath(value);
      await stat(path, "readlink");
      throw systemError("EINVAL", { syscall: "readlink", path: path.given });
    },
    /** Component by component, after `..` was cancelled against what stands before it: as the one in JavaScript does it. */
    async realpath(value: unknown, options?: unknown): Promise<string | Buffer> {
      const full = posix.resolve("/", readPath(value).full);
      for (let end = full.indexOf("/", 1); full !== "/"; end = full.indexOf("/", end + 1)) {
        const part = end === -1 ? full : full.slice(0, end);
        await stat({ given: part, full: part }, "lstat");
        if (end === -1) break;
      }
      return encoded(full, options);
    },
    /** As the system does it: by walking. */
    async realpathNative(value: unknown, options?: unknown): Promise<string | Buffer> {
      const path = readPath(value);
      await stat(path, "realpath");
      return encoded(posix.resolve("/", path.full), options);
    },
    async truncate(value: unknown, length?: unknown): Promise<void> {
      if (typeof value === "number") throw notModelled("truncate with a descriptor", "Node has given it up. Use ftruncate.");
      const path = readPath(value);
      const descriptor = await openDescriptor(disk, path, "r+");
      const size = typeof length === "number" ? Math.max(0, length) : 0;
      await closing(descriptor, () => asNode({ syscall: "ftruncate" }, descriptor.file.truncate(size)));
    },
    chmod: (value: unknown): Promise<void> => mustExist(value, "chmod"),
    chown: (value: unknown): Promise<void> => mustExist(value, "chown"),
    lchown: (value: unknown): Promise<void> => mustExist(value, "lchown"),
    utimes(): Promise<void> {
      throw notModelled("utimes", TIMES_NOT_MODELLED);
    },
    lutimes(): Promise<void> {
      throw notModelled("lutimes", TIMES_NOT_MODELLED);
    },
  };
}

export async function openDescriptor(disk: Disk, path: GivenPath, flags: OpenFlags, mustBeDirectory = false): Promise<Descriptor> {
  const site = { syscall: "open", path: path.given };
  // A last slash is the kernel's way to insist.
  const full = mustBeDirectory && path.full !== "" ? `${path.full}/` : path.full;
  return new Descriptor(await asNode(site, disk.open(full, flags)), flags);
}

/** The file is closed whatever happens; a failure of the work comes first. */
export async function closing<T>({ file }: Descriptor, work: () => Promise<T>): Promise<T> {
  let answer: T;
  try {
    answer = await work();
  } catch (failure) {
    await file.close().catch(() => undefined);
    throw failure;
  }
  await asNode({ syscall: "close" }, file.close());
  return answer;
}

async function makeDirectories(disk: Disk, path: GivenPath): Promise<string | undefined> {
  const site = { syscall: "mkdir", path: path.given };
  const wanted = [path.full];
  let first: string | undefined;
  for (let next = wanted.at(-1); next !== undefined; next = wanted.at(-1)) {
    try {
      await asNode(site, disk.mkdir(next));
      first ??= next;
    } catch (failure) {
      const code = errorCode(failure);
      if (code === "ENOENT" && posix.dirname(next) !== next && next !== "") {
        wanted.push(posix.dirname(next));
        continue;
      }
      if (code !== "EEXIST") throw failure;
      const { kind } = await asNode(site, disk.stat(next));
      if (kind !== "directory") throw wanted.length > 1 ? systemError("ENOTDIR", site) : failure;
    }
    wanted.pop();
  }
  return first;
}

/** First as if it were empty, as Node does it: a directory that cannot be removed for another reason keeps what is in it. */
async function removeTree(disk: Disk, path: GivenPath): Promise<void> {
  const remove = (): Promise<void> => asNode({ syscall: "rmdir", path: path.given }, disk.rmdir(path.full));
  try {
    return await remove();
  } catch (failure) {
    if (errorCode(failure) !== "ENOTEMPTY") throw failure;
  }
  for (const { name, kind } of await asNode({ syscall: "scandir", path: path.given }, disk.readdir(path.full))) {
    const child = { given: posix.join(path.given, name), full: posix.join(path.full, name) };
    if (kind === "directory") await removeTree(disk, child);
    else await asNode({ syscall: "unlink", path: child.given }, disk.unlink(child.full));
  }
  await remove();
}

function encoded(text: string, options: unknown): string | Buffer {
  const { encoding } = readOptions(options);
  if (encoding === "buffer") return Buffer.from(text);
  readEncoding(encoding);
  return text;
}
