import { describe, expect, it } from "vitest";
import { memoryTree, type FixtureContent } from "../trees/memory-tree.ts";
import type { Tree } from "../tree.ts";
import { collectJsonLines } from "./collect-json-lines.ts";
import { PIECE_BYTES } from "./pieces.ts";
import { scanJsonLines, type ScanOptions, type ScannedLines } from "./scan-json-lines.ts";

async function scanOf(content: FixtureContent, options: ScanOptions = {}) {
  const values: unknown[] = [];
  const scan = await scanJsonLines(memoryTree({ "/log.jsonl": content }), "/log.jsonl", ({ value }) => void values.push(value), options);
  if (scan.outcome !== "scanned") throw new Error(scan.notRead.message);
  expect(scan.parsed + scan.passedOver + scan.blank + scan.damagedLines).toBe(scan.lines);
  return { ...scan, values };
}

const bytesOf = (...parts: (string | number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? [...new TextEncoder().encode(part)] : part)));

const damagesOf = ({ damaged }: ScannedLines) =>
  damaged.map(({ code, line, byteOffset, goodLinesAfter }) => [code, line, byteOffset, goodLinesAfter]);

describe("scanning JSONL", () => {
  it("hands out one object a line, with its line and its byte", async () => {
    const seen: unknown[] = [];
    const tree = memoryTree({ "/log.jsonl": '{"a":"é"}\n\n{"b":2}\r\n{"c":3}' });
    const scan = await scanJsonLines(tree, "/log.jsonl", (line) => void seen.push(line));
    expect(seen).toEqual([
      { value: { a: "é" }, line: 1, byteOffset: 0 },
      { value: { b: 2 }, line: 3, byteOffset: 12 },
      { value: { c: 3 }, line: 4, byteOffset: 21 },
    ]);
    expect(scan).toMatchObject({ lines: 4, parsed: 3, blank: 1, damagedLines: 0, tail: "no-line-feed", reach: "whole" });
  });

  it("says what is wrong with each line, where, and how many good ones follow", async () => {
    const scan = await scanOf(
      bytesOf(
        [0xef, 0xbb, 0xbf], '{"n":1}\n',
        '{"n":2}{"n":3}\n',
        [0, 0, 0, 0], '{"n":4}\n',
        '{"n":"', [0xff], '"}\n',
        '{"n":5,\n',
        "[6]\n",
        "not json\n",
        '{"n":7}\n',
        '{"n":8',
      ),
    );
    expect(scan.values).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 7 }]);
    expect(damagesOf(scan)).toEqual([
      ["BOM", 1, 0, 2],
      ["GLUED", 2, 11, 1],
      ["NUL_RUN", 3, 26, 1],
      ["INVALID_UTF8", 4, 38, 1],
      ["TRUNCATED", 5, 48, 1],
      ["WRONG_SHAPE", 6, 56, 1],
      ["UNPARSEABLE", 7, 60, 1],
      ["TORN_TAIL", 9, 77, 0],
    ]);
    expect([scan.lines, scan.damagedLines, scan.tail]).toEqual([9, 7, "torn"]);
  });

  it("counts a line glued onto a fragment as one that cannot be read, because its start is lost", async () => {
    const scan = await scanOf('{"n":1}\n{"n":{"n":2}\n');
    expect(damagesOf(scan)).toEqual([["TRUNCATED", 2, 8, 0]]);
  });

  it("parses only lines with a needle, and still counts and roughly judges the others", async () => {
    const text = '{"x":1}\n{"jobId":"a"}\n{"x":"jobId"}\n{"torn":\n{"jobId":"b"}\n[1]\n';
    const scan = await scanOf(text, { needles: ['"jobId"', '"other"'] });
    expect(scan.values).toEqual([{ jobId: "a" }, { x: "jobId" }, { jobId: "b" }]);
    expect(damagesOf(scan).map(([code]) => code)).toEqual(["TRUNCATED", "WRONG_SHAPE"]);
    expect([scan.parsed, scan.passedOver, scan.damagedLines]).toEqual([3, 1, 2]);
  });

  it("reads lines that lie across pieces, wherever the border is", async () => {
    // Lines of 2 to 3 pieces and short ones between them, so that the border falls on every part of a line.
    const long = (n: number) => JSON.stringify({ n, pad: "x".repeat(2 * PIECE_BYTES + n * 7919) });
    const text = [0, 1, 2, 3].flatMap((n) => [long(n), JSON.stringify({ jobId: n })]).join("\n");
    expect((await scanOf(text)).values).toHaveLength(8);
    const scan = await scanOf(text, { needles: ['"jobId"'] });
    expect([scan.values, scan.passedOver]).toEqual([[{ jobId: 0 }, { jobId: 1 }, { jobId: 2 }, { jobId: 3 }], 4]);
  });

  it("answers the same however small the pieces are", async () => {
    const text = bytesOf([0xef, 0xbb, 0xbf], '{"a":1}\r\n\n{"b":"é"}{"c":3}\n', [0], '\n{"d":4}\n{"jobId":5}\n{"t');
    for (const needles of [undefined, ['"jobId"']]) {
      const options = needles === undefined ? {} : { needles };
      const whole = await scanOf(text, options);
      for (const size of [1, 2, 3, 5, 8]) {
        const tree = inPieces(memoryTree({ "/log.jsonl": text }), size);
        const values: unknown[] = [];
        const scan = await scanJsonLines(tree, "/log.jsonl", ({ value }) => void values.push(value), options);
        expect({ ...scan, values }).toEqual(whole);
      }
    }
  });

  it("skips and counts a line beyond the limit, in a piece and across pieces", async () => {
    const scan = await scanOf(`{"a":1}\n${"x".repeat(200)}\n{"b":2}\n${"y".repeat(PIECE_BYTES * 2)}\n{"c":3}`, { maxLineBytes: 100 });
    expect(scan.values).toEqual([{ a: 1 }, { b: 2 }, { c: 3 }]);
    expect(damagesOf(scan).map(([code, , , after]) => [code, after])).toEqual([
      ["TOO_LONG", 2],
      ["TOO_LONG", 1],
    ]);
  });

  it("leaves out the line that is cut when only the first bytes are wanted", async () => {
    const scan = await scanOf('{"a":1}\n{"b":2}\n', { firstBytes: 12 });
    expect([scan.values, scan.lines, scan.bytes, scan.reach, scan.tail]).toEqual([[{ a: 1 }], 1, 12, "first-bytes", "ended"]);
  });

  it("counts a line of another shape when its reader says so", async () => {
    const tree = memoryTree({ "/log.jsonl": '{"a":1}\n{"b":2}\n' });
    const { picked, scan } = await collectJsonLines(tree, "/log.jsonl", ({ value }) => ("a" in value ? value : "wrong-shape"));
    expect(picked).toEqual([{ a: 1 }]);
    expect(scan).toMatchObject({ parsed: 1, damagedLines: 1, damageCounts: { WRONG_SHAPE: 1 } });
  });

  it("lists the first hundred damages and counts them all", async () => {
    const scan = await scanOf("x\n".repeat(250));
    expect([scan.damaged.length, scan.damageCounts]).toEqual([100, { UNPARSEABLE: 250 }]);
  });

  it("calls an empty file empty", async () => {
    expect(await scanOf("")).toMatchObject({ lines: 0, parsed: 0, tail: "ended", values: [] });
  });

  it("answers for a file that is not there, not a file, or not to be read in the time there is", async () => {
    const tree = memoryTree({ "/folder/": "", "/log.jsonl": "{}\n" });
    const scan = async (path: string, options: ScanOptions = {}) => {
      const answer = await scanJsonLines(tree, path, () => undefined, options);
      return answer.outcome === "scanned" ? "scanned" : answer.notRead.reason;
    };
    expect(await scan("/gone")).toBe("missing-input");
    expect(await scan("/folder")).toBe("unsupported");
    expect(await scan("/log.jsonl", { budget: { now: () => 1, untilMs: 1 } })).toBe("timed-out");
  });
});

