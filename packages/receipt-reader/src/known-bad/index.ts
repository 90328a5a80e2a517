/** The rules of receipts, and receipt logs that are the reference with one policy changed, with the rules that each breaks by it. */
import { type ReceiptPolicies, REFERENCE_POLICIES } from "@casebook/receipt-reader";
import type { RuleId } from "@casebook/receipt-reader/rules";
import { COMMAND_RULES } from "./command-rules.ts";
import type { ReceiptLab } from "./lab.ts";
import { READING_RULES, ZERO_RULE } from "./reading-rules.ts";
import type { ReceiptRule } from "./rule.ts";
import { WRITING_RULES } from "./writing-rules.ts";

export type { CrashImage, ReceiptLab, RulePorts } from "./lab.ts";
export type { RuleId };
export type { ReceiptRule, Try } from "./rule.ts";

/** By number. */
export const RECEIPT_RULES: readonly ReceiptRule[] = [...READING_RULES, ...WRITING_RULES, ...COMMAND_RULES, ZERO_RULE].toSorted((one, two) => (one.id < two.id ? -1 : 1));

export interface KnownBadReceipts {
  readonly name: string;
  readonly policies: ReceiptPolicies;
  readonly breaks: readonly RuleId[];
}

function changed(name: string, policy: Partial<ReceiptPolicies>, breaks: readonly RuleId[]): KnownBadReceipts {
  return { name, policies: { ...REFERENCE_POLICIES, ...policy }, breaks };
}

/** What each breaks was written down before it was run. */
export const KNOWN_BAD_RECEIPTS: readonly KnownBadReceipts[] = [
  // The reader of the receipt article.
  changed("backward-tolerant", { reader: "backward-tolerant" }, ["RC01", "RC02", "RC04"]),
  changed("forward-first", { reader: "forward-first" }, ["RC01", "RC02", "RC04"]),
  changed("catch-all-empty", { reader: "catch-all-empty" }, ["RC02", "RC03", "RC12"]),
  changed("unknown-version-as-absent", { unknownVersion: "as-absent" }, ["RC02", "RC04", "RC09"]),
  changed("bare-zero", { zero: "bare" }, ["RC12"]),
  changed("truncate-at-damage", { repair: "truncate-at-damage" }, ["RC05", "RC06", "RC09"]),
  changed("complete-torn", { repair: "complete-torn" }, ["RC07"]),
  changed("glue", { append: "glue" }, ["RC06", "RC10"]),
  changed("acknowledge-before-sync", { acknowledge: "before-sync" }, ["RC06", "RC11"]),
  changed("sequence-from-memory", { sequence: "from-memory" }, ["RC11"]),
  changed("key-only", { sameCommand: "key-only" }, ["RC08"]),
];

/** Tries all faults of all rules against one set of policies: what was seen for each rule that broke, by its id. */
export async function brokenReceiptRules(lab: ReceiptLab, policies: ReceiptPolicies): Promise<Partial<Record<RuleId, string>>> {
  const broken: Partial<Record<RuleId, string>> = {};
  for (const { id, faults } of RECEIPT_RULES) {
    for (const [fault, tryIt] of Object.entries(faults)) {
      const seen = await tryIt(lab, policies);
      if (seen !== undefined) broken[id] ??= `${fault}: ${seen}`;
    }
  }
  return broken;
}
