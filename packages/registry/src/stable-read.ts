/**
 * Reads a whole file that someone else may be writing. Never more than a limit, never half of two versions
 * (as far as size and time of the last change can tell: a writer that keeps both is not seen).
 */
import { errorCode, type Disk, type FileStat } from "@casebook/ports";
import { fileProblem, type FileProblem } from "./judge/reading.ts";
import { shown } from "./judge/text.ts";

/** 64 MiB. Decided by the file's size, before reading. */
export const MAX_REGISTRY_BYTES = 64 * 1024 * 1024;

/** How often a file that changed under the reader is read again. */
export const MAX_READ_ATTEMPTS = 3;

const CHUNK_BYTES = 1024 * 1024;

export type StableRead = { readonly bytes: Uint8Array } | { readonly problem: FileProblem };

/** Never rejects: what the disk refuses is the answer. */
export async function readStableFile(
  disk: Disk,
  path: string,
  maxBytes: number = MAX_REGISTRY_BYTES,
): Promise<StableRead> {
  try {
    for (let attempt = 1; attempt <= MAX_READ_ATTEMPTS; attempt += 1) {
      const before = await disk.stat(path);
      if (before.kind === "directory")
        return { problem: fileProblem("REGISTRY_IS_DIRECTORY", `${path} is a directory`) };
      if (before.kind !== "file")
        return { problem: fileProblem("REGISTRY_NOT_FILE", `${path} is neither file nor directory`) };
      if (before.size > maxBytes) {
        const what = `${path} has ${before.size} bytes, more than the ${maxBytes} that may still be read`;
        return { problem: fileProblem("REGISTRY_TOO_LARGE", what) };
      }
      const bytes = await readBytes(disk, path, before.size);
      if (bytes !== undefined && isSame(before, await disk.stat(path))) return { bytes };
    }
    return { problem: fileProblem("REGISTRY_UNSTABLE", `${path} changed during each of ${MAX_READ_ATTEMPTS} reads`) };
  } catch (refusal) {
    return { problem: diskProblem(refusal, path) };
  }
}

export function diskProblem(refusal: unknown, path: string): FileProblem {
  const code = errorCode(refusal);
  if (path.includes("\0"))
    return fileProblem("REGISTRY_PATH_INVALID", `the path ${shown(path)} holds a NUL, which no file name can`);
  if (code === "ENAMETOOLONG")
    return fileProblem("REGISTRY_NAME_TOO_LONG", `${path} is a name or path too long for this disk`);
  if (code === "ENOENT") return fileProblem("REGISTRY_MISSING", `there is no ${path}`);
  if (code === "EISDIR") return fileProblem("REGISTRY_IS_DIRECTORY", `${path} is a directory`);
  // Not an error of the disk: nobody's bad input, so nobody's answer.
  if (!isDiskCode(code)) throw refusal;
  return fileProblem("REGISTRY_UNREADABLE", `the disk refuses to read ${path}: ${code}`);
}

/** A POSIX code, as opposed to that of another error that only passes through. */
export function isDiskCode(code: string): boolean {
  return /^E[A-Z0-9]+$/.test(code);
}

/** Undefined if the file is not as long as it was said to be. */
async function readBytes(disk: Disk, path: string, size: number): Promise<Uint8Array | undefined> {
  const file = await disk.open(path, "r");
  try {
    const bytes = new Uint8Array(size);
    let filled = 0;
    // One byte more than there should be, so that growth shows.
    for (;;) {
      const chunk = await file.read(Math.min(CHUNK_BYTES, size - filled + 1), filled);
      if (chunk.length === 0) return filled === size ? bytes : undefined;
      if (filled + chunk.length > size) return undefined;
      bytes.set(chunk, filled);
      filled += chunk.length;
    }
  } finally {
    await file.close();
  }
}

function isSame(before: FileStat, after: FileStat): boolean {
  return before.kind === after.kind && before.size === after.size && before.modifiedAtMs === after.modifiedAtMs;
}
