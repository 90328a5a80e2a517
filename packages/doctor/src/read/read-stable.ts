/**
 * Reads a whole file that someone else may be writing: stat, read, stat, and again if it moved. Never half of two versions,
 * as far as size and time of the last change can tell: a writer that keeps both is not seen.
 */
import type { NotRead } from "../observation.ts";
import type { Tree, TreeStat } from "../tree.ts";
import { notRead, refusedRead } from "./not-read.ts";

/** 64 MiB; real registries have under one. Decided by the file's size, before reading. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** How often a file that changed under the reader is read again. */
export const MAX_READ_ATTEMPTS = 4;

const CHUNK_BYTES = 1024 * 1024;

export interface ReadOptions {
  readonly maxBytes?: number;
  /** Waited for between two attempts, so that a writer can finish. Without it the next attempt follows at once. */
  readonly pause?: () => Promise<void>;
}

export type StableBytes =
  | { readonly outcome: "read"; readonly bytes: Uint8Array; readonly stat: TreeStat }
  | { readonly outcome: "not-read"; readonly notRead: NotRead };

/** Never rejects for what a tree refuses. */
export async function readStable(tree: Tree, path: string, options: ReadOptions = {}): Promise<StableBytes> {
  const maxBytes = options.maxBytes ?? MAX_FILE_BYTES;
  try {
    for (let attempt = 1; attempt <= MAX_READ_ATTEMPTS; attempt += 1) {
      if (attempt > 1) await options.pause?.();
      const before = await tree.stat(path);
      if (before.kind !== "file") return refuse(notRead(path, "unsupported", `${path} is ${KIND_WORDS[before.kind]}`));
      if (before.size > maxBytes) {
        const cap = `${path} has ${before.size} bytes, more than the ${maxBytes} that may be read`;
        return refuse(notRead(path, "unsupported", cap));
      }
      const bytes = await readExactly(tree, path, before.size);
      if (bytes !== undefined && isSame(before, await tree.stat(path))) return { outcome: "read", bytes, stat: before };
    }
    const moved = `${path} changed during each of ${MAX_READ_ATTEMPTS} reads; run again when its writer is quiet`;
    return refuse(notRead(path, "unstable-input", moved));
  } catch (refusal) {
    return refuse(refusedRead(path, refusal));
  }
}

const KIND_WORDS = {
  directory: "a folder, not a file",
  link: "a link, and links are not followed",
  other: "neither a file nor a folder",
} as const;

function refuse(what: NotRead): StableBytes {
  return { outcome: "not-read", notRead: what };
}

/** Undefined if the file is not as long as it was said to be. */
async function readExactly(tree: Tree, path: string, size: number): Promise<Uint8Array | undefined> {
  // Almost every file fits one chunk: one byte more than there should be, so that growth shows.
  if (size < CHUNK_BYTES) {
    const all = await tree.readRange(path, 0, size + 1);
    return all.length === size ? all : undefined;
  }
  const bytes = new Uint8Array(size);
  let filled = 0;
  for (;;) {
    const chunk = await tree.readRange(path, filled, Math.min(CHUNK_BYTES, size - filled + 1));
    if (chunk.length === 0) return filled === size ? bytes : undefined;
    if (filled + chunk.length > size) return undefined;
    bytes.set(chunk, filled);
    filled += chunk.length;
  }
}

function isSame(before: TreeStat, after: TreeStat): boolean {
  return before.kind === after.kind && before.size === after.size && before.modifiedAtMs === after.modifiedAtMs;
}
