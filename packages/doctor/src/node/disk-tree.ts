/**
 * The machine's disk as a tree. Calls that read, and no others: lstat, opendir, and open without following, creating or
 * waiting. A pipe or a device is not even opened, because opening one can wait for ever or do something.
 * Leaves out links on the way to a place: those are resolved once, before (`resolvePlace`).
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, opendirSync, readSync, type Dirent, type Stats } from "node:fs";
import type { Tree, TreeEntry, TreeKind, TreeStat } from "../tree.ts";
import { PIECE_BYTES } from "../read/pieces.ts";
import { TreeError, treeErrorCode } from "../trees/tree-error.ts";
import { nativePathOf } from "./tree-path.ts";

/** Names in one folder; more are refused with EOVERFLOW. Node holds each of them twice in memory. */
export const MAX_FOLDER_ENTRIES = 1_000_000;

/** Work done in one go; after it the process gets to see signals and other work. */
const BREATH_EVERY_MS = 20;

/** Synchronous calls behind asynchronous ones: for 20,000 small files a tenth of the time that the thread pool takes. */
export function diskTree(platform: string = process.platform): Tree {
  const breathe = createBreath();
  const ask = async <Answer>(operation: string, path: string, work: (native: string) => Answer): Promise<Answer> => {
    await breathe();
    try {
      return work(nativePathOf(path, platform));
    } catch (failure) {
      const code = treeErrorCode(failure);
      throw code === "" || failure instanceof TreeError ? failure : new TreeError(code, operation, path);
    }
  };
  return {
    list: (path) => ask("list", path, (native) => listSync(native, path)),
    stat: (path) => ask("stat", path, (native) => statOf(lstatSync(native))),
    readRange: (path, offset, length) =>
      ask("read", path, (native) => {
        const file = openToRead(native, path);
        try {
          const bytes = new Uint8Array(Math.min(length, Math.max(0, fstatSync(file).size - offset)));
          return bytes.subarray(0, fill(file, bytes, offset));
        } finally {
          closeSync(file);
        }
      }),
    findBytes: (bytes, needle, from) => Buffer.prototype.indexOf.call(bytes, needle, from),
    async *readPieces(path, length) {
      const file = await ask("read", path, (native) => openToRead(native, path));
      try {
        // A Buffer, because its own search for one byte is that of the C library.
        const shared = Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, length));
        for (let offset = 0; offset < length; ) {
          const piece = shared.subarray(0, Math.min(PIECE_BYTES, length - offset));
          const read = await ask("read", path, () => fill(file, piece, offset));
          if (read === 0) return;
          yield piece.subarray(0, read);
          offset += read;
        }
      } finally {
        closeSync(file);
      }
    },
  };
}

function listSync(native: string, path: string): TreeEntry[] {
  // Without this a link to a folder would be listed as the folder.
  if (!lstatSync(native).isDirectory()) throw new TreeError("ENOTDIR", "list", path);
  const folder = opendirSync(native, { bufferSize: 1024 });
  try {
    const entries: TreeEntry[] = [];
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      if (entries.length === MAX_FOLDER_ENTRIES) throw new TreeError("EOVERFLOW", "list", path);
      entries.push({ name: entry.name, kind: kindOf(entry) });
    }
    return entries;
  } finally {
    folder.closeSync();
  }
}

/** Undefined on Windows, where there are no such pipes and a link is found by lstat alone. */
const READ_ONLY =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

function openToRead(native: string, path: string): number {
  refuseUnlessFile(lstatSync(native), path);
  const file = openSync(native, READ_ONLY);
  try {
    // What stood there may have been replaced in between.
    refuseUnlessFile(fstatSync(file), path);
    return file;
  } catch (refusal) {
    closeSync(file);
    throw refusal;
  }
}

function refuseUnlessFile(stats: Stats, path: string): void {
  const kind = kindOf(stats);
  if (kind !== "file") throw new TreeError(CODES[kind], "read", path);
}

const CODES: Readonly<Record<Exclude<TreeKind, "file">, string>> = { directory: "EISDIR", link: "ELOOP", other: "EINVAL" };

/** Fewer than asked for only at the end of the file. */
function fill(file: number, bytes: Uint8Array, offset: number): number {
  let filled = 0;
  while (filled < bytes.length) {
    const read = readSync(file, bytes, filled, bytes.length - filled, offset + filled);
    if (read === 0) break;
    filled += read;
  }
  return filled;
}

function statOf(stats: Stats): TreeStat {
  const kind = kindOf(stats);
  return {
    kind,
    size: kind === "file" ? stats.size : 0,
    modifiedAtMs: Math.floor(stats.mtimeMs),
    // File systems that do not know say the beginning of 1970.
    bornAtMs: stats.birthtimeMs > 0 ? Math.floor(stats.birthtimeMs) : undefined,
  };
}

function kindOf(entry: Stats | Dirent): TreeKind {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "link" : "other";
}

function createBreath(): () => Promise<void> {
  let lastMs = performance.now();
  return async () => {
    if (performance.now() - lastMs < BREATH_EVERY_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    lastMs = performance.now();
  };
}
