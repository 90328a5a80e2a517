/** Finds records in a top-level list that the reader of this layout does not read. Whether they are tasks is not judged. */
import { defineGuard } from "./finding.ts";
import { firstFew } from "./first-few.ts";

export interface RegistrySecondListFacts {
  readonly registry: string;
  readonly read: { readonly pointer: string; readonly entries: number };
  /** Other top-level lists, and how many objects each holds. */
  readonly others: readonly { readonly pointer: string; readonly entries: number }[];
}

export const registrySecondList = defineGuard<RegistrySecondListFacts>(
  {
    id: "registry/second-list",
    needs: ["the list that is read, counted", "the other top-level lists, counted"],
    severity: "alarm",
    text: "A registry holds records in a list beside the one that is read.",
    case: "007",
  },
  ({ registry, read, others }) => {
    const filled = others.filter(({ entries }) => entries > 0);
    if (filled.length === 0) return undefined;
    const unread = filled.reduce((total, { entries }) => total + entries, 0);
    const named = firstFew(filled.map(({ pointer, entries }) => `${pointer} (${entries})`));
    return {
      subject: registry,
      message: `${unread} records in ${named} are not read; ${read.pointer} with ${read.entries} is`,
      counts: { read: read.entries, unread, lists: filled.length },
    };
  },
);
