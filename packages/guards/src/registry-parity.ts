/**
 * Compares how many tasks are on disk with how many were loaded. Counts only: one task lost and another loaded
 * twice come out even. Where the number on disk is not known there are no facts, and the check is NOT RUN.
 */
import { defineGuard } from "./finding.ts";

export interface RegistryParityFacts {
  /** Counted without asking the loader. */
  readonly onDisk: number;
  readonly loaded: number;
  /** Set aside and named by the loader. */
  readonly quarantined: number;
}

/** A quarantined task does not fire either, so quarantine's own difference alarms too. */
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
