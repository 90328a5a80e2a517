/** The scan with needles against a reading that splits at line feeds and judges each line by itself. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryTree } from "../trees/memory-tree.ts";
import type { Tree } from "../tree.ts";
import { judgeLine } from "./json-line.ts";
import { createNeedleSearch, type FindBytes } from "./needle-search.ts";
import { scanJsonLines } from "./scan-json-lines.ts";

const NEEDLES = ['"scheduledTaskId"', '<scheduled-task name="', '"a"', "I"];
const MAX_LINE_BYTES = 60_000;
const native: FindBytes = (bytes, needle, from) => Buffer.prototype.indexOf.call(bytes, needle, from);

interface Counted {
  readonly handedOut: readonly unknown[];
  readonly damage: readonly (readonly [code: string, line: number, byteOffset: number])[];
  readonly counts: readonly [lines: number, parsed: number, passedOver: number, blank: number, damagedLines: number];
}

describe("the scan with needles", () => {
  it("counts, hands out and calls damaged what a reading line by line does, whatever the pieces and whoever searches", async () => {
    await fc.assert(
      fc.asyncProperty(file, fc.subarray(NEEDLES, { minLength: 1 }), fc.integer({ min: 1, max: 50_000 }), fc.boolean(), async (text, needles, size, isNative) => {
        const bytes = new Uint8Array(Buffer.from(text, "latin1"));
        expect(await scanned(bytes, needles, Math.max(size, bytes.length >> 8), isNative)).toEqual(lineByLine(bytes, needles));
      }),
      { numRuns: 400 },
    );
  });

  it("finds a needle on every border between two pieces", async () => {
    const bytes = new Uint8Array(Buffer.from(`{"x":1}\n{"scheduledTaskId":"t","pad":"${"lorem ".repeat(4000)}"}\n{"y":2}\r\n`, "latin1"));
    for (let size = 1; size < 40; size += 1) {
      const border = 16 * 1024 + size;
      expect((await scanned(bytes, ['"scheduledTaskId"'], size, true)).handedOut).toHaveLength(1);
      const shifted = new Uint8Array([...Buffer.from(`{"p":"${"x".repeat(border - 20)}"}\n`), ...bytes]);
      expect((await scanned(shifted, ['"scheduledTaskId"'], 16 * 1024, true)).handedOut).toHaveLength(1);
    }
  });

  it("finds the first place at or after any offset, with and without a search of the machine's own", () => {
    const text = fc.array(fc.constantFrom("Task", "kId", '"', "scheduled", '"scheduledTaskId"', "T", "k", "I", "x".repeat(300), "e "), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(text, fc.nat(20_000), (parts, from) => {
        const bytes = Buffer.from(parts.join("").repeat(100).slice(0, 40_000).padEnd(17_000, "e"));
        for (const needle of NEEDLES) {
          const expected = bytes.indexOf(needle, from);
          for (const find of [native, undefined]) expect(createNeedleSearch([needle], find).searchesFor(bytes)[0]?.(bytes, from)).toBe(expected);
        }
      }),
      { numRuns: 100 },
    );
  });
});

const junk = fc.constantFrom("", "\r", "{}", "[1]", "not json", '{"torn":', "\0\0\0", '{"n":1}{"n":2}', "\xff", "\xef\xbb\xbf{}", "}{", '{"scheduledTaskId', 'TaskId"', " ");
const words = fc.constantFrom("lorem ", "Task", "kId", 'scheduledTaskId', "<scheduled-task name=", "I", "é", "T");
const record = fc.tuple(fc.constantFrom('"scheduledTaskId":1', '"a":1', '"<scheduled-task name=\\"":1', '"n":1'), words, fc.constantFrom(0, 1, 900, 5_000, 20_000)).map(
  ([member, word, times]) => `{${member},"pad":"${word.repeat(times)}"}`.slice(0, 90_000),
);
const file = fc
  .tuple(fc.array(fc.tuple(fc.oneof(record, record, junk), fc.constantFrom("\n", "\n", "\r\n")), { maxLength: 14 }), fc.oneof(record, junk))
  .map(([lines, last]) => lines.map(([line, end]) => line + end).join("") + last);

async function scanned(bytes: Uint8Array, needles: readonly string[], pieceBytes: number, isNative: boolean): Promise<Counted> {
  const handedOut: unknown[] = [];
  const answer = await scanJsonLines(inPieces(memoryTree({ "/log": bytes }), pieceBytes, isNative), "/log", ({ value, line, byteOffset }) => void handedOut.push([value, line, byteOffset]), {
    needles,
    maxLineBytes: MAX_LINE_BYTES,
  });
  if (answer.outcome !== "scanned") throw new Error(answer.notRead.message);
  const { lines, parsed, passedOver, blank, damagedLines, damaged } = answer;
  return { handedOut, damage: damaged.map(({ code, line, byteOffset }) => [code, line, byteOffset]), counts: [lines, parsed, passedOver, blank, damagedLines] };
}

function lineByLine(bytes: Uint8Array, needles: readonly string[]): Counted {
  const handedOut: unknown[] = [];
  const damage: [string, number, number][] = [];
  const counts: [number, number, number, number, number] = [0, 0, 0, 0, 0];
  const texts = Buffer.from(bytes).toString("latin1").split("\n");
  let byteOffset = 0;
  for (const [index, text] of texts.entries()) {
    const ended = index < texts.length - 1;
    if (!ended && text === "") break;
    counts[0] += 1;
    const isWanted = needles.some((needle) => text.includes(needle));
    const marked = byteOffset === 0 && text.startsWith("\xef\xbb\xbf");
    if (text.length > MAX_LINE_BYTES) {
      damage.push(["TOO_LONG", counts[0], byteOffset]);
      counts[4] += 1;
    } else if (ended && !isWanted && /^\{[^]*\}\r?$/.test(text)) counts[2] += 1;
    else {
      const { blank, values, damage: code } = judgeLine(new Uint8Array(Buffer.from(marked ? text.slice(3) : text, "latin1")), ended);
      if (marked) damage.push(["BOM", counts[0], byteOffset]);
      if (isWanted) handedOut.push(...values.map((value) => [value, counts[0], byteOffset]));
      if (code !== undefined) damage.push([code, counts[0], byteOffset]);
      counts[code !== undefined ? 4 : blank ? 3 : isWanted ? 1 : 2] += 1;
    }
    byteOffset += text.length + 1;
  }
  return { handedOut, damage, counts };
}

/** Pieces share one buffer, as those of a disk do, so that what is kept of one without copying shows. */
function inPieces(tree: Tree, size: number, isNative: boolean): Tree {
  const shared = Buffer.alloc(size);
  return {
    ...tree,
    ...(isNative ? { findBytes: native } : {}),
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