describe("scanning a file that moves", () => {
  it("reads a log that grows as far as it went, and does not call its last line torn", async () => {
    const { tree } = moving(['{"a":1}\n{"b"', '{"a":1}\n{"b":2}\n']);
    const { picked, scan } = await collectJsonLines(tree, "/log.jsonl", ({ value }) => value);
    expect(picked).toEqual([{ a: 1 }]);
    expect(scan).toMatchObject({ lines: 1, damagedLines: 0, tail: "growing" });
  });

  it("reads again when the file was replaced by a longer one, and mixes nothing", async () => {
    const { tree } = moving(['{"old":1}\n{"old":2}\n', '{"new":1}\n{"new":2}\n{"new":3}\n']);
    const { picked } = await collectJsonLines(tree, "/log.jsonl", ({ value }) => value);
    expect(picked).toEqual([{ new: 1 }, { new: 2 }, { new: 3 }]);
  });

  it("gives up on one that never holds still, and picks nothing", async () => {
    const { tree } = moving(["{}\n{}\n{}\n{}\n", "{}\n{}\n{}\n", "{}\n{}\n", "{}\n", "{}\n{}\n{}\n{}\n", "{}\n{}\n{}\n", "{}\n{}\n", "{}\n"]);
    let pauses = 0;
    const pause = async () => void (pauses += 1);
    const { picked, scan } = await collectJsonLines(tree, "/log.jsonl", ({ value }) => value, { pause });
    expect([picked, pauses]).toEqual([[], 3]);
    expect(scan).toMatchObject({ outcome: "not-read", notRead: { reason: "unstable-input" } });
  });
});

/** Each `stat` after the first of a reading moves the file on. */
function moving(contents: readonly string[]): { tree: Tree } {
  const trees = contents.map((content, index) => memoryTree({ "/log.jsonl": { content, modifiedAtMs: index } }));
  let at = 0;
  const now = () => trees[Math.min(at, trees.length - 1)] as Tree;
  return {
    tree: {
      list: (path) => now().list(path),
      stat: async (path) => {
        const stat = await now().stat(path);
        at += 1;
        return stat;
      },
      // Reads what was there when it was last looked at.
      readRange: (path, offset, length) => {
        const before = trees[Math.min(Math.max(at - 1, 0), trees.length - 1)] as Tree;
        return before.readRange(path, offset, length);
      },
    },
  };
}

/** Hands out pieces that share one buffer, as a disk does. */
function inPieces(tree: Tree, size: number): Tree {
  const shared = new Uint8Array(size);
  return {
    ...tree,
    async *readPieces(path, length) {
      for (let offset = 0; offset < length; offset += size) {
        const piece = await tree.readRange(path, offset, Math.min(size, length - offset));
        shared.fill(0);
        shared.set(piece);
        yield shared.subarray(0, piece.length);
      }
    },
  };
}
