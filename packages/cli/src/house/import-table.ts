/**
 * Who may import whom, as data. `import-table.test.ts` compares it with every import and every package.json.
 * When the shape is wrong, change it here in one deliberate step and say why in the commit.
 */

export interface ImportRow {
  /** `ports`, `ports/node`: package folder and the sub-path of the entry point. */
  readonly entry: string;
  /** Entry points of ours that its files may import. Its own entry is always allowed. */
  readonly ours: readonly string[];
  /** Libraries; `node:` stands for all of Node's modules. */
  readonly libraries: readonly string[];
  /** Libraries that may not be loaded with the entry, only behind an `await import(...)`: the words cost nothing to load. */
  readonly lazily?: readonly string[];
}

const EVERY_MODEL = [
  "registry",
  "registry/judge",
  "registry/known-bad",
  "registry/stores",
  "scheduler",
  "scheduler/judge",
  "scheduler/known-bad",
  "dispatcher",
  "dispatcher/judge",
  "dispatcher/known-bad",
  "supervisor",
  "supervisor/judge",
  "supervisor/known-bad",
  "supervisor/rules",
  "receipt-reader",
  "receipt-reader/judge",
  "receipt-reader/known-bad",
] as const;

export const IMPORT_TABLE: readonly ImportRow[] = [
  { entry: "ports", ours: [], libraries: [] },
  // Apart from the types, because a program that watches nothing need not load it.
  { entry: "ports/watch", ours: ["ports"], libraries: [] },
  { entry: "ports/node", ours: ["ports", "ports/watch"], libraries: ["node:"] },
  { entry: "ports/contract", ours: ["ports"], libraries: ["fast-check"] },
  // The rules of the ledger port as code: what a service in memory runs, and what a real one is compared with.
  { entry: "ports/ledger-tables", ours: ["ports"], libraries: [] },
  // One room with two side doors, so that a case loads the guards it asks and no more.
  { entry: "guards", ours: ["guards/registry", "guards/slots"], libraries: [] },
  { entry: "guards/registry", ours: ["guards"], libraries: [] },
  { entry: "guards/slots", ours: ["guards"], libraries: [] },
  // Apart from the documents, because every repro loads the words to say how it went.
  { entry: "verdict/words", ours: [], libraries: [] },
  { entry: "verdict", ours: ["verdict/words"], libraries: [], lazily: ["zod"] },
  { entry: "verdict/vitest", ours: ["verdict", "verdict/words"], libraries: ["node:", "vitest"] },
  { entry: "file-commit", ours: ["ports"], libraries: [] },
  { entry: "file-commit/known-bad", ours: ["file-commit"], libraries: [] },
  { entry: "sim", ours: ["ports", "ports/watch"], libraries: ["memfs", "@sinonjs/fake-timers"] },
  // Many processes and the search's choices; a case that needs one process only does not load it.
  // Node's call shapes over the port, for libraries that were written for Node.
  { entry: "sim/node-fs", ours: ["ports"], libraries: ["node:"] },
  { entry: "sim/kernel", ours: ["ports", "ports/ledger-tables", "ports/watch", "sim"], libraries: ["memfs"] },
  { entry: "sim/node", ours: ["sim", "sim/kernel"], libraries: ["node:"] },
  { entry: "explore", ours: ["sim", "sim/kernel"], libraries: [] },
  { entry: "repro", ours: ["sim", "verdict/words"], libraries: [] },
  { entry: "repro/node", ours: ["repro", "sim", "verdict/words"], libraries: ["node:"] },
  { entry: "repro/vitest", ours: ["repro", "sim", "verdict"], libraries: ["vitest"] },
  { entry: "registry", ours: ["ports", "file-commit", "registry/judge"], libraries: ["zod"] },
  { entry: "registry/judge", ours: [], libraries: ["zod"] },
  { entry: "registry/stores", ours: ["ports", "registry", "registry/judge"], libraries: [] },
  { entry: "registry/known-bad", ours: ["registry", "registry/judge"], libraries: [] },
  {
    entry: "scheduler",
    ours: ["ports", "file-commit", "registry", "registry/judge", "scheduler/judge"],
    libraries: ["croner"],
  },
  // Slots are judged from a task and a cron expression; both belong to the pure half.
  { entry: "scheduler/judge", ours: ["registry/judge"], libraries: ["croner"] },
  { entry: "scheduler/known-bad", ours: ["scheduler", "scheduler/judge"], libraries: [] },
  { entry: "dispatcher", ours: ["ports", "ports/watch", "file-commit", "dispatcher/judge"], libraries: [] },
  { entry: "dispatcher/judge", ours: [], libraries: ["zod"] },
  { entry: "dispatcher/known-bad", ours: ["dispatcher", "dispatcher/judge"], libraries: [] },
  // Scenarios and rules of dispatch: for the tests of the model, for `casebook test --suite dispatch`, and for who brings a dispatcher.
  {
    entry: "dispatch-suite",
    ours: ["dispatch-suite/faults", "dispatcher", "dispatcher/judge", "dispatcher/known-bad", "explore", "file-commit", "guards", "ports", "receipt-reader", "sim", "sim/kernel", "verdict"],
    libraries: ["memfs"],
  },
  // Words and numbers, and the faults that are armed where every dispatcher comes by: for the suite, and for the kit.
  { entry: "dispatch-suite/faults", ours: ["sim/kernel"], libraries: [] },
  // Knows no model, only the words that ours are held to: whoever brings a dispatcher is handed the world, the search and the guards.
  { entry: "conformance", ours: ["dispatch-suite/faults", "ports", "sim", "sim/kernel", "explore", "guards", "receipt-reader/rules", "supervisor/rules", "verdict", "verdict/words"], libraries: [], lazily: ["zod"] },
  { entry: "conformance/node", ours: ["conformance", "ports", "sim", "sim/kernel", "sim/node", "explore", "verdict/words"], libraries: ["node:"] },
  { entry: "conformance/examples", ours: ["conformance"], libraries: [] },
  { entry: "conformance/vitest", ours: ["conformance", "conformance/node"], libraries: ["vitest"] },
  { entry: "supervisor", ours: ["ports", "supervisor/judge", "supervisor/rules"], libraries: [] },
  // What any supervisor is asked, ours and a stranger's: apart, so that the kit packs no supervisor.
  { entry: "supervisor/rules", ours: [], libraries: [] },
  { entry: "supervisor/judge", ours: ["ports", "supervisor/rules"], libraries: ["zod"] },
  { entry: "supervisor/known-bad", ours: ["supervisor", "supervisor/rules"], libraries: [] },
  // The suite as data with its player: what the command line and a conformance kit run. The reader asks the guards.
  { entry: "supervisor/scenarios", ours: ["ports", "sim/kernel", "guards", "supervisor", "supervisor/judge", "supervisor/known-bad", "supervisor/rules"], libraries: [] },
  { entry: "receipt-reader", ours: ["ports", "file-commit", "receipt-reader/judge"], libraries: [] },
  // Lines are split and counted here without the registry's check of JSON: the table lets no judging half see another model's.
  { entry: "receipt-reader/judge", ours: [], libraries: [] },
  // Sentences and nothing else: for our own log, and for the kit that asks others the same.
  { entry: "receipt-reader/rules", ours: [], libraries: [] },
  { entry: "receipt-reader/known-bad", ours: ["ports", "receipt-reader", "receipt-reader/judge", "receipt-reader/rules"], libraries: [] },
  {
    entry: "doctor",
    ours: ["guards", "verdict", "registry/judge", "scheduler/judge", "scheduler", "receipt-reader/judge", "dispatcher/judge", "supervisor/judge"],
    // Two cron engines, because a finding about a change of the clocks shows what each would do.
    libraries: ["croner", "cron-parser", "yaml"],
    lazily: ["zod"],
  },
  { entry: "doctor/node", ours: ["doctor"], libraries: ["node:"] },
  {
    entry: "cli",
    ours: ["conformance", "conformance/node", "doctor", "doctor/node", "guards", "verdict", "verdict/words", "verdict/vitest", "repro", "repro/node", "repro/vitest", "explore", "sim", "sim/kernel", "sim/node", "ports", ...EVERY_MODEL, "supervisor/scenarios", "dispatch-suite"],
    libraries: ["node:", "commander", "vitest"],
    lazily: ["zod"],
  },
  // A case prepares its disk as a memfs volume, hence memfs.
  {
    entry: "incidents",
    ours: ["ports", "ports/watch", "file-commit", "file-commit/known-bad", "sim", "sim/kernel", "explore", "guards", "guards/registry", "guards/slots", "verdict", "repro", "repro/node", "dispatch-suite", ...EVERY_MODEL, "supervisor/scenarios"],
    libraries: ["memfs"],
  },
];

/** What tests and benchmarks may import beyond the row of the entry they stand in: anything of ours but another case. */
export const TEST_LIBRARIES: readonly string[] = ["node:", "vitest", "fast-check", "cron-parser", "memfs", "yaml", "zod"];
