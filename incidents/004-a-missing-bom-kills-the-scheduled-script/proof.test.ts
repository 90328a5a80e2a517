/** What case 004 rests on: other characters, the guard against the host, its mutants, and how it could be fooled. */
import { encodingScriptQuotes, type EncodingScriptQuotesFacts } from "@casebook/guards";
import { firstDifference, play } from "@casebook/repro";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  curlyMarked,
  decodeByte,
  decodeFile,
  disk,
  type Encoding,
  HIGH_1251,
  HIGH_1252,
  marked,
  mojibake,
  newerAtNight,
  noMark,
  plain,
  readScript,
  repro,
  SCRIPT,
  scriptText,
  twoDashes,
  watched,
} from "./repro.ts";

describe("the mechanism of case 004", () => {
  it.each([
    ["U+2014, U+2013, U+2713, U+00C4", "double", ["—", "–", "✓", "Ä"]],
    ["U+2192, U+00D2", "single", ["→", "Ò"]],
  ] as const)("is a matter of bytes: any of %s kills a string in %s quotes", async (_what, place, characters) => {
    for (const character of characters) {
      const { facts } = await play(repro, plain, { [place]: `a ${character} b` });
      expect(facts, character).toMatchObject({ byHand: "ran", ran: 0, log: 0 });
    }
  });

  it.each([
    ["U+2019, U+201C, U+2026, U+2192, U+24D4", "double", ["’", "“", "…", "→", "ⓔ"]],
    ["U+2014, U+2019, U+201C, U+2026", "single", ["—", "’", "“", "…"]],
  ] as const)("only shows %s wrongly, in a string in %s quotes", async (_what, place, characters) => {
    for (const character of characters) {
      const { facts } = await play(repro, plain, { [place]: `a ${character} b` });
      expect(facts, character).toMatchObject({ ran: 3, log: 12, asWritten: 9, alarms: [] });
    }
  });

  it.each(["—", "–", "✓", "Ä", "→", "’", "“", "…", "ⓔ"])("leaves %s alone in a comment, and in a here-string", async (character) => {
    expect((await play(repro, plain, { comment: character })).facts).toMatchObject({ ran: 3, asWritten: 12, alarms: [] });
    // Three nights, in each of which one line of four is shown wrongly.
    expect((await play(repro, plain, { here: character })).facts).toMatchObject({ ran: 3, log: 12, asWritten: 9, alarms: [] });
  });

  it("needs the classic host: the newer one reads the same bytes as they were meant", async () => {
    expect((await play(repro, newerAtNight)).facts).toMatchObject({ ran: 3, asWritten: 12 });
    expect((await play(repro, noMark, { scheduled: "newer" })).facts.ran).toBe(3);
  });

  it("shows curly quotes wrongly and runs, where a dash would kill", async () => {
    expect((await play(repro, mojibake)).facts).toMatchObject({ ran: 3, log: 12, asWritten: 6, alarms: [] });
    expect((await play(repro, plain, { double: "it“s" })).facts).toMatchObject({ byHand: "died", ran: 3, asWritten: 9, alarms: [] });
  });

  it("turns around with a mark: the curly quote is now a quote, for every host", async () => {
    expect((await play(repro, marked, { double: "it“s" })).facts).toMatchObject({ byHand: "died", ran: 0, result: "0x80070001" });
    expect((await play(repro, curlyMarked)).facts).toMatchObject({ ran: 3, log: 9 });
  });

  it("kills no script with two dashes in a string, and loses the line: the result is green and the log has a hole", async () => {
    expect((await play(repro, twoDashes)).facts).toMatchObject({ ran: 3, result: "0x00000000", log: 9 });
  });

  it("gives another trace when one byte of its input is another", async () => {
    const { traceHash } = await play(repro, noMark);
    const volume = () => {
      const changed = disk(noMark.with);
      changed.writeFileSync(SCRIPT, Buffer.from(scriptText({ ...noMark.with, comment: "Nobody watches it!" })));
      return changed;
    };
    const other = await play(repro, { ...noMark, disk: volume });
    expect(firstDifference(noMark.expect, other.facts)).toBeUndefined();
    expect(other.traceHash).not.toBe(traceHash);
  });
});

describe("the tables of the host", () => {
  const known = (label: string, from: number, to: number) =>
    new TextDecoder(label).decode(Uint8Array.from({ length: to - from }, (_, index) => from + index));
  const ours = (codePage: 1251 | 1252, from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => decodeByte(from + index, codePage)).join("");

  it("are the code page 1251, by a decoder that knows it", () => {
    expect(HIGH_1251).toHaveLength(64);
    expect(ours(1251, 0, 256)).toBe(known("windows-1251", 0, 256));
  });

  it("are the code page 1252, by a decoder of 1254, which differs in two of the 32 and in six letters", () => {
    expect(HIGH_1252).toHaveLength(32);
    const [turkish, western] = [known("windows-1254", 0, 256), ours(1252, 0, 256)];
    const differing = [...western].flatMap((character, byte) => (character === turkish[byte] ? [] : [character]));
    expect(differing.join("")).toBe("ŽžÐÝÞðýþ");
  });
});

