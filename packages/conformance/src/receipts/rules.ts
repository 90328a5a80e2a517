/**
 * The rules of receipts as data. Numbers and sentences are those that our own log is held to; what a stranger's log cannot be asked
 * without knowing its format is in the list as well, with the reason.
 */
import { RECEIPT_SENTENCES, type RuleId } from "@casebook/receipt-reader/rules";
import type { ReceiptToKeep } from "./adapter.ts";
import type { CheckedReceiptRule, Damage, ReceiptRule } from "./rule.ts";
import type { UncheckedRule } from "../play/playable.ts";

const RESTART_MS = 5_000;
/** Somebody else's, the key, and its completion last, where a hand cuts. */
const THREE: readonly ReceiptToKeep[] = [
  { key: "other", state: "pending" },
  { key: "command-1", state: "pending" },
  { key: "command-1", state: "completed" },
];
/** Keys that begin and end with one another: a log that looks for a key by a part of it finds another's receipt, which is newer. */
const ALIKE: readonly ReceiptToKeep[] = [
  { key: "command-1", state: "pending" },
  { key: "command-1", state: "completed" },
  { key: "command-10", state: "pending" },
  { key: "a-command-1", state: "pending" },
];
const AFTER: readonly ReceiptToKeep[] = [{ key: "after", state: "pending" }];

/** The case that shows the mechanism: a damaged log (008), a file that a crash took (018), two writers and no predicate (010). */
const CASES: Readonly<Record<RuleId, string>> = { RC01: "008", RC02: "008", RC03: "008", RC04: "008", RC05: "018", RC06: "018", RC07: "008", RC08: "008", RC09: "008", RC10: "008", RC11: "010", RC12: "007" };

/** A letter after the number: the same sentence, played in another way. */
const numbered = (number: `${RuleId}${string}`) => ({ number, from: number.slice(0, 4), sentence: RECEIPT_SENTENCES[number.slice(0, 4) as RuleId] });

function checked(number: `${RuleId}${string}`, rule: Pick<CheckedReceiptRule, "play" | "checks"> & Partial<CheckedReceiptRule>): CheckedReceiptRule {
  return { ...numbered(number), level: "required", case: CASES[number.slice(0, 4) as RuleId], needs: [], faults: [], budget: { schedules: rule.faults === undefined ? 4 : 2, arms: 48 }, ...rule };
}

const notChecked = (number: RuleId, because: string): UncheckedRule => ({ ...numbered(number), level: "not-checked", because });

const damaged = (number: `${RuleId}${string}`, damage: Damage, checks: CheckedReceiptRule["checks"], after?: readonly ReceiptToKeep[]): CheckedReceiptRule =>
  checked(number, { play: { writers: [THREE], damage, ...(after === undefined ? {} : { after }) }, checks });

const kill = { each: { at: "step", process: "writer-1", kind: "kill-restart", forMs: RESTART_MS } } as const;
const power = { each: { at: "step", process: "writer-1", kind: "power-loss", forMs: RESTART_MS } } as const;

/** No crash, and no error: it answers how many bytes it took. */
const shortWrite = { at: "disk.write", process: "writer-1", kind: "short-write" } as const;

export const RECEIPT_LOG_RULES: readonly ReceiptRule[] = [
  damaged("RC01", "cut", ["no-old-state"]),
  damaged("RC01b", "flip", ["no-old-state"]),
  damaged("RC02", "zeros", ["not-absent"]),
  damaged("RC02b", "cut", ["not-absent"]),
  notChecked("RC03", "which bytes belong to which key only the log knows"),
  notChecked("RC04", "RC01 asks it where the newest is damaged; elsewhere only the log knows what is newer"),
  notChecked("RC05", "the interface has no repair, and a log may compact its files"),
  checked("RC06", { play: { writers: [ALIKE] }, faults: { ...kill, also: [[shortWrite]] }, checks: ["kept"] }),
  checked("RC06b", { needs: ["power-loss"], play: { writers: [THREE], durability: "posix-min" }, faults: power, checks: ["kept"], budget: { schedules: 6, arms: 48 } }),
  checked("RC07", { play: { writers: [THREE], after: AFTER }, faults: kill, checks: ["none-invented"] }),
  damaged("RC07b", "cut", ["none-invented"]),
  notChecked("RC08", "the interface has no actors and no payloads"),
  notChecked("RC09", "what a newer version of a foreign log looks like nobody knows yet"),
  damaged("RC10", "cut", ["after-stands"], AFTER),
  damaged("RC10b", "cut-one-byte", ["after-stands", "not-absent"], AFTER),
  damaged("RC10c", "zeros-at-the-end", ["after-stands", "not-absent"], AFTER),
  checked("RC11", {
    needs: ["many-writers", "numbers"],
    play: { writers: [THREE, [{ key: "second", state: "pending" }, { key: "second", state: "completed" }]] },
    checks: ["numbers-differ", "kept"],
    budget: { schedules: 40, arms: 1 },
  }),
  notChecked("RC12", "it is about what a person is shown"),
];
