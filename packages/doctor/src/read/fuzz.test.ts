/** Damaged bytes and trees that misbehave, for every reader: never a throw, never a hang, never fewer than there are without a word. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryTree } from "../trees/memory-tree.ts";
import { TreeError } from "../trees/tree-error.ts";
import type { Tree } from "../tree.ts";
import { collectJsonLines } from "./collect-json-lines.ts";
import { readJsonFile } from "./json-file.ts";
import { placesIn } from "./json-places.ts";
import { promptFactsOf } from "./prompt.ts";
import { readStable } from "./read-stable.ts";
import { walk } from "./walk.ts";

/** The test command asks the same each time; the soak of `fuzz/` is what looks further. */
const SEED = 20_260_902;

const encode = (text: string) => new TextEncoder().encode(text);
const LOG = encode(
  '{"ts":1,"jobId":"nightly—digest","status":"ok"}\n{"ts":2,"jobId":"b","n":1e308}\r\n\n{"ts":3,"jobId":"夜","x":{"y":[1,{"z":"\\u0000"}]}}\n{"ts":4,"jobId":"d"}\n',
);
const PROMPT = encode('---\nname: "x"\ndescription: |\n  y\n---\n\n# é\nDo it. <!-- c -->\n');

/** Each scan adds up: no line is lost between the counts. */
async function scanned(bytes: Uint8Array, needles?: readonly string[]) {
  const options = needles === undefined ? {} : { needles };
  const { scan, picked } = await collectJsonLines(memoryTree({ "/l": bytes }), "/l", ({ value }) => value, options);
  if (scan.outcome !== "scanned") throw new Error(scan.notRead.message);
  expect(scan.parsed + scan.passedOver + scan.blank + scan.damagedLines).toBe(scan.lines);
  let feeds = 0;
  for (const byte of bytes) if (byte === 0x0a) feeds += 1;
  expect(scan.lines).toBe(bytes.length === 0 || bytes.at(-1) === 0x0a ? feeds : feeds + 1);
  return { scan, picked };
}

describe("bytes that are damaged", () => {
  it("a log that is cut anywhere loses no line in silence", async () => {
    for (let length = 0; length <= LOG.length; length += 1) {
      const { scan } = await scanned(LOG.subarray(0, length));
      // Cut inside a line, the line is torn; cut at its end, it is whole.
      const isWhole = length === 0 || [0x0a, 0x7d, 0x0d].includes(LOG[length - 1] as number);
      if (!isWhole) expect(scan.tail).toBe("torn");
    }
  });

  it("a log with any bit flipped still adds up, with and without a needle", async () => {
    // Every seventh bit: each bit of a byte comes up.
    for (let bit = 0; bit < LOG.length * 8; bit += 7) {
      const bytes = LOG.slice();
      bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
      const all = await scanned(bytes);
      const some = await scanned(bytes, ['"jobId"']);
      expect(some.scan.lines).toBe(all.scan.lines);
      expect(all.picked.length + all.scan.damagedLines).toBeGreaterThanOrEqual(3);
    }
  });

  it("any bytes are lines, and each of them is something", async () => {
    const piece = fc.oneof(
      fc.constantFrom("{", "}", "[", "\n", "\r\n", "\0", '"', "\\", '{"jobId":1}', "\uFEFF", "1e999", "[".repeat(3000)).map(encode),
      fc.json({ maxDepth: 3 }).map(encode),
      fc.uint8Array({ maxLength: 20 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const bytes = Uint8Array.from(pieces.flatMap((part) => [...part]));
        const all = await scanned(bytes);
        const some = await scanned(bytes, ['"jobId"']);
        expect(some.scan.lines).toBe(all.scan.lines);
        const wanted = all.picked.filter((value) => JSON.stringify(value).includes('"jobId"'));
        expect(some.picked.length).toBeGreaterThanOrEqual(wanted.length);
      }),
      { numRuns: 300, seed: SEED },
    );
  });

  it("every object that was written is found again, with damage around it", async () => {
    const line = fc.record({ jobId: fc.string({ unit: "grapheme" }), n: fc.double({ noNaN: true }) });
    const junk = fc.constantFrom("", "not json", '{"torn":', "\0\0\0", "[]", "{}{");
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(line, junk), { maxLength: 20 }), async (lines) => {
        const text = lines.map(([value, bad]) => `${JSON.stringify(value)}\n${bad}\n`).join("");
        const { picked, scan } = await scanned(encode(text), ['"jobId"']);
        expect(picked).toEqual(lines.map(([value]) => JSON.parse(JSON.stringify(value))));
        expect(scan.damagedLines).toBe(lines.filter(([, bad]) => bad !== "").length);
      }),
      { numRuns: 200, seed: SEED },
    );
  });

  it("a prompt cut anywhere or with any bit flipped has a state", () => {
    for (let bit = 0; bit < PROMPT.length * 8; bit += 1) {
      const bytes = PROMPT.slice();
      bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(promptFactsOf(bytes, ["x"]).state).not.toBe("missing");
      expect(promptFactsOf(PROMPT.subarray(0, bit >> 3), ["x"], "cut").state).not.toBe("unreadable");
    }
  });

  it("every pointer of any JSON has its place, and the text there is its value", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 3 }), async (value) => {
        const text = JSON.stringify(value, undefined, 1);
        const file = await readJsonFile(memoryTree({ "/v": text }), "/v");
        if (file.outcome !== "read") throw new Error(file.outcome);
        const places = placesIn(file.document, "/v");
        const lines = text.split("\n");
        for (const [pointer, inner] of pointersOf(file.value)) {
          const place = places.positionOf(pointer);
          const rest = lines[(place?.line ?? 0) - 1]?.slice((place?.column ?? 0) - 1) ?? "";
          expect(rest.startsWith(JSON.stringify(inner).slice(0, 1))).toBe(true);
          if (typeof inner !== "object") expect(rest.replace(/,$/, "")).toBe(JSON.stringify(inner));
        }
      }),
      { numRuns: 150, seed: SEED },
    );
  });
});

