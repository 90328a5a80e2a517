/** A rule of receipts: one sentence that holds or does not, tried against faults. */
import type { ReceiptPolicies } from "@casebook/receipt-reader";
import type { RuleId } from "@casebook/receipt-reader/rules";
import type { ReceiptLab } from "./lab.ts";

/** What was seen that breaks the rule, with its figures; undefined: it holds. */
export type Try = (lab: ReceiptLab, policies: ReceiptPolicies) => Promise<string | undefined>;

export interface ReceiptRule {
  readonly id: RuleId;
  /** One sentence. */
  readonly text: string;
  /** By what is done to the receipts. */
  readonly faults: Readonly<Record<string, Try>>;
}
