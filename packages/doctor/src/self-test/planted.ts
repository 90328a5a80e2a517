/** What the self-test plants: a tree that is wrong in one way, and its twin that is not. Made when it is its turn. */
import type { Preset } from "../preset.ts";
import type { Tree } from "../tree.ts";

export interface Planted {
  /** What it is, as it is printed: `case 002 mode=broken`. */
  readonly title: string;
  readonly tree: Tree;
  readonly places: readonly string[];
  /** Left out: all that are known. */
  readonly presets?: readonly Preset[];
  /** The moment that is judged from, and the zone of the machine. */
  readonly nowMs: number;
  readonly zone: string;
}

export interface GuardTrees {
  /** Id of the guard that has to alarm on `bad` and to be silent on `healthy`. Other guards may say what they like. */
  readonly guard: string;
  /** May reject: then the guard has no verdict. */
  readonly bad: () => Planted | Promise<Planted>;
  readonly healthy: () => Planted | Promise<Planted>;
}
