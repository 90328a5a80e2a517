/** Finds entries that break the shape of their list, and says what they take with them in a loader that judges the list as a whole.
 * Whether the product is such a loader is not known here. */
import { defineGuard } from "./finding.ts";
import { wholeListLoss } from "./blast-radius.ts";
import { firstFew, subjectOrAll } from "./first-few.ts";

export interface RegistryEntryInvalidFacts {
  /** The file, as it may be printed. */
  readonly registry: string;
  /** Entries in the list, valid or not. */
  readonly entries: number;
  /** `problem`: one clause, such as `fireAt is text`. Several problems of one entry are one element each. */
  readonly invalid: readonly { readonly entry: string; readonly problem: string }[];
}

export const registryEntryInvalid = defineGuard<RegistryEntryInvalidFacts>(
  {
    id: "registry/entry-invalid",
    needs: ["entries in the list", "which of them break its shape, and how"],
    severity: "alarm",
    text: "An entry of a registry breaks the shape of its list.",
    case: "001",
  },
  ({ registry, entries, invalid }) => {
    if (invalid.length === 0) return undefined;
    const bad = [...new Set(invalid.map(({ entry }) => entry))];
    const dropped = wholeListLoss(entries, bad.length);
    return {
      subject: subjectOrAll(bad, registry),
      message:
        `${bad.length} of ${entries} entries invalid: ${firstFew(invalid.map(({ entry, problem }) => `${entry} (${problem})`))}; ` +
        `a whole-list loader drops ${dropped} of ${entries}`,
      counts: { entries, invalid: bad.length, blastRadius: dropped },
    };
  },
);
