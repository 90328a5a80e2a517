/**
 * Generated operation sequences: the same one on the disk under test and on an oracle, which is a real temporary
 * directory, gives the same answers, the same errors and the same tree. Few names, so that operations meet each other.
 */
import fc from "fast-check";
import type { Disk, OpenFlags } from "../disk.ts";
import type { ContractCase, MakePort } from "./contract.ts";
import { expectSameAnswers, playScript, type DiskStep } from "./disk-script.ts";

export interface SequenceOptions {
  /** Makes the disk to compare with; fresh and empty each time. */
  readonly makeOracle: MakePort<Disk>;
  /** Whole number; a run of the tests is the same every time. */
  readonly seed: number;
  readonly sequences: number;
  readonly stepsPerSequence: number;
  /** Told the oracle's answer to every generated step, for those who want to know what was reached. */
  readonly onAnswer?: ((step: DiskStep, answer: string) => void) | undefined;
}

export function diskSequences(options: SequenceOptions): ContractCase<Disk> {
  return {
    name: `answers ${options.sequences} generated sequences as the oracle does, errors included`,
    async run(makePort) {
      const compare = async (steps: readonly DiskStep[]): Promise<void> => {
        const script = [...PRELUDE, ...steps];
        const expected = await playScript(await options.makeOracle(), script);
        const seen = await playScript(await makePort(), script);
        for (const [index, played] of steps.entries()) options.onAnswer?.(played, expected[PRELUDE.length + index]!);
        expectSameAnswers(script, seen, expected);
      };
      const minLength = Math.floor(options.stepsPerSequence / 2);
      const sequence = fc.array(step, { minLength, maxLength: options.stepsPerSequence, size: "max" });
      // Failures print the shrunk steps; those are kept as examples in `disk.ts`, because a seed dies with the generator.
      await fc.assert(fc.asyncProperty(sequence, compare), { seed: options.seed, numRuns: options.sequences });
    },
  };
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

/** 255 bytes are allowed in a name and 256 are not; one to four bytes a character, because bytes count and not characters. */
const LONG_NAMES = [
  ...["x".repeat(255), "x".repeat(256)],
  ...[`${"é".repeat(127)}x`, "é".repeat(128)],
  ...["€".repeat(85), `${"€".repeat(85)}x`],
  ...[`${"😀".repeat(63)}xxx`, "😀".repeat(64)],
];

/**
 * 4096 bytes, one too many, in names that are allowed each by itself; then as long as a real disk can take that has a
 * temporary directory in front, which leads nowhere; then the same two by way of dots, which lead to what is there.
 */
const LONG_PATHS = [
  `/${"y".repeat(255)}`.repeat(16),
  `/${"y".repeat(255)}`.repeat(15),
  `${"/.".repeat(2047)}/a`,
  `${"/.".repeat(1900)}/a`,
  `${"/a/..".repeat(700)}/c`,
];

const plainName = fc.constantFrom("a", "b", "c");
const name = fc.oneof(
  { weight: 40, arbitrary: plainName },
  { weight: 2, arbitrary: fc.constantFrom(...LONG_NAMES) },
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
  { weight: 1, arbitrary: fc.constantFrom("", "/", "a", "./a", ...LONG_PATHS) },
);

const flags = fc.constantFrom<OpenFlags[]>("r", "r+", "w", "w+", "wx", "wx+", "a", "a+", "ax", "ax+");
const slot = fc.nat(2);
const position = fc.oneof(
  { weight: 9, arbitrary: fc.nat(12) },
  { weight: 1, arbitrary: fc.constantFrom(-1, 0.5, 70_000, Infinity) },
);

/** Where renames are refused: onto itself, into itself, over what it is in, and to what is in it. */
const related = fc
  .tuple(plainPath, plainName, fc.constantFrom("same", "into", "over", "dot", "beside"), fc.boolean())
  .map(([start, last, how, slash]) => {
    const other = { same: start, into: `${start}/${last}`, over: start.replace(/\/[^/]*$/, "") || "/", dot: `${start}/.`, beside: `${start}/../${last}` };
    return { from: slash ? `${start}/` : start, to: other[how] };
  });
const renamed = fc.oneof(
  { weight: 4, arbitrary: fc.record({ from: path, to: path }) },
  { weight: 2, arbitrary: related },
  { weight: 1, arbitrary: related.map(({ from, to }) => ({ from: to, to: from })) },
);

const step: fc.Arbitrary<DiskStep> = fc.oneof(
  { weight: 9, arbitrary: fc.record({ do: fc.constant("open" as const), slot, path, flags }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("mkdir" as const), path }) },
  { weight: 8, arbitrary: renamed.map(({ from, to }) => ({ do: "rename" as const, from, to })) },
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
