/** A rule of receipts as data: who appends, what a hand does to the bytes, who appends after that, and what may be answered. */
import type { Durability } from "@casebook/sim/kernel";
import type { PlayedRule, UncheckedRule } from "../play/playable.ts";
import type { ReceiptCapability, ReceiptToKeep } from "./adapter.ts";

/** To the biggest file of the disk, which is the log of whoever has one. */
export type Damage = "cut" | "cut-one-byte" | "zeros" | "zeros-at-the-end" | "flip";

export interface CheckedReceiptRule extends PlayedRule {
  readonly needs: readonly ReceiptCapability[];
  readonly play: {
    /** For each writer, in a process of its own. */
    readonly writers: readonly (readonly ReceiptToKeep[])[];
    readonly damage?: Damage;
    /** Appended by a new process, after the damage. */
    readonly after?: readonly ReceiptToKeep[];
    readonly durability?: Durability;
  };
  readonly checks: readonly ("kept" | "not-absent" | "no-old-state" | "none-invented" | "after-stands" | "numbers-differ")[];
}

export type ReceiptRule = CheckedReceiptRule | UncheckedRule;
