/** The suites, as data: rules with their faults, or scenarios that are played. */
import type { Result } from "@casebook/verdict";

export interface PlayedSuite {
  /** Ids are the same in every run. */
  readonly results: readonly Result[];
  /** For people, without the tally. */
  readonly text: string;
}

/** Either a file of tests, one for each fault of each rule: the rule names the group, the fault the test. Or scenarios in simulated worlds. */
export type Suite = {
  /** Names of the systems that are known to be wrong, each of which may be tried in the place of the reference. */
  readonly knownBad: () => Promise<readonly string[]>;
} & (
  | {
      /** From the root of a clone. */
      readonly file: string;
    }
  | {
      /** `against`: `fixed`, or one of the names above. */
      readonly play: (against: string) => Promise<PlayedSuite>;
    }
);

export const SUITES: Readonly<Record<string, Suite>> = {
  dispatch: {
    file: "packages/dispatch-suite/src/suite.test.ts",
    knownBad: async () => (await import("@casebook/dispatcher/known-bad")).KNOWN_BAD_DISPATCHERS.map(({ name }) => name),
  },
  receipts: {
    file: "packages/receipt-reader/src/known-bad/rules.test.ts",
    knownBad: async () => (await import("@casebook/receipt-reader/known-bad")).KNOWN_BAD_RECEIPTS.map(({ name }) => name),
  },
  termination: {
    knownBad: async () => (await import("@casebook/supervisor/known-bad")).knownBad.map(({ name }) => name),
    play: async (against) => (await import("./termination-suite.ts")).playTermination(against),
  },
};
