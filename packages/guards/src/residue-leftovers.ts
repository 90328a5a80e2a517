/** Finds what writers left behind when they died or collided. Old residue in a repaired system is no outage, hence information, and a
 * warning when there is a lot. */
import { defineGuard } from "./finding.ts";
import { firstFew, subjectOrAll } from "./first-few.ts";

/** One crash leaves one file; this many are a habit. */
const MANY_LEFTOVERS = 10;

export interface ResidueLeftoversFacts {
  /** Files that were looked at. */
  readonly files: number;
  readonly leftovers: readonly string[];
}

export const residueLeftovers = defineGuard<ResidueLeftoversFacts>(
  {
    id: "residue/leftovers",
    needs: ["files that were looked at", "those that a writer left behind"],
    severity: "information",
    text: "A writer left files behind: it was interrupted, or several collided.",
    case: undefined,
  },
  ({ files, leftovers }) => {
    if (leftovers.length === 0) return undefined;
    return {
      subject: subjectOrAll(leftovers, "files"),
      message: `${leftovers.length} of ${files} files are leftovers of writers: ${firstFew(leftovers)}`,
      counts: { files, leftovers: leftovers.length },
      ...(leftovers.length >= MANY_LEFTOVERS ? { severity: "warning" as const } : {}),
    };
  },
);
