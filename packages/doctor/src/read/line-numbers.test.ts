import fc from "fast-check";
import { expect, it } from "vitest";
import { memoryTree } from "../trees/index.ts";
import { lineNumbers } from "./line-numbers.ts";

/** Pieces of three bytes, so that lines lie across them. */
const inSmallPieces = (text: string) => {
  const tree = memoryTree({ "/log": text });
  return { ...tree, readRange: (path: string, offset: number, length: number) => tree.readRange(path, offset, Math.min(3, length)) };
};

it("numbers each first byte of a line as somebody who counts would", async () => {
  const lines = fc.array(fc.string({ unit: fc.constantFrom("a", "b", " "), maxLength: 7 }), { minLength: 1, maxLength: 9 });
  await fc.assert(
    fc.asyncProperty(lines, fc.infiniteStream(fc.boolean()), async (texts, isAsked) => {
      const starts = texts.map((_, index) => texts.slice(0, index).reduce((sum, text) => sum + text.length + 1, 0));
      const asked = starts.map((offset, index) => [offset, index + 1] as const).filter(() => isAsked.next().value);
      const numbers = await lineNumbers(inSmallPieces(`${texts.join("\n")}\n`), "/log", asked.map(([offset]) => offset).toReversed());
      expect([...numbers]).toEqual(asked);
    }),
    { numRuns: 300 },
  );
});

it("has no number for what lies behind the end, and reads nothing when nothing is asked", async () => {
  expect([...(await lineNumbers(inSmallPieces("a\nb\n"), "/log", [2, 9]))]).toEqual([[2, 2]]);
  expect([...(await lineNumbers(memoryTree({}), "/gone", []))]).toEqual([]);
});
