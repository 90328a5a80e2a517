import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodingScriptQuotes, type EncodingScriptQuotesFacts } from "./index.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** What a reader that takes unmarked bytes for a code page makes of a text that was saved as UTF-8. */
function asked(text: string, other: Partial<EncodingScriptQuotesFacts> = {}) {
  return encodingScriptQuotes({ path: "nightly.ps1", bytes: bytesOf(text), unmarked: "windows-125x", ...other });
}

const asUtf8 = { unmarked: "utf-8" } as const;

describe("encoding/script-quotes", () => {
  it("names the byte, the line and column, the character and the kind of string", () => {
    expect(asked('Write-Host "plain"\nWrite-Host "full copy — all"\n')).toEqual({
      guard: "encoding/script-quotes",
      subject: "nightly.ps1",
      message: "1 of 1 characters beyond ASCII is read as a quote in the code page: U+2014 in a double-quoted string at 2:23, byte 41",
      counts: { beyondAscii: 1, quotes: 1, byte: 41, line: 2, column: 23 },
    });
  });

  it("counts the characters and not their bytes, and names the first few of many", () => {
    expect(asked("# é\r\n'a→b' + \"Ä ✓ “ – —\"")?.message).toBe(
      "5 of 7 characters beyond ASCII are read as quotes in the code page: U+2192 in a single-quoted string at 2:3, byte 8; " +
        "U+00C4 in a double-quoted string at 2:10, byte 17; U+2713 in a double-quoted string at 2:12, byte 20 and 2 more",
    );
    expect(asked("'\u{1F5D1} ‑'")?.counts).toMatchObject({ beyondAscii: 2, quotes: 2 });
  });

  it.each([
    ["U+2014, U+2013, U+2713 and U+00C4 in a double-quoted string", ['"—"', '"–"', '"✓"', '"Ä"']],
    ["U+2192 and U+00D2 in a single-quoted string", ["'→'", "'Ò'"]],
    ["either kind outside of a string, where it opens one", ["Write-Host a—b", "Write-Host a→b", "Write-Host $a—b"]],
    ["a string in a string", ['"a $(Join "b — c")"', '"a $(Join \'b → c\') d"', '"a $(Join ("b") (\'→\'))"']],
    ["a string in an expression of a here-string", ['@"\n$(Join "—")\n"@']],
    ["a string after a comment, a here-string, or a # that is none", ['# it\'s\n"—"', "<# it's #>\"—\"", "@'\nit's\n'@\n\"—\"", 'a#\'b\'"—"', '`#"—"']],
    ["a quote that swallows the one behind it", ['"done —"', '"done —"" no"']],
  ])("alarms on %s", (_what, scripts) => {
    expect(scripts.filter((script) => asked(script) === undefined)).toEqual([]);
  });

  it.each([
    ["plain ASCII", ['Write-Host "a - b" \'c\'']],
    ["what is only shown wrongly: U+2019, U+201C, U+2026", ['"it’s…"', '"say “hi”"', "'say “hi”'"]],
    ["the other kind of quote: U+2014 in single ones, U+2192 in double ones", ["'—'", '"→"', '"a \'→\' b"']],
    ["comments", ["# a — → b", '<#> "—" #>', 'Write-Host 1 # "—', "<# a — → b #>", "$a#—", "(1)#—"]],
    ["here-strings, whose end is a quote at the start of a line", ['@"\n— "a" — $(1)\n"@', "@'\n→ 'a'\n'@", '@"\n"—"\n—"@\n"@']],
    ["two quotes in one character, which are one quote in the string: U+24D4", ['"ⓔ"']],
    ["what a backtick hides: its first byte only", ['"a `"é"', "`é"]],
  ])("is silent on %s", (_what, scripts) => {
    expect(scripts.filter((script) => asked(script) !== undefined)).toEqual([]);
  });

  it("is silent on every one of these with a mark first, and where unmarked bytes are taken for UTF-8", () => {
    for (const script of ['"—"', "'→'", "Write-Host a–b", '"Ä"']) {
      expect([asked(`\u{feff}${script}`), asked(script, asUtf8)]).toEqual([undefined, undefined]);
    }
  });

  it("alarms where a mark makes a curly quote a quote: a cure for the one reader breaks the script for both", () => {
    const said = "1 of 1 characters beyond ASCII is read as a quote in UTF-8: U+201C in a double-quoted string at 1:6, byte";
    expect(asked('"say “"')).toBeUndefined();
    expect(asked('\u{feff}"say “"')?.message).toBe(`${said} 8`);
    expect(asked('"say “"', asUtf8)?.message).toBe(`${said} 5`);
  });

  it.each([
    ["alarms on", ["'it’s'", '"„"', "it’s", '@“\n', '@"\n“@\n"@', '"a"“', '"a “"""', '$a”'], true],
    ["is silent on", ['"it’s"', "'„“'", "# “", '"““"', "'’‘'", '@"\n“a\n"@', '"a `“"', "`’"], false],
  ])("%s these in UTF-8", (_what, scripts, alarms) => {
    expect(scripts.filter((script) => (asked(script, asUtf8) !== undefined) !== alarms)).toEqual([]);
  });

  it("leaves the quotes alone that were meant: characters of ASCII never alarm", () => {
    const ascii = fc.string({ unit: fc.constantFrom(...'"\'`#<>@$(){} \n\rab'), maxLength: 30 });
    fc.assert(fc.property(ascii, fc.constantFrom("windows-125x" as const, "utf-8" as const), (script, unmarked) => asked(script, { unmarked }) === undefined));
  });

  it("says the byte where the bytes are no UTF-8: such a script was saved in the code page", () => {
    const saved = Uint8Array.of(0x22, 0x93, 0x61, 0x22);
    expect(asked("", { bytes: saved })?.message).toBe(
      "1 of 1 characters beyond ASCII is read as a quote in the code page: byte 93 in a double-quoted string at 1:2, byte 1",
    );
    const cut = Uint8Array.of(0x22, 0xe2, 0x80);
    expect(asked("", { bytes: cut })).toBeUndefined();
  });

  it("does not judge UTF-16, which is marked by other bytes", () => {
    expect(asked("", { bytes: Uint8Array.of(0xff, 0xfe, 0x22, 0x00, 0x94, 0x21, 0x22, 0x00) })).toBeUndefined();
    expect(asked("", { bytes: Uint8Array.of(0xfe, 0xff, 0x00, 0x22, 0x21, 0x94, 0x00, 0x22) })).toBeUndefined();
  });

  it("reads a deep script without falling over", () => {
    const deep = 100_000;
    expect(asked(`${'"$('.repeat(deep)}"—"`)?.counts).toMatchObject({ quotes: 1, column: 3 * deep + 2 });
  });

  it("is fooled by curly quotes that somebody means: it alarms on them in UTF-8 and is silent on them in the code page", () => {
    expect(asked("Write-Host “hello”", asUtf8)).toBeDefined();
    expect(asked("Write-Host “hello”")).toBeUndefined();
  });
});
