/** A file of the disk port in pieces, from either end, as far as it went when it was opened. */
import type { DiskFile } from "@casebook/ports";

/** Small enough that two of them are nothing, large enough that a system call is cheap beside it. */
export const PIECE_BYTES = 64 * 1024;

/** `shorter`: the file was cut under the reader, so that what was read is of no use. */
export async function pushPieces(
  file: DiskFile,
  size: number,
  direction: "forward" | "backward",
  push: (piece: Uint8Array) => "more" | "enough",
): Promise<"read" | "shorter"> {
  let left = size;
  while (left > 0) {
    const length = Math.min(PIECE_BYTES, left);
    const piece = await readFully(file, length, direction === "forward" ? size - left : left - length);
    if (piece === undefined) return "shorter";
    if (push(piece) === "enough") break;
    left -= length;
  }
  return "read";
}

/** A read may answer fewer bytes than were asked for; none is the end of the file. */
export async function readFully(file: DiskFile, length: number, position: number): Promise<Uint8Array | undefined> {
  const first = await file.read(length, position);
  if (first.length === length) return first;
  const bytes = new Uint8Array(length);
  bytes.set(first);
  let filled = first.length;
  for (let taken = first.length; taken > 0 && filled < length; filled += taken) {
    const more = await file.read(length - filled, position + filled);
    bytes.set(more, filled);
    taken = more.length;
  }
  return filled === length ? bytes : undefined;
}
