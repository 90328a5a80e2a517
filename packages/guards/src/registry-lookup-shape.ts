/**
 * Clears a lookup that found nothing only if that zero is credible: a list of records was searched, and no larger part
 * of the file was left out. Judges no hit: what was found is there.
 */
import { defineGuard } from "./finding.ts";

export interface RegistryLookupShapeFacts {
  readonly hits: number;
  /** What was searched, counted. */
  readonly population: number;
  /** Its name, as the reader gives it. */
  readonly searched: string;
  readonly searchedIsRecordCollection: boolean;
  /** Records in the other lists of the same file. */
  readonly holds: number;
}

export const registryLookupShape = defineGuard<RegistryLookupShapeFacts>(
  {
    id: "registry/lookup-shape",
    needs: ["hits", "how many were searched", "what was searched", "records in the file's other lists"],
    severity: "alarm",
    text: "A lookup answered zero after searching no list of records, or a list no larger than what it left out.",
    case: "007",
  },
  ({ hits, population, searched, searchedIsRecordCollection, holds }) => {
    const counts = { hits, population, holds };
    if (!searchedIsRecordCollection) {
      return { subject: searched, message: `searched ${searched}, which is not a record collection`, counts };
    }
    // Written so that a count that is no number alarms.
    const isCredible = hits > 0 || holds === 0 || holds < population;
    if (isCredible) return undefined;
    return {
      subject: searched,
      message: `zero out of ${population} searched while the file holds ${holds} records`,
      counts,
    };
  },
);
