/** What must not be in a published report: where somebody's home is, what they are called, what their machine is called. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Person, redactPerson } from "./redact-person.ts";

const ANN: Person = { homes: ["/home/ann", String.raw`C:\Users\Ann`], users: ["ann"], hosts: ["ann-laptop.example.org"] };

describe("a text that is going to be published", () => {
  it.each([
    ["the home folder", "ENOENT: /home/ann/.claude/x.json", "ENOENT: ~/.claude/x.json"],
    ["the home folder on Windows", String.raw`ENOENT: C:\Users\Ann\x.json`, String.raw`ENOENT: ~\x.json`],
    ["somebody else's home folder", "/home/bob/x and /Users/eve/y", "/home/…/x and /Users/…/y"],
    ["somebody else's home folder on Windows", String.raw`D:\Users\bob\x`, String.raw`D:\Users\…\x`],
    ["the user, however it is written", "Ann did it, ANN did, and ann.", "<user> did it, <user> did, and <user>."],
    ["the host, with and without its domain", "on ann-laptop.example.org alias ann-laptop", "on <host> alias <host>"],
    ["characters that turn a line around", "a\u202eb", "a\\u{202e}b"],
  ])("loses %s", (_what, text, shown) => {
    expect(redactPerson(text, ANN)).toBe(shown);
  });

  it("keeps words that only contain the name, and its lines", () => {
    expect(redactPerson("annual\nplanner\r\nJoanne", ANN)).toBe("annual\nplanner\nJoanne");
  });

  it("takes a name as it is and not as a pattern", () => {
    expect(redactPerson("a.b and aXb", { homes: [], users: ["a.b"], hosts: ["(x)[y"] })).toBe("<user> and aXb");
  });

  it("never holds the names as words, whatever stands around them", () => {
    const between = fc.constantFrom(" ", "/", "-", "\\", "\n", '"', "@", ":", "=", ".", "`");
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom("ann", "Ann", "ann-laptop", "/home/ann", "x", "/home/ann/y"), between)), (parts) => {
        const shown = redactPerson(parts.flat().join(""), ANN);
        expect(shown).not.toMatch(/(?<![\p{L}\p{N}_])(?:ann|ann-laptop)(?![\p{L}\p{N}_])/iu);
      }),
    );
  });
});
