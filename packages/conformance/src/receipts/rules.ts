/**
 * The rules of receipts as data. Numbers and sentences are those that our own log is held to, and a test compares them; what a
 * stranger's log cannot be asked without knowing its format is in the list as well, with the reason.
 */
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
const AFTER: readonly ReceiptToKeep[] = [{ key: "after", state: "pending" }];

function checked(rule: Omit<CheckedReceiptRule, "level" | "needs" | "faults" | "budget" | "from" | "case"> & Partial<CheckedReceiptRule>): CheckedReceiptRule {
  return { level: "required", from: rule.number, case: "001", needs: [], faults: [], budget: { schedules: rule.faults === undefined ? 4 : 2, arms: 48 }, ...rule };
}

const notChecked = (number: string, sentence: string, because: string): UncheckedRule => ({ number, level: "not-checked", sentence, from: number, because });

const damaged = (number: string, sentence: string, damage: Damage, checks: CheckedReceiptRule["checks"], after?: readonly ReceiptToKeep[]): CheckedReceiptRule =>
  checked({ number, sentence, from: number.slice(0, 4), play: { writers: [THREE], damage, ...(after === undefined ? {} : { after }) }, checks });

const REGRESSION = "A damaged completion is never reported as a healthy pending receipt.";
const ANSWERS = "Absent, corrupt and unsupported are three answers.";
const GLUE = "A torn tail is never glued.";
const SURVIVES = "An acknowledged receipt survives a crash at any step.";
const INVENTED = "No receipt is invented.";
const kill = { each: { at: "step", process: "writer-1", kind: "kill-restart", forMs: RESTART_MS } } as const;
const power = { each: { at: "step", process: "writer-1", kind: "power-loss", forMs: RESTART_MS } } as const;

export const RECEIPT_LOG_RULES: readonly ReceiptRule[] = [
  damaged("RC01", REGRESSION, "cut", ["no-old-state"]),
  damaged("RC01b", REGRESSION, "flip", ["no-old-state"]),
  damaged("RC02", ANSWERS, "zeros", ["not-absent"]),
  damaged("RC02b", ANSWERS, "cut", ["not-absent"]),
  notChecked("RC03", "Unrelated damage does not change the answer for a readable key.", "which bytes belong to which key only the log knows"),
  notChecked("RC04", "Anything newer than the found record that could not be read is reported.", "RC01 asks it where the newest is damaged; elsewhere only the log knows what is newer"),
  notChecked("RC05", "Original bytes are never changed; a repair is a new generation.", "the interface has no repair, and a log may compact its files"),
  checked({ number: "RC06", sentence: SURVIVES, play: { writers: [THREE] }, faults: kill, checks: ["kept"] }),
  checked({ number: "RC06b", from: "RC06", sentence: SURVIVES, needs: ["power-loss"], play: { writers: [THREE], durability: "posix-min" }, faults: power, checks: ["kept"], budget: { schedules: 6, arms: 48 } }),
  checked({ number: "RC07", sentence: INVENTED, play: { writers: [THREE], after: AFTER }, faults: kill, checks: ["none-invented"] }),
  damaged("RC07b", INVENTED, "cut", ["none-invented"]),
  notChecked("RC08", "The same key with another actor or payload is a conflict.", "the interface has no actors and no payloads"),
  notChecked("RC09", "A log of a newer version is opened read-only.", "what a newer version of a foreign log looks like nobody knows yet"),
  damaged("RC10", GLUE, "cut", ["after-stands"], AFTER),
  damaged("RC10b", GLUE, "cut-one-byte", ["after-stands", "not-absent"], AFTER),
  damaged("RC10c", GLUE, "zeros-at-the-end", ["after-stands", "not-absent"], AFTER),
  checked({
    number: "RC11",
    sentence: "Sequence numbers are unique under two writers.",
    needs: ["many-writers", "numbers"],
    play: { writers: [THREE, [{ key: "second", state: "pending" }, { key: "second", state: "completed" }]] },
    checks: ["numbers-differ", "kept"],
    budget: { schedules: 40, arms: 1 },
  }),
  notChecked("RC12", "A zero comes with the population read.", "it is about what a person is shown"),
];
