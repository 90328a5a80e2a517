import { describe, expect, it } from "vitest";
import type { Tree } from "../tree.ts";
import { timedTree } from "../read/timed-tree.ts";
import { checkedTree } from "./checked-tree.ts";

const below: Tree = {
  list: () => Promise.resolve([]),
  stat: () => Promise.reject(new Error("nothing")),
  readRange: () => Promise.resolve(new Uint8Array(0)),
  readPieces: async function* () {
    yield new Uint8Array(1);
    yield new Uint8Array(1);
  },
  findBytes: () => 7,
};

describe("a tree that is asked before every read", () => {
  it("has all that the tree below it has, its own search of bytes too", () => {
    for (const tree of [checkedTree(below, () => undefined), timedTree(below, { now: () => 0, untilMs: 1 }).tree]) {
      expect(Object.keys(tree).sort()).toEqual(Object.keys(below).sort());
    }
  });

  it("refuses in the middle of a reading", async () => {
    let asked = 0;
    const tree = checkedTree(below, () => {
      asked += 1;
      if (asked > 2) throw new Error("stop");
    });
    const seen: number[] = [];
    const read = async () => {
      for await (const piece of tree.readPieces?.("/log", 1) ?? []) seen.push(piece.length);
    };
    await expect(read()).rejects.toThrow("stop");
    expect(seen).toEqual([1]);
  });
});
