/** Whether the guards can still be believed. */
import { desktopTrees } from "./desktop-trees.ts";
import { otherTrees } from "./other-trees.ts";
import { receiptTrees } from "./receipt-trees.ts";
import type { GuardTrees } from "./planted.ts";

export type { GuardTrees, Planted } from "./planted.ts";
export { lookAt, selfTest, type SelfTestOptions } from "./self-test.ts";

/** A pair of trees for each guard that the doctor asks, made from invented installations. */
export function fixtureTrees(): readonly GuardTrees[] {
  return [...desktopTrees(), ...otherTrees(), ...receiptTrees()];
}
