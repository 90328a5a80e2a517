/**
 * Generated sequences of calls of `node:fs`, in both shapes, played by Node's on a real directory and by ours on the disk of a world.
 * Few names, so that they meet each other.
 */
import * as realFs from "node:fs";
import { constants } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWorld } from "@casebook/sim";
import fc from "fast-check";
import { type CallStep, playCalls, SLOTS } from "./call-script.fixture.ts";
import { createNodeFs, type NodeFs } from "./index.ts";

/** `play` answers the first step that differed, or nothing; `spoil` changes ours, to see it found. `close` takes the directories away. */
export function createComparison(spoil: (fs: NodeFs) => NodeFs = (fs) => fs) {
  const base = realFs.mkdtempSync(join(tmpdir(), "casebook-node-fs-"));
  const reached = new Set<string>();
  return {
    /** Codes that Node answered with. */
    reached,
    async play(steps: readonly CallStep[]): Promise<string> {
      const script = [...PRELUDE, ...steps];
      const root = realFs.mkdtempSync(join(base, "run-"));
      const expected = await playCalls(realFs, root, script);
      realFs.rmSync(root, { recursive: true });
      for (const line of expected) reached.add(/^ERR_\w+$|(?<="code":")\w+/.exec(line)?.[0] ?? "an answer");
      const seen = await playCalls(spoil(createNodeFs(createWorld({ seed: 1, epoch: 0 }).ports.disk)), "", script);
      const at = expected.findIndex((line, index) => line !== seen[index]);
      if (at === -1) return seen.length === expected.length ? "" : `the world is left with ${seen.slice(expected.length).join(", ")}`;
      return `${JSON.stringify(script[at] ?? "tree")}: Node says ${expected[at]}, the world says ${seen[at]}`;
    },
    close: () => realFs.rmSync(base, { recursive: true }),
  };
}

export async function compareMany(play: (steps: readonly CallStep[]) => Promise<string>, seed: number, runs: number): Promise<void> {
  const property = fc.asyncProperty(callSequences(30), async (steps) => {
    const difference = await play(steps);
    if (difference !== "") throw new Error(difference);
  });
  await fc.assert(property, { seed, numRuns: runs });
}

const name = fc.constantFrom("a", "b", "c");
const path = fc
  .tuple(fc.array(name, { minLength: 1, maxLength: 3 }), fc.oneof({ weight: 10, arbitrary: fc.constant("") }, { weight: 1, arbitrary: fc.constantFrom("/", "/.", "/..", "/../a", `/${"x".repeat(256)}`) }))
  .map(([names, tail]) => `/${names.join("/")}${tail}`);
const { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND, O_DIRECTORY } = constants;
const flags = fc.constantFrom<(string | number | undefined)[]>(
  ...(["r", "r+", "w", "w+", "wx", "wx+", "xw", "a", "a+", "ax", "ax+", undefined, "nonsense"] as const),
  O_RDONLY,
  O_RDWR,
  O_RDONLY | O_DIRECTORY,
  O_WRONLY | O_CREAT | O_TRUNC,
  O_RDWR | O_CREAT | O_EXCL,
  O_WRONLY | O_CREAT | O_APPEND,
);
const bytes = fc.uint8Array({ min: 1, maxLength: 6 });
/** The disk port answers an empty read without asking, and Node asks in this one call. */
const someBytes = fc.uint8Array({ min: 1, minLength: 1, maxLength: 6 });
const text = fc.constantFrom("", "é", "text");
const position = fc.constantFrom<(number | null | undefined)[]>(null, undefined, 0, 3, 9, -1);
/** Where to read at no whole number Node refuses behind a callback only, and ours always; where to write it lets pass. */
const positionOfWrite = fc.oneof({ weight: 6, arbitrary: position }, { weight: 1, arbitrary: fc.constantFrom(1.5, -7) });
const encoding = fc.constantFrom<(string | undefined)[]>(undefined, "utf8", "hex", "nonsense");
const place = fc.nat(4);

const of = (call: string, ...given: fc.Arbitrary<unknown>[]): fc.Arbitrary<Omit<CallStep, "shape">> => fc.tuple(...given).map((values) => ({ call, given: values as unknown[] }));
const onSlot = (call: string, ...given: fc.Arbitrary<unknown>[]): fc.Arbitrary<Omit<CallStep, "shape">> => fc.tuple(fc.nat(SLOTS - 1), ...given).map(([slot, ...values]) => ({ call, slot: slot as number, given: values as unknown[] }));

const call = fc.oneof(
  { weight: 10, arbitrary: onSlot("open", path, flags) },
  { weight: 3, arbitrary: onSlot("close") },
  { weight: 6, arbitrary: onSlot("read", bytes, place, place, position) },
  { weight: 1, arbitrary: onSlot("read", fc.record({ buffer: bytes, position })) },
  { weight: 6, arbitrary: onSlot("write", bytes, place, place, positionOfWrite) },
  { weight: 2, arbitrary: onSlot("write", bytes) },
  { weight: 1, arbitrary: onSlot("write", bytes, fc.record({ offset: place, position: positionOfWrite })) },
  { weight: 3, arbitrary: onSlot("write", text, positionOfWrite, fc.constantFrom(undefined, "utf8", "latin1")) },
  { weight: 1, arbitrary: onSlot("writev", fc.array(bytes, { minLength: 1, maxLength: 3 }), fc.constantFrom(null, 2)) },
  { weight: 1, arbitrary: onSlot("readv", fc.array(someBytes, { minLength: 1, maxLength: 3 }), fc.constantFrom(null, 2)) },
  { weight: 2, arbitrary: onSlot("ftruncate", fc.constantFrom(undefined, 0, 2, 8, -1)) },
  { weight: 2, arbitrary: onSlot("fstat") },
  { weight: 2, arbitrary: fc.oneof(onSlot("fsync"), onSlot("fdatasync"), onSlot("fchmod", fc.constant(0o755))) },
  { weight: 2, arbitrary: onSlot("readFile", encoding) },
  { weight: 2, arbitrary: onSlot("writeFile", fc.oneof(bytes, text)) },
  { weight: 1, arbitrary: onSlot("appendFile", text) },
  { weight: 5, arbitrary: of("rename", path, path) },
  { weight: 3, arbitrary: of("unlink", path) },
  { weight: 4, arbitrary: of("mkdir", path) },
  { weight: 3, arbitrary: of("mkdir", path, fc.constant({ recursive: true })) },
  { weight: 2, arbitrary: of("rmdir", path.map(notAbove)) },
  { weight: 3, arbitrary: of("rm", path.map(notAbove), fc.constantFrom({}, { recursive: true }, { force: true }, { recursive: true, force: true })) },
  { weight: 3, arbitrary: of("readdir", path, fc.constantFrom({}, { withFileTypes: true }, "utf8")) },
  { weight: 4, arbitrary: fc.oneof(of("stat", path), of("lstat", path), of("realpath", path), of("readlink", path)) },
  { weight: 2, arbitrary: of("access", path, fc.constantFrom(undefined, constants.R_OK, constants.W_OK)) },
  { weight: 4, arbitrary: of("readFile", path, encoding) },
  { weight: 5, arbitrary: of("writeFile", path, fc.oneof(bytes, text), fc.oneof(encoding, fc.record({ flag: flags }), fc.constant({ mode: 0o600, flag: "wx" }))) },
  { weight: 3, arbitrary: of("appendFile", path, fc.oneof(bytes, text)) },
  { weight: 3, arbitrary: of("copyFile", path, path, fc.constantFrom(undefined, 0, constants.COPYFILE_EXCL)) },
  { weight: 2, arbitrary: of("truncate", path, fc.constantFrom(undefined, 2)) },
  { weight: 1, arbitrary: of("chmod", path, fc.constant(0o755)) },
);

/** Node 20 swallows the error when `readFile` of a descriptor fails behind a callback; ours tells it, so the two are not compared. */
const isSwallowed = ({ call: name, slot }: Omit<CallStep, "shape">): boolean => name === "readFile" && slot !== undefined;

/** The real root stands in a directory, and must not be what is removed. */
function notAbove(given: string): string {
  return given.replace(/\.\.$/, ".");
}

const step: fc.Arbitrary<CallStep> = fc
  .tuple(fc.constantFrom("callback" as const, "promises" as const), call)
  .map(([shape, rest]) => ({ shape: isSwallowed(rest) ? "promises" : shape, ...rest }));

const callSequences = (steps: number): fc.Arbitrary<CallStep[]> => fc.array(step, { minLength: 1, maxLength: steps, size: "max" });

/** Something to work on: from an empty disk most of it is ENOENT. */
const PRELUDE: readonly CallStep[] = [
  { shape: "callback", call: "mkdir", given: ["/a/a", { recursive: true }] },
  { shape: "promises", call: "mkdir", given: ["/b"] },
  { shape: "callback", call: "writeFile", given: ["/c", "12345"] },
  { shape: "promises", call: "open", slot: 0, given: ["/c", "r+"] },
  { shape: "callback", call: "open", slot: 0, given: ["/a/b", "a+"] },
  { shape: "callback", call: "open", slot: 1, given: ["/a", "r"] },
  { shape: "promises", call: "open", slot: 1, given: ["/b/c", "w+"] },
];
