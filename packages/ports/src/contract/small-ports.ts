/** Contracts of the ports that are one function each: ids, log, faults. */
import type { Faults } from "../faults.ts";
import type { Ids } from "../ids.ts";
import type { Log, LogEntry } from "../log.ts";
import { expectEqual, type ContractCase } from "./contract.ts";

export const idsContract: readonly ContractCase<Ids>[] = [
  {
    name: "starts an id with its prefix and a dash, and uses letters, digits and dashes only",
    async run(makePort) {
      const id = (await makePort()).next("attempt");
      expectEqual(/^attempt-[A-Za-z0-9-]+$/.test(id), true, `next("attempt") answered ${id}`);
    },
  },
  {
    name: "never gives the same id twice, whatever the prefix",
    async run(makePort) {
      const ids = await makePort();
      // Prefixes that could run into each other if the number were counted per prefix and glued on.
      const prefixes = ["a", "a-0", "a-0001", "b"];
      const given = new Set<string>();
      for (let round = 0; round < 250; round += 1) for (const prefix of prefixes) given.add(ids.next(prefix));
      expectEqual(given.size, 1000, "different ids among 1000");
    },
  },
];

/** A log, and what has arrived where it writes to. */
export interface ReadableLog {
  readonly log: Log;
  entries(): readonly LogEntry[];
}

export const logContract: readonly ContractCase<ReadableLog>[] = [
  {
    name: "keeps level, event and facts, in the order they were written",
    async run(makePort) {
      const { log, entries } = await makePort();
      log.write("info", "registry.file-read", { path: "/tasks.json", bytes: 12, complete: true, error: null });
      log.write("error", "registry.file-rejected");
      expectEqual(
        entries().map(({ level, event, facts }) => [level, event, facts]),
        [
          ["info", "registry.file-read", { path: "/tasks.json", bytes: 12, complete: true, error: null }],
          ["error", "registry.file-rejected", {}],
        ],
        "entries",
      );
    },
  },
  {
    name: "keeps what was written although the writer changes the facts afterwards",
    async run(makePort) {
      const { log, entries } = await makePort();
      const facts = { loaded: 6 };
      log.write("warning", "registry.loaded", facts);
      facts.loaded = 0;
      expectEqual(entries()[0]?.facts, { loaded: 6 }, "facts");
    },
  },
];

export const faultsContract: readonly ContractCase<Faults>[] = [
  {
    name: "lets everybody pass a moment at which nothing is armed, as often as it is reached",
    async run(makePort) {
      const faults = await makePort();
      const answers = [await faults.reach("dispatcher.after-intent"), await faults.reach("dispatcher.after-intent")];
      expectEqual(answers, [undefined, undefined], "answers");
    },
  },
];
