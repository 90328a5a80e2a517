/** Tells the numbers of lines by their byte offsets, by counting line feeds as far as the last of them. Holds one piece of the file. */
import type { Tree } from "../tree.ts";
import { piecesOf } from "./pieces.ts";

const LINE_FEED = 0x0a;

/** Offsets of first bytes of lines, from 0; numbers from 1. Rejects with what the tree refuses. */
export async function lineNumbers(tree: Tree, path: string, offsets: readonly number[]): Promise<Map<number, number>> {
  const sorted = [...new Set(offsets)].toSorted((one, other) => one - other);
  const numbers = new Map<number, number>();
  let line = 1;
  let start = 0;
  let next = 0;
  for await (const piece of piecesOf(tree, path, (sorted.at(-1) ?? -1) + 1)) {
    let from = 0;
    for (; next < sorted.length && (sorted[next] as number) < start + piece.length; next += 1) {
      const until = (sorted[next] as number) - start;
      for (let feed = piece.indexOf(LINE_FEED, from); feed !== -1 && feed < until; feed = piece.indexOf(LINE_FEED, from)) {
        line += 1;
        from = feed + 1;
      }
      numbers.set(sorted[next] as number, line);
    }
    for (let feed = piece.indexOf(LINE_FEED, from); feed !== -1; feed = piece.indexOf(LINE_FEED, feed + 1)) line += 1;
    start += piece.length;
  }
  return numbers;
}
