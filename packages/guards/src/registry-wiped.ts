/** Finds a registry that lost its entries while what belongs to them is still there. Somebody who deleted every task by hand and kept
 * the rest looks the same. */
import { defineGuard } from "./finding.ts";

export interface RegistryWipedFacts {
  readonly registry: string;
  /** Entries in all stores of the installation together: an empty store beside a full one is `registry/split-brain`. */
  readonly entries: number;
  /** What entries leave behind elsewhere: prompt folders, output folders. */
  readonly leftBehind: { readonly what: string; readonly count: number };
  /** Entries at an earlier look; undefined: there was none. */
  readonly entriesBefore: number | undefined;
}

export const registryWiped = defineGuard<RegistryWipedFacts>(
  {
    id: "registry/wiped",
    needs: ["entries in all stores", "prompt or output folders of tasks", "entries at an earlier look, if there was one"],
    severity: "alarm",
    text: "The registry is empty, or less than half of what it was, while the tasks' folders are still there.",
    case: undefined,
  },
  ({ registry, entries, leftBehind, entriesBefore }) => {
    const isEmptied = entries === 0 && leftBehind.count > 0;
    const isHalved = entriesBefore !== undefined && entries < entriesBefore / 2;
    if (!isEmptied && !isHalved) return undefined;
    const before = entriesBefore === undefined ? "" : `, ${entriesBefore} at the look before`;
    return {
      subject: registry,
      message: `${entries} entries beside ${leftBehind.count} ${leftBehind.what}${before}`,
      counts: { entries, leftBehind: leftBehind.count, ...(entriesBefore === undefined ? {} : { entriesBefore }) },
    };
  },
);
