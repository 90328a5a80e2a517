/** What readers do where readers differ. The first word of each is the reference; the others are known to be wrong, and kept to show it. */

export interface ReaderPolicies {
  /**
   * `report-health`: from the end to the newest readable record, with everything behind it that could not be read.
   * `backward-tolerant`: the same way, and skips in silence what it cannot read, of a newer version too.
   * `forward-first`: from the start, and takes the first record of the key.
   * `catch-all-empty`: one line that cannot be read, and there is nothing.
   */
  readonly reader: "report-health" | "backward-tolerant" | "forward-first" | "catch-all-empty";
  /** `as-absent`: a record of a newer version counts as if it was not there. */
  readonly unknownVersion: "report" | "as-absent";
  /** `bare`: an answer of nothing does not say what was looked at. */
  readonly zero: "with-population" | "bare";
}

export const REFERENCE_READER: ReaderPolicies = { reader: "report-health", unknownVersion: "report", zero: "with-population" };
