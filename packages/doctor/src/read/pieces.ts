/** A long file in pieces, whatever the tree. */
import type { Tree } from "../tree.ts";

/** Small enough to stay in a processor's cache, large enough that neither the calls count nor the lines that lie across two. */
export const PIECE_BYTES = 512 * 1024;

/** The first `length` bytes, fewer when the file ends before. A piece is good until the next is asked for. */
export async function* piecesOf(tree: Tree, path: string, length: number): AsyncGenerator<Uint8Array, void, undefined> {
  if (tree.readPieces !== undefined) {
    yield* tree.readPieces(path, length);
    return;
  }
  for (let offset = 0; offset < length; ) {
    const piece = await tree.readRange(path, offset, Math.min(PIECE_BYTES, length - offset));
    if (piece.length === 0) return;
    yield piece;
    offset += piece.length;
  }
}
