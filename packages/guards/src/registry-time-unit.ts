/** Finds moments written in another unit than their field has, and moments in a year that no schedule means. Fooled by a wrong moment
 * in the right unit and a plausible year. */
import { defineGuard } from "./finding.ts";
import { firstFew, instantText, subjectOrAll } from "./first-few.ts";

/** `text`: neither of the others can be read from it. */
export type MomentUnit = "iso" | "epoch-ms" | "epoch-s" | "text" | "number";

/** Seconds read as milliseconds fall into January 1970, milliseconds read as seconds into the year 58000. */
const EARLIEST_PLAUSIBLE_MS = Date.parse("2001-01-01T00:00:00.000Z");
const LATEST_PLAUSIBLE_MS = Date.parse("2100-01-01T00:00:00.000Z");

function isPlausible(atMs: number): boolean {
  return atMs >= EARLIEST_PLAUSIBLE_MS && atMs < LATEST_PLAUSIBLE_MS;
}

export interface RegistryTimeUnitFacts {
  readonly registry: string;
  readonly moments: readonly {
    readonly entry: string;
    readonly field: string;
    readonly written: MomentUnit;
    readonly wanted: MomentUnit;
    /** The instant it names when it is read as the field's unit wants; undefined when it cannot be. */
    readonly atMs: number | undefined;
  }[];
}

export const registryTimeUnit = defineGuard<RegistryTimeUnitFacts>(
  {
    id: "registry/time-unit",
    needs: ["every moment in the registry: how it is written, and how its field wants it"],
    severity: "alarm",
    text: "A moment is in another unit than its field has, or in an implausible year.",
    case: "001",
  },
  ({ registry, moments }) => {
    const wrong = moments.filter(({ written, wanted }) => written !== wanted);
    const odd = moments.filter(({ written, wanted, atMs }) => written === wanted && atMs !== undefined && !isPlausible(atMs));
    if (wrong.length + odd.length === 0) return undefined;
    const names = [
      ...wrong.map(({ entry, field, written, wanted }) => `${entry} ${field} is ${written}, wanted ${wanted}`),
      ...odd.map(({ entry, field, atMs }) => `${entry} ${field} is ${instantText(atMs as number)}`),
    ];
    const named = firstFew(names);
    return {
      subject: subjectOrAll([...wrong, ...odd].map(({ entry }) => entry), registry),
      message: `${wrong.length} of ${moments.length} moments in another unit, ${odd.length} in an implausible year: ${named}`,
      counts: { moments: moments.length, otherUnit: wrong.length, implausible: odd.length },
    };
  },
);
