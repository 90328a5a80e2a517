/** The guards over a registry: whether what was loaded is what is there, and whether a lookup's zero is credible. */
import { defineGuard } from "./finding.ts";

export interface RegistryParityFacts {
  /** Counted without asking the loader. */
  readonly onDisk: number;
  readonly loaded: number;
  /** Set aside and named by the loader. */
  readonly quarantined: number;
}

/**
 * Compares how many tasks are on disk with how many were loaded. A quarantined task does not fire either, so quarantine's own
 * difference alarms too. Counts only: one task lost and another loaded twice come out even. Where the number on disk is not
 * known there are no facts, and the check is NOT RUN.
 */
export const registryParity = defineGuard<RegistryParityFacts>(
  {
    id: "registry/parity",
    needs: ["tasks on disk, counted without the loader", "tasks loaded", "tasks quarantined"],
    severity: "alarm",
    text: "The number of loaded tasks is not the number of tasks on disk.",
    case: "001",
  },
  ({ onDisk, loaded, quarantined }) => {
    if (onDisk === loaded) return undefined;
    if (loaded > onDisk) {
      const message = `${loaded} tasks loaded while ${onDisk} are on disk`;
      return { subject: "fleet", message, counts: { onDisk, loaded, quarantined, dropped: 0, blastRadius: 0 } };
    }
    const dropped = Math.max(0, onDisk - loaded - quarantined);
    // What a loader that judges the list as a whole loses besides the bad entries themselves.
    const blastRadius = quarantined > 0 ? loaded : 0;
    const rest = blastRadius > 0 ? `; a whole-list loader would drop ${blastRadius} good ones with them` : "";
    const message = `${loaded} of ${onDisk} tasks on disk loaded, ${quarantined} quarantined, ${dropped} dropped${rest}`;
    return { subject: "fleet", message, counts: { onDisk, loaded, quarantined, dropped, blastRadius } };
  },
);

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

/**
 * Clears a lookup that found nothing only if that zero is credible: a list of records was searched, and no larger part
 * of the file was left out. Judges no hit: what was found is there.
 */
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
