/** The oracle is Node's own `node:fs` in a temporary directory: the same calls, the same answers and the same errors. */
import { constants } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import type { CallStep } from "./call-script.fixture.ts";
import { compareMany, createComparison } from "./call-sequences.fixture.ts";

const comparison = createComparison();
afterAll(() => comparison.close());

const by = (shape: CallStep["shape"], call: string, ...given: unknown[]): CallStep => ({ shape, call, given });
const on = (shape: CallStep["shape"], slot: number, call: string, ...given: unknown[]): CallStep => ({ shape, slot, call, given });

describe("node:fs over the disk of a world", () => {
  it("answers generated calls as Node does on a real directory, errors and their texts included", { timeout: 60_000 }, async () => {
    await compareMany(comparison.play, 20260301, 60);
    // A generator that no longer gets there compares nothing.
    expect([...comparison.reached].sort()).toEqual([
      "EBADF",
      "EBUSY",
      "EEXIST",
      "EINVAL",
      "EISDIR",
      "ENAMETOOLONG",
      "ENOENT",
      "ENOTDIR",
      "ENOTEMPTY",
      "ERR_FS_EISDIR",
      "ERR_INVALID_ARG_VALUE",
      "ERR_OUT_OF_RANGE",
      "an answer",
    ]);
  });

  // Each was a difference once: a seed dies with its generator, and an example does not.
  it.each<[string, ...CallStep[]]>([
    ["an empty write is asked for behind a callback only", by("callback", "writeFile", "/c", "", { flag: "r" }), by("promises", "writeFile", "/c", "", { flag: "r" })],
    ["no flag and the flag 0 are the same to writeFile", by("callback", "writeFile", "/c", "new", { flag: 0 })],
    ["a copy that fails takes its goal away", by("callback", "copyFile", "/a", "/a/b")],
    ["a file copied onto itself stays", by("callback", "copyFile", "/c", "/b/../c"), by("callback", "copyFile", "/c", "/c/"), by("promises", "copyFile", "/b", "/b")],
    ["a directory that cannot be removed keeps what is in it", by("callback", "rm", "/a/.", { recursive: true, force: true }), by("callback", "rm", "/b/a/..", { recursive: true })],
    ["a directory goes with all that is in it", by("callback", "rm", "/a", { recursive: true })],
    ["what has to be a directory is none", by("callback", "writeFile", "/a/b", "", { flag: constants.O_RDONLY | constants.O_DIRECTORY }), by("callback", "mkdir", "/c/", { recursive: true }), by("promises", "mkdir", "/c/d", { recursive: true })],
    ["a last append is where the next read begins", on("callback", 0, "write", "x"), on("callback", 0, "ftruncate", 9), on("callback", 0, "read", Uint8Array.of(1, 2), 0, 2, null)],
    ["an empty append moves nothing", on("callback", 0, "writeFile", ""), on("callback", 0, "ftruncate", 2), on("callback", 0, "read", Uint8Array.of(1), 0, 1, null)],
    ["a path is made plain", by("callback", "realpath", "/a/../b/./c"), by("promises", "realpath", "/missing/../b"), by("callback", "realpath", "/missing/../b")],
  ])("answers as Node does: %s", async (_what, ...steps) => {
    expect(await comparison.play(steps)).toBe("");
  });

  it("is told apart from Node when one answer differs", async () => {
    const spoilt = createComparison((fs) => ({ ...fs, rmdir: ((_path: string, callback: () => void) => callback()) as typeof fs.rmdir }));
    await expect(compareMany(spoilt.play, 1, 40)).rejects.toThrow(/Property failed after/);
    spoilt.close();
  });
});