function pointersOf(value: unknown, at = ""): [string, unknown][] {
  if (typeof value !== "object" || value === null) return [[at, value]];
  const below = Object.entries(value).flatMap(([key, inner]) =>
    pointersOf(inner, `${at}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`),
  );
  return [[at, value], ...below];
}

/** A tree on which, at the calls named, something happens: the file refuses, is cut short, or is another. */
function troubled(tree: Tree, troubles: readonly ("none" | "ENOENT" | "EACCES" | "EIO" | "short" | "older")[]): Tree {
  let call = 0;
  const next = () => troubles[call++] ?? "none";
  return {
    list: async (path) => {
      const trouble = next();
      if (trouble.startsWith("E")) throw new TreeError(trouble, "list", path);
      return tree.list(path);
    },
    stat: async (path) => {
      const trouble = next();
      if (trouble.startsWith("E")) throw new TreeError(trouble, "stat", path);
      const stat = await tree.stat(path);
      if (trouble === "short") return { ...stat, size: Math.max(0, stat.size - 3) };
      return trouble === "older" ? { ...stat, modifiedAtMs: stat.modifiedAtMs - 1 } : stat;
    },
    readRange: async (path, offset, length) => {
      const trouble = next();
      if (trouble.startsWith("E")) throw new TreeError(trouble, "read", path);
      return tree.readRange(path, offset, trouble === "short" ? Math.max(0, length - 5) : length);
    },
  };
}

describe("a tree that misbehaves", () => {
  const FIXTURE = memoryTree({ "/p/a/tasks.json": '{"tasks":[1,2,3]}', "/p/b/log.jsonl": LOG, "/p/c/": "", "/p/l": { link: "/p" } });
  const trouble = fc.constantFrom("none" as const, "none" as const, "ENOENT" as const, "EACCES" as const, "EIO" as const, "short" as const, "older" as const);
  const troubles = fc.array(trouble, { maxLength: 14 });

  it("is read whole and true, or not read with a reason", async () => {
    await fc.assert(
      fc.asyncProperty(troubles, async (list) => {
        const read = await readStable(troubled(FIXTURE, list), "/p/a/tasks.json");
        if (read.outcome === "read") expect(new TextDecoder().decode(read.bytes)).toBe('{"tasks":[1,2,3]}');
        else expect(read.notRead.message).toMatch(/^\/p\/a\/tasks\.json /);
      }),
      { numRuns: 300, seed: SEED },
    );
  });

  it("gives all lines of a log, or says what it lacks", async () => {
    await fc.assert(
      fc.asyncProperty(troubles, async (list) => {
        const { picked, scan } = await collectJsonLines(troubled(FIXTURE, list), "/p/b/log.jsonl", ({ value }) => value);
        if (scan.outcome === "not-read") expect(picked).toEqual([]);
        else if (scan.tail === "ended" && scan.damagedLines === 0) expect(picked).toHaveLength(4);
      }),
      { numRuns: 300, seed: SEED },
    );
  });

  it("is walked with everything found, or with what could not be listed named", async () => {
    await fc.assert(
      fc.asyncProperty(troubles, async (list) => {
        const { found, notRead, places } = await walk(troubled(FIXTURE, list), ["/p"], ["*/*.json", "*/*.jsonl"]);
        if (found.length < 2) expect(notRead.length + places.filter((place) => place.found === "absent").length).toBeGreaterThan(0);
      }),
      { numRuns: 300, seed: SEED },
    );
  });

  it("gives every name of every script back as it is", async () => {
    const name = fc.string({ unit: "binary", minLength: 1, maxLength: 8 }).filter((text) => !text.includes("/"));
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(name, { maxLength: 6 }), async (names) => {
        const tree = memoryTree(Object.fromEntries(names.map((each) => [`/p/${each}/SKILL.md`, "x"])));
        const { found } = await walk(tree, ["/p"], ["*/SKILL.md"]);
        expect(found.map(({ matches }) => [...matches.values()][0]?.[0]).sort()).toEqual([...names].sort());
      }),
      { numRuns: 100, seed: SEED },
    );
  });
});
