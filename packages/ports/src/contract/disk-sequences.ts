/**
 * Generated operation sequences: the same one on the disk under test and on an oracle, which is a real temporary
 * directory, gives the same answers, the same errors and the same tree. Few names, so that operations meet each other.
 */
import fc from "fast-check";
import type { Disk, OpenFlags } from "../disk.ts";
import { expectEqual, type ContractCase, type MakePort } from "./contract.ts";
import { playScript, type DiskStep } from "./disk-script.ts";

export interface SequenceOptions {
  /** Makes the disk to compare with; fresh and empty each time. */
  readonly makeOracle: MakePort<Disk>;
  /** Whole number; a run of the tests is the same every time. */
  readonly seed: number;
  readonly sequences: number;
  readonly stepsPerSequence: number;
  /** Told the answer to every step, for those who want to know what was reached. */
  readonly onLine?: ((line: string) => void) | undefined;
}

export function diskSequences(options: SequenceOptions): ContractCase<Disk> {
  return {
    name: `answers ${options.sequences} generated sequences as the oracle does, errors included`,
    async run(makePort) {
      const compare = async (steps: readonly DiskStep[]): Promise<void> => {
        const script = [...PRELUDE, ...steps];
        const expected = await playScript(await options.makeOracle(), script);
        const seen = await playScript(await makePort(), script);
        for (const line of expected) options.onLine?.(line);
        expectSameAnswers(script, seen, expected);
      };
      const minLength = Math.floor(options.stepsPerSequence / 2);
      const sequence = fc.array(step, { minLength, maxLength: options.stepsPerSequence, size: "max" });
      // Failures print the shrunk steps; those are kept as examples in `disk.ts`, because a seed dies with the generator.
      await fc.assert(fc.asyncProperty(sequence, compare), { seed: options.seed, numRuns: options.sequences });
    },
  };
}

function expectSameAnswers(script: readonly DiskStep[], seen: readonly string[], expected: readonly string[]): void {
  const differing = expected.findIndex((line, index) => line !== seen[index]);
  const step = script[differing];
  const what = step === undefined ? "tree after the steps" : `step ${differing} ${JSON.stringify(step)}`;
  if (differing !== -1) expectEqual(seen[differing], expected[differing], what);
  expectEqual(seen.length, expected.length, "lines in the tree after the steps");
}

/** Something to work on: from an empty disk most of what can be generated is ENOENT. */
const PRELUDE: readonly DiskStep[] = [
  { do: "mkdir", path: "/a" },
  { do: "mkdir", path: "/a/a" },
  { do: "mkdir", path: "/b" },
  { do: "open", slot: 0, path: "/c", flags: "w+" },
  { do: "write", slot: 0, bytes: [1, 2, 3, 4, 5], position: undefined },
  { do: "open", slot: 1, path: "/a/b", flags: "a+" },
  { do: "open", slot: 2, path: "/a", flags: "r" },
];

/** 255 bytes are allowed in a name and 256 are not; the second pair counts bytes and not characters. */
const LONG_NAMES = ["x".repeat(255), "x".repeat(256), `${"é".repeat(127)}x`, "é".repeat(128)];

/** Beyond 4095 bytes, in names that are allowed each by itself. */
const TOO_LONG_PATH = `/${"y".repeat(255)}`.repeat(16);

const plainName = fc.constantFrom("a", "b", "c");
const name = fc.oneof(
  { weight: 40, arbitrary: plainName },
  { weight: 1, arbitrary: fc.constantFrom(...LONG_NAMES) },
  { weight: 2, arbitrary: fc.constantFrom(".", "..", "") },
  // Half a surrogate pair, a NUL, and names that are special elsewhere but not here.
  { weight: 1, arbitrary: fc.constantFrom("\ud800", "\ufffd", "n\0l", "back\\slash", "new\nline", "__proto__") },
);
const end = fc.oneof(
  { weight: 12, arbitrary: fc.constant("") },
  { weight: 1, arbitrary: fc.constantFrom("/", "/.", "/..", "//") },
);
const plainPath = fc
  .oneof(
    { weight: 3, arbitrary: fc.tuple(plainName) },
    { weight: 3, arbitrary: fc.tuple(plainName, plainName) },
    { weight: 1, arbitrary: fc.tuple(plainName, plainName, plainName) },
  )
  .map((names) => `/${names.join("/")}`);
const oddPath = fc
  .tuple(fc.array(name, { minLength: 1, maxLength: 4 }), end)
  .map(([names, tail]) => `/${names.join("/")}${tail}`);
const path = fc.oneof(
  { weight: 30, arbitrary: plainPath },
  { weight: 12, arbitrary: oddPath },
  { weight: 1, arbitrary: fc.constantFrom("", "/", "a", "./a", TOO_LONG_PATH) },
);

const flags = fc.constantFrom<OpenFlags[]>("r", "r+", "w", "w+", "wx", "wx+", "a", "a+", "ax", "ax+");
const slot = fc.nat(2);
const position = fc.oneof({ weight: 9, arbitrary: fc.nat(12) }, { weight: 1, arbitrary: fc.constantFrom(-1, 70_000) });

const step: fc.Arbitrary<DiskStep> = fc.oneof(
  { weight: 9, arbitrary: fc.record({ do: fc.constant("open" as const), slot, path, flags }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("mkdir" as const), path }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("rename" as const), from: path, to: path }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("unlink" as const), path }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("rmdir" as const), path: path.map(belowRoot) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("readdir" as const, "stat" as const), path }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("syncDirectory" as const), path }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("read" as const), slot, length: position, position }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("write" as const),
      slot,
      bytes: fc.array(fc.integer({ min: 1, max: 255 }), { maxLength: 6 }),
      position: fc.option(position, { nil: undefined }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("truncate" as const), slot, size: position }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("fstat" as const, "close" as const), slot }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("sync" as const), slot }) },
);

/** Removing `..` of the root cannot be tried under a temporary directory, whose `..` is a different one. */
function belowRoot(path: string): string {
  return path.replace(/\.\.\/*$/, ".");
}
