/** The suites of rules, as data. Each is a file of tests, one for each fault of each rule: the rule names the group, the fault the test. */

export interface Suite {
  /** From the root of a clone. */
  readonly file: string;
  /** Names of the systems that are known to be wrong, each of which may be tried in the place of the reference. */
  readonly knownBad: () => Promise<readonly string[]>;
}

export const SUITES: Readonly<Record<string, Suite>> = {
  dispatch: {
    file: "packages/dispatch-suite/src/suite.test.ts",
    knownBad: async () => (await import("@casebook/dispatcher/known-bad")).KNOWN_BAD_DISPATCHERS.map(({ name }) => name),
  },
  receipts: {
    file: "packages/receipt-reader/src/known-bad/rules.test.ts",
    knownBad: async () => (await import("@casebook/receipt-reader/known-bad")).KNOWN_BAD_RECEIPTS.map(({ name }) => name),
  },
};
