/** What a receipt log and its commands do where such systems differ. The reference, and by name the ways that are known to be wrong. */
import { type ReaderPolicies, REFERENCE_READER } from "./judge/reader-policies.ts";

export interface ReceiptPolicies extends ReaderPolicies {
  /** `fresh-line`: what is appended begins on a line of its own. `glue`: it goes where the file ends. */
  readonly append: "fresh-line" | "glue";
  /** `after-sync`: the answer comes when the record would survive a power loss. `before-sync`: when it was written. */
  readonly acknowledge: "after-sync" | "before-sync";
  /** `under-lock`: the next number is read from the log while nobody else may write. `from-memory`: a writer counts for itself. */
  readonly sequence: "under-lock" | "from-memory";
  /**
   * `new-generation`: the readable records go to a new file, the old one stays. `truncate-at-damage`: the file ends before its first bad
   * line. `complete-torn`: as the first, and a cut record is completed by a guess.
   */
  readonly repair: "new-generation" | "truncate-at-damage" | "complete-torn";
  /** What makes a command with a known key the same command. */
  readonly sameCommand: "key-actor-and-payload" | "key-only";
  /** `table`: what a diagnosis lets a command do. `state-alone`: the record that was found, whatever the health of the reading. */
  readonly decide: "table" | "state-alone";
}

export const REFERENCE_POLICIES: ReceiptPolicies = {
  ...REFERENCE_READER,
  append: "fresh-line",
  acknowledge: "after-sync",
  sequence: "under-lock",
  repair: "new-generation",
  sameCommand: "key-actor-and-payload",
  decide: "table",
};
