/** A suite: a model played against scenarios that are no case, and what each of them came to. */
import type { Result } from "@casebook/verdict";
import type { Runner } from "@casebook/sim/kernel";

export interface SuiteOptions {
  /** `fixed`: the reference. `broken`: what the suite's own page calls so. */
  readonly against: "fixed" | "broken";
  readonly runner: Runner;
}

export interface SuiteReport {
  /** One each, with ids that are the same in every run. */
  readonly results: readonly Result[];
  /** For people, without the tally. */
  readonly text: string;
}

export interface Suite {
  readonly name: string;
  /** One sentence. */
  readonly about: string;
  play(options: SuiteOptions): Promise<SuiteReport>;
}
