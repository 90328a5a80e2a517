import { describe, expect, it } from "vitest";
import { memoryTree } from "../trees/memory-tree.ts";
import { TreeError } from "../trees/tree-error.ts";
import type { Tree } from "../tree.ts";
import { readJsonFile } from "./json-file.ts";
import { positionOfPointer, placesIn } from "./json-places.ts";
import { valueAt } from "./pointer.ts";
import { readMany } from "./read-many.ts";
import { readStable } from "./read-stable.ts";

const PATH = "/tasks.json";

/** A tree whose file is another one at each reading; `read` decides what the bytes come from. */
function changing(versions: readonly string[]): { tree: Tree; reads: () => number } {
  let reads = 0;
  const version = () => memoryTree({ [PATH]: { content: versions[Math.min(reads, versions.length - 1)] ?? "", modifiedAtMs: reads } });
  return {
    reads: () => reads,
    tree: {
      list: (path) => version().list(path),
      stat: (path) => version().stat(path),
      readRange: async (path, offset, length) => {
        const bytes = await version().readRange(path, offset, length);
        if (reads < versions.length - 1) reads += 1;
        return bytes;
      },
    },
  };
}

describe("reading a file that someone writes", () => {
  it("reads again until it held still, with a pause before each new attempt", async () => {
    const { tree, reads } = changing(["[1", "[1,2", "[1,2,3]"]);
    let pauses = 0;
    const read = await readStable(tree, PATH, { pause: async () => void (pauses += 1) });
    expect(read).toMatchObject({ outcome: "read", bytes: new TextEncoder().encode("[1,2,3]") });
    expect([reads(), pauses]).toEqual([2, 2]);
  });

  it("sees a change that keeps the length by its time", async () => {
    const { tree } = changing(["[1]", "[2]"]);
    expect(await readStable(tree, PATH)).toMatchObject({ bytes: new TextEncoder().encode("[2]") });
  });

  it("gives up on one that never holds still, and says so", async () => {
    const { tree } = changing(["1", "22", "333", "4444", "55555", "666666"]);
    expect(await readStable(tree, PATH)).toEqual({
      outcome: "not-read",
      notRead: {
        what: PATH,
        reason: "unstable-input",
        message: "/tasks.json changed during each of 4 reads; run again when its writer is quiet",
        evidence: {},
      },
    });
  });

  it("answers for a file that vanished between the look and the reading", async () => {
    const tree = memoryTree({ [PATH]: "[]" });
    const vanishing: Tree = { ...tree, readRange: async (path) => Promise.reject(new TreeError("ENOENT", "read", path)) };
    expect(await readStable(vanishing, PATH)).toMatchObject({
      notRead: { reason: "missing-input", message: "/tasks.json is not there (any more) (ENOENT)" },
    });
  });

  it("names size and limit of a file that is too large, without reading it", async () => {
    const tree = memoryTree({ [PATH]: "[1,2,3]" });
    const unread: Tree = { ...tree, readRange: async () => Promise.reject(new Error("read all the same")) };
    expect(await readStable(unread, PATH, { maxBytes: 6 })).toMatchObject({
      notRead: { reason: "unsupported", message: "/tasks.json has 7 bytes, more than the 6 that may be read" },
    });
  });

  it("reads a file of several chunks whole", async () => {
    const bytes = new Uint8Array(2_500_000).map((_, index) => index % 251);
    const read = await readStable(memoryTree({ "/big": bytes }), "/big");
    expect(read.outcome === "read" && read.bytes.every((byte, index) => byte === index % 251)).toBe(true);
  });

  it("throws what is no refusal of a tree, because it is a defect and no answer", async () => {
    const tree = memoryTree({ [PATH]: "[]" });
    const broken: Tree = { ...tree, stat: () => Promise.reject(new TypeError("a defect")) };
    await expect(readStable(broken, PATH)).rejects.toThrow("a defect");
  });
});

describe("a JSON file", () => {
  const TEXT = '\uFEFF{\n  "tasks": [\n    { "id": "a", "a/b~c": 1 },\n    { "id": "b", "id": "c" }\n  ]\n}';

  async function parsed() {
    const file = await readJsonFile(memoryTree({ [PATH]: TEXT }), PATH);
    if (file.outcome !== "read") throw new Error(file.outcome);
    return file;
  }

  it("says where the value of a pointer stands, of a repeated key the one that counts", async () => {
    const { document, value } = await parsed();
    expect(positionOfPointer(document, "")).toEqual({ line: 1, column: 1 });
    expect(positionOfPointer(document, "/tasks/0/a~1b~0c")).toEqual({ line: 3, column: 27 });
    expect(positionOfPointer(document, "/tasks/1/id")).toEqual({ line: 4, column: 24 });
    expect(valueAt(value, "/tasks/1/id")).toBe("c");
    expect(document.duplicateKeys).toHaveLength(1);
  });

  it("answers the nearest place above what is not there", async () => {
    const places = placesIn((await parsed()).document, PATH);
    expect(places.positionOf("/tasks/1/fireAt")).toBeUndefined();
    expect(places.placeOf("/tasks/1/fireAt")).toEqual({ path: PATH, line: 4, column: 5, pointer: "/tasks/1" });
    expect(places.placeOf("/tasks/9")).toEqual({ path: PATH, line: 2, column: 12, pointer: "/tasks" });
  });

  it("knows own members only", () => {
    const value = JSON.parse('{"list":[1],"__proto__":{"own":2}}');
    expect(valueAt(value, "/list/0")).toBe(1);
    expect(valueAt(value, "list/0")).toBe(1);
    for (const pointer of ["/constructor", "/list/length", "/list/00", "/list/-1", "/list/0/x", "/toString"]) {
      expect(valueAt(value, pointer)).toBeUndefined();
    }
    expect(valueAt(value, "/__proto__/own")).toBe(2);
    expect(valueAt({}, "/__proto__")).toBeUndefined();
  });

  it("says why and where it is none", async () => {
    expect(await readJsonFile(memoryTree({ [PATH]: '{\n"a": tru' }), PATH)).toMatchObject({
      outcome: "unreadable",
      problem: { code: "TRUNCATED", position: { line: 2, column: 9 } },
    });
  });
});

describe("many reads", () => {
  it("answers in order, with no more of them under way than allowed", async () => {
    let underWay = 0;
    let most = 0;
    const read = async (path: string) => {
      underWay += 1;
      most = Math.max(most, underWay);
      // The later ones finish first.
      for (let turns = 10 - Number(path); turns > 0; turns -= 1) await Promise.resolve();
      underWay -= 1;
      return path;
    };
    const paths = Array.from({ length: 10 }, (_, index) => String(index));
    expect(await readMany(paths, read, { atOnce: 3 })).toEqual({ answers: paths, left: 0 });
    expect(most).toBe(3);
  });

  it("says how many it left when the time was up", async () => {
    let now = 0;
    const read = async (path: string) => ((now += 1), path);
    expect(await readMany(["a", "b", "c"], read, { atOnce: 1, budget: { now: () => now, untilMs: 2 } })).toEqual({ answers: ["a", "b"], left: 1 });
  });
});
