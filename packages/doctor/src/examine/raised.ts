/** An alarm on its way to becoming a finding: what a guard said, and what only its caller knows. */
import type { Finding, GuardAbout, Severity } from "@casebook/guards";
import type { FindingConfidence } from "../doctor-report.ts";
import type { Place } from "../observation.ts";

export interface Raised {
  readonly about: GuardAbout;
  readonly finding: Finding;
  /** Tasks that it concerns; none: the layout's files. */
  readonly tasks: readonly string[];
  readonly where: Place | undefined;
  /** Counts with their sources. */
  readonly proof: readonly string[];
  readonly confidence: FindingConfidence;
  /** A better step than the guard's usual one, where the facts give it: the value to write. */
  readonly step?: string;
  /** For the row of a task, by its id: shorter than the guard's sentence, which is about all of them. */
  readonly briefs?: ReadonlyMap<string, string>;
  /** The one of several roots, stores or logs of a layout that `tasks` are of. Left out: they are the layout's. */
  readonly within?: string;
}

/** A guard may grade one finding otherwise than it usually does. */
export function severityOf({ about, finding }: Raised): Severity {
  return finding.severity ?? about.severity;
}

/** Asks a guard, and keeps what it answers together with its surroundings. Silent: nothing. */
export function raise<Facts>(
  guard: { (facts: Facts): Finding | undefined; readonly about: GuardAbout },
  facts: Facts,
  around: Omit<Raised, "about" | "finding">,
): Raised[] {
  const finding = guard(facts);
  return finding === undefined ? [] : [{ about: guard.about, finding, ...around }];
}
