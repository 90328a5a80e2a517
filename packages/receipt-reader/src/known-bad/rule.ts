/** A rule of receipts: one sentence that holds or does not, tried against faults. */
import type { ReceiptPolicies } from "@casebook/receipt-reader";
import type { ReceiptLab } from "./lab.ts";

export type RuleId = `RC${"01" | "02" | "03" | "04" | "05" | "06" | "07" | "08" | "09" | "10" | "11" | "12"}`;

/** What was seen that breaks the rule, with its figures; undefined: it holds. */
export type Try = (lab: ReceiptLab, policies: ReceiptPolicies) => Promise<string | undefined>;

export interface ReceiptRule {
  readonly id: RuleId;
  /** One sentence. */
  readonly text: string;
  /** By what is done to the receipts. */
  readonly faults: Readonly<Record<string, Try>>;
}
