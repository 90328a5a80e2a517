import { judgeEncoding } from "@casebook/registry/judge";
import { createPositions } from "./text.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const utf16 = (text: string, order: "le" | "be"): Uint8Array =>
  Uint8Array.from(
    [...text].flatMap((character) => (order === "le" ? [character.charCodeAt(0), 0] : [0, character.charCodeAt(0)])),
  );

describe("judging an encoding", () => {
  it.each<[string, Uint8Array, string, number]>([
    ["UTF-16 (LE) with a mark", bytes(0xff, 0xfe, ...utf16("{}", "le")), "UTF16_LE", 0],
    ["UTF-16 (BE) with a mark", bytes(0xfe, 0xff, ...utf16("{}", "be")), "UTF16_BE", 0],
    ["UTF-16 (LE) without a mark", utf16('{"a":"ж"}', "le"), "UTF16_LE", 1],
    ["UTF-16 (BE) without a mark", utf16('{"a":1}', "be"), "UTF16_BE", 0],
    ["UTF-32", bytes(0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0), "UTF32", 0],
    ["a file that a crash left full of NULs", new Uint8Array(4096), "NUL_BYTES", 0],
    ["a hole of NULs inside", bytes(0x7b, 0x22, 0, 0, 0, 0x7d), "NUL_BYTES", 2],
    ["a lone continuation byte, as code page 1252 writes a dash", bytes(0x22, 0x97, 0x22), "INVALID_UTF8", 1],
    ["a character cut off by the end", bytes(0x22, 0xe2, 0x80), "INVALID_UTF8", 1],
    ["an overlong slash", bytes(0xc0, 0xaf), "INVALID_UTF8", 0],
    ["a surrogate", bytes(0x61, 0xed, 0xa0, 0x80), "INVALID_UTF8", 1],
  ])("knows %s", (_, input, code, offset) => {
    expect(judgeEncoding(input)).toMatchObject({ encoding: "not-utf-8", code, offset });
  });

  it("says how large the hole is", () => {
    expect(judgeEncoding(bytes(0x7b, 0x22, 0, 0, 0, 0x7d))).toMatchObject({
      say: "3 of 6 bytes, from byte 2, are NUL",
    });
  });

  it("takes UTF-8 with and without a mark, and tells them apart", () => {
    expect(judgeEncoding(new TextEncoder().encode('"—"'))).toEqual({ encoding: "utf-8", byteOrderMark: "none" });
    expect(judgeEncoding(new TextEncoder().encode("\ufeff{}"))).toEqual({ encoding: "utf-8", byteOrderMark: "utf-8" });
    expect(judgeEncoding(new Uint8Array())).toEqual({ encoding: "utf-8", byteOrderMark: "none" });
  });

  it("agrees with the platform's strict decoder on any bytes without NUL", () => {
    const interesting = fc.constantFrom(
      0x41,
      0x7f,
      0x80,
      0x8f,
      0x90,
      0x9f,
      0xa0,
      0xbf,
      0xc1,
      0xc2,
      0xe0,
      0xe2,
      0xed,
      0xf0,
      0xf4,
      0xf5,
      0xff,
    );
    fc.assert(
      fc.property(
        fc.uint8Array({ min: 1, maxLength: 8 }).chain((any) =>
          fc.oneof(
            fc.constant(any),
            fc.array(interesting, { maxLength: 8 }).map((list) => Uint8Array.from(list)),
          ),
        ),
        (input) => {
          fc.pre(!(input[0] === 0xff && input[1] === 0xfe) && !(input[0] === 0xfe && input[1] === 0xff));
          let isValid = true;
          try {
            new TextDecoder("utf-8", { fatal: true }).decode(input);
          } catch {
            isValid = false;
          }
          expect(judgeEncoding(input).encoding).toBe(isValid ? "utf-8" : "not-utf-8");
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("places in a text", () => {
  it("are those of counting every line from the start, in whatever order they are asked for", () => {
    const lines = fc.array(fc.constantFrom("\n", "a", "\r\n", "b".repeat(700)), { maxLength: 12 });
    fc.assert(
      fc.property(lines, fc.array(fc.nat(6000), { minLength: 1, maxLength: 8 }), (parts, asked) => {
        const text = parts.join("");
        const place = createPositions(text);
        for (const offset of asked.map((any) => any % (text.length + 1))) {
          const before = text.slice(0, offset).split("\n");
          expect(place(offset)).toEqual({ line: before.length, column: (before.at(-1) ?? "").length + 1, offset });
        }
      }),
      { numRuns: 200 },
    );
  });

  it("cost far less memory than the text, though every character of it begins a line", () => {
    const text = "\n".repeat(8_000_000);
    // Made flat before the count, so that only the places are in it.
    expect(text.charCodeAt(7_999_999)).toBe(10);
    const before = process.memoryUsage().heapUsed;
    const place = createPositions(text);
    expect(place(8_000_000)).toEqual({ line: 8_000_001, column: 1, offset: 8_000_000 });
    const grownBytes = process.memoryUsage().heapUsed - before;
    expect(place(1)).toEqual({ line: 2, column: 1, offset: 1 });
    expect(grownBytes).toBeLessThan(text.length);
  });
});
