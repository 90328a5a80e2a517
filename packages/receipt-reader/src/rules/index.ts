/** What must hold of receipts, one sentence for each number. Our own log and whoever brings one are held to these words. */
export const RECEIPT_SENTENCES = {
  RC01: "A damaged completion is never reported as a healthy pending receipt.",
  RC02: "Absent, corrupt and unsupported are three answers.",
  RC03: "Unrelated damage does not change the answer for a readable key.",
  RC04: "Anything newer than the found record that could not be read is reported.",
  RC05: "Original bytes are never changed; a repair is a new generation.",
  RC06: "An acknowledged receipt survives a crash at any step.",
  RC07: "No receipt is invented.",
  RC08: "The same key with another actor or payload is a conflict.",
  RC09: "A log of a newer version is opened read-only.",
  RC10: "A torn tail is never glued.",
  RC11: "Sequence numbers are unique under two writers.",
  RC12: "A zero comes with the population read.",
} as const;

export type RuleId = keyof typeof RECEIPT_SENTENCES;
