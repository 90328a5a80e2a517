/** Finds a run that ended without a durable record, with more than one, or with one that says nothing. */
import { defineGuard } from "./finding.ts";
import { firstFew } from "./first-few.ts";

export interface SupervisionOneTerminalRecordFacts {
  readonly run: string;
  /** All of this run, by whoever wrote them. */
  readonly records: readonly { readonly writtenBy: string; readonly cause: string }[];
  /** The closed list. */
  readonly knownCauses: readonly string[];
}

export const supervisionOneTerminalRecord = defineGuard<SupervisionOneTerminalRecordFacts>(
  {
    id: "supervision/one-terminal-record",
    needs: ["every terminal record of a run whose time is over", "the closed list of causes"],
    severity: "alarm",
    text: "A run whose time is over has no terminal record, more than one, or one with a cause that is not on the list.",
    case: "010",
  },
  ({ run, records, knownCauses }) => {
    const unknown = records.filter(({ cause }) => !knownCauses.includes(cause)).length;
    if (records.length === 1 && unknown === 0) return undefined;
    const listed = firstFew(records.map(({ writtenBy, cause }) => `${cause} by ${writtenBy}`));
    return {
      subject: run,
      message: `${records.length} terminal records, 1 expected${unknown === 0 ? "" : `, ${unknown} with an unknown cause`}${records.length === 0 ? "" : `: ${listed}`}`,
      counts: { records: records.length, unknownCauses: unknown },
    };
  },
);
