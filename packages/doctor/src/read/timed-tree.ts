/** A tree that refuses with ETIME once the time is up, so that every reader stops there and says what it did not read. */
import type { Tree } from "../tree.ts";
import { checkedTree } from "../trees/checked-tree.ts";
import { TreeError } from "../trees/tree-error.ts";
import { isSpent, type Budget } from "./budget.ts";

export interface TimedTree {
  readonly tree: Tree;
  /** Paths that were asked for when the time was up. */
  readonly refused: ReadonlySet<string>;
}

export function timedTree(tree: Tree, budget: Budget): TimedTree {
  const refused = new Set<string>();
  const check = (operation: string, path: string): void => {
    if (!isSpent(budget)) return;
    refused.add(path);
    throw new TreeError("ETIME", operation, path);
  };
  return { tree: checkedTree(tree, check), refused };
}