/** Text of all Unicode, in which what matters is frequent. */
const anything = fc
  .array(fc.oneof(fc.string({ unit: "binary", maxLength: 4 }), fc.constantFrom(...'"\'`#$()@<>\n\r a“”„‘’‚‛—–→✓ÄÒⓔ⓮\u{1F5D1}ГДВ', "$(", "@\"\n", "\n\"@", "@'\n", "\n'@", "<#", "#>")), { maxLength: 12 })
  .map((parts) => parts.join(""));

/** What the host reads: its strings by their bytes, and whether it reads to the end. */
function readingOf(bytes: Uint8Array, unmarked: Encoding) {
  const { text, byteAt } = decodeFile(bytes, unmarked);
  const { spans, unclosedAt } = readScript(text);
  return { spans: spans.map(({ kind, from, to }) => [kind, byteAt[from], byteAt[to]]), unclosedAt: unclosedAt === undefined ? undefined : byteAt[unclosedAt] };
}

/** The same script with x for everything beyond ASCII, and as many bytes. */
function twinOf(bytes: Uint8Array, isMarked: boolean): Uint8Array {
  return bytes.map((byte, at) => (byte < 0x80 || (isMarked && at < 3) ? byte : 0x78));
}

/** What the host does, and what the guard says of the same bytes. */
function asked(bytes: Uint8Array, unmarked: Encoding): { readonly isMoved: boolean; readonly isAlarmed: boolean } {
  const twin = twinOf(bytes, bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf);
  return {
    isMoved: JSON.stringify(readingOf(bytes, unmarked)) !== JSON.stringify(readingOf(twin, unmarked)),
    isAlarmed: encodingScriptQuotes({ path: SCRIPT, bytes, unmarked: unmarked === "utf-8" ? "utf-8" : "windows-125x" }) !== undefined,
  };
}

const encodings = fc.constantFrom<Encoding>(1252, 1251, "utf-8");

describe("the guard over scripts", () => {
  it("alarms exactly when the host cuts the script into other strings, whatever stands in comment, strings and here-string", () => {
    let alarms = 0;
    fc.assert(
      fc.property(anything, anything, anything, anything, fc.boolean(), encodings, (comment, double, single, here, isMarked, unmarked) => {
        const text = scriptText({ comment, double, single, here });
        const { isMoved, isAlarmed } = asked(new TextEncoder().encode(isMarked ? `\u{feff}${text}` : text), unmarked);
        if (isAlarmed) alarms += 1;
        expect(isAlarmed).toBe(isMoved);
      }),
      { numRuns: 1_000, seed: 4 },
    );
    // Both answers are given often, or their agreement would say little.
    expect([alarms > 200, alarms < 800]).toEqual([true, true]);
  });

  it("does so for a text that is no script at all", () => {
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 6 }), encodings, (parts, unmarked) => {
        const { isMoved, isAlarmed } = asked(new TextEncoder().encode(parts.join("")), unmarked);
        expect(isAlarmed).toBe(isMoved);
      }),
      { numRuns: 1_000, seed: 4 },
    );
  });

  it("does so for every character up to U+2FFF by itself, in a comment, in both kinds of string and outside", () => {
    const alarming = new Set<number>();
    const differing: string[] = [];
    for (let point = 0x80; point <= 0x2fff; point += 1) {
      const character = String.fromCodePoint(point);
      for (const text of [`# ${character}`, `"${character}"`, `'${character}'`, `a ${character} b`]) {
        const { isMoved, isAlarmed } = asked(new TextEncoder().encode(text), 1252);
        if (isAlarmed) alarming.add(point);
        if (isAlarmed !== isMoved) differing.push(text);
      }
    }
    expect(differing).toEqual([]);
    // Six of the 64 bytes that can end a character of two bytes; 30 groups of these lie below U+0800.
    expect([...alarming].filter((point) => point < 0x800)).toHaveLength(6 * 30);
  });

  it("alarms in the operator's cell, and is silent on the control and on the fixed script", async () => {
    expect((await play(repro, watched)).facts.alarms).toEqual(["encoding/script-quotes@2:44"]);
    expect((await play(repro, plain)).facts.alarms).toEqual([]);
    expect((await play(repro, marked)).facts.alarms).toEqual([]);
  });

  it("would be noticed if it never alarmed, and if it always did", () => {
    const bytesOf = (scene: typeof noMark) => new Uint8Array(disk(scene.with).readFileSync(SCRIPT) as Buffer);
    const dead: EncodingScriptQuotesFacts = { path: SCRIPT, bytes: bytesOf(noMark), unmarked: "windows-125x" };
    const well = { ...dead, bytes: bytesOf(plain) };
    const tells = (guard: (facts: EncodingScriptQuotesFacts) => unknown) => guard(dead) !== undefined && guard(well) === undefined;
    expect(tells(encodingScriptQuotes)).toBe(true);
    expect(tells(() => undefined)).toBe(false);
    expect(tells(() => ({ guard: "encoding/script-quotes" }))).toBe(false);
  });

  it("is fooled by whoever tells it the wrong reader: handed UTF-8 it is silent on the script that dies", () => {
    const bytes = new TextEncoder().encode(scriptText(noMark.with));
    expect(encodingScriptQuotes({ path: SCRIPT, bytes, unmarked: "utf-8" })).toBeUndefined();
  });
});
