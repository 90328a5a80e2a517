/** Finds ids that stand in one list more than once. Which of the entries a loader takes is not known here. */
import { defineGuard } from "./finding.ts";
import { firstFew, subjectOrAll } from "./first-few.ts";

export interface RegistryDuplicateIdFacts {
  readonly registry: string;
  readonly entries: number;
  readonly ids: readonly { readonly id: string; readonly times: number }[];
}

export const registryDuplicateId = defineGuard<RegistryDuplicateIdFacts>(
  {
    id: "registry/duplicate-id",
    needs: ["entries in the list", "how often each id stands in it"],
    severity: "alarm",
    text: "One id stands in a registry more than once.",
    case: undefined,
  },
  ({ registry, entries, ids }) => {
    const twice = ids.filter(({ times }) => times > 1);
    if (twice.length === 0) return undefined;
    const holders = twice.reduce((total, { times }) => total + times, 0);
    const named = firstFew(twice.map(({ id, times }) => `${id} (${times})`));
    return {
      subject: subjectOrAll(twice.map(({ id }) => id), registry),
      message: `${holders} of ${entries} entries share ${twice.length} ${twice.length === 1 ? "id" : "ids"}: ${named}`,
      counts: { entries, ids: twice.length, holders },
    };
  },
);
