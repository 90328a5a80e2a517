/** A token is one line, and a damaged one is told from a stale one. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readToken, type Token, tokenText } from "./token.ts";

const TOKEN: Token = {
  system: "005/claim-per-prompt",
  kernel: 1,
  source: "9f8e7d6c",
  faults: [{ at: "bridge.after-send", kind: "kill-restart", forMs: 1_000 }],
  choices: [1, 0, 0, 2, 130, 0],
  trace: "88876eaea6804a84",
};

function reasonOf(text: string): string {
  const read = readToken(text);
  return read.outcome === "unusable" ? read.message : "a token";
}

describe("a token", () => {
  it("is one line without a space or a quote, and reads back as it was", () => {
    const text = tokenText(TOKEN);
    expect(text).toMatch(/^[A-Za-z0-9._:-]+$/);
    expect(readToken(`  ${text}\n`)).toEqual({ outcome: "token", token: TOKEN });
  });

  it("reads back for any faults and choices", () => {
    const faults = fc.array(fc.record({ at: fc.string({ unit: "grapheme" }), kind: fc.constantFrom("kill" as const, "drop" as const), nth: fc.integer({ min: 1 }) }));
    fc.assert(
      fc.property(faults, fc.array(fc.nat()), (armed, choices) => {
        const token = { ...TOKEN, faults: armed, choices };
        expect(readToken(tokenText(token))).toEqual({ outcome: "token", token });
      }),
    );
  });

  it("is refused when any one character is changed, added or lost", () => {
    const text = tokenText(TOKEN);
    const changed = [...text].flatMap((character, at) => {
      const other = character === "A" ? "B" : "A";
      return [text.slice(0, at) + other + text.slice(at + 1), text.slice(0, at) + text.slice(at + 1), `${text.slice(0, at)}x${text.slice(at)}`];
    });
    const accepted = changed.filter((one) => readToken(one).outcome === "token");
    expect([changed.length, accepted]).toEqual([text.length * 3, []]);
  });

  it("says what is wrong with a line that is none", () => {
    const text = tokenText(TOKEN);
    expect(reasonOf("hello")).toBe(
      'TOKEN_FOREIGN: this is no token that can be replayed; a token begins with casebook-1, this text with "hello". Copy the whole line behind `casebook replay`.',
    );
    expect(reasonOf(text.replace("casebook-1", "casebook-7"))).toBe(
      "TOKEN_VERSION: this is no token that can be replayed; it is of format casebook-7, and this casebook reads casebook-1. Replay it with the version that printed it.",
    );
    expect(reasonOf(text.slice(0, -3))).toBe("TOKEN_TRUNCATED: this is no token that can be replayed; its end is missing: its last part is cut short. Copy the whole line.");
    expect(reasonOf(text.slice(0, 40))).toBe("TOKEN_TRUNCATED: this is no token that can be replayed; its end is missing: 4 of 8 parts are there. Copy the whole line.");
    expect(reasonOf(text.replace("88876", "88877"))).toBe(
      "TOKEN_DAMAGED: this is no token that can be replayed; its check sum does not fit: a character was changed, lost or added on the way. Copy it again.",
    );
    expect(reasonOf("")).toContain("TOKEN_FOREIGN");
  });

  it("is refused when its sum fits and a field of a fault is none", () => {
    const armed = (fields: object): string => reasonOf(tokenText({ ...TOKEN, faults: [{ at: "a", kind: "kill", ...fields }] }));
    const bad = [{ nth: "x" }, { nth: 0 }, { times: 1.5 }, { forMs: -5 }, { byMs: "1" }, { until: 3 }, { process: 1 }, { errno: {} }, { after: 1 }, { after: 0 }, { after: -1 }];
    expect(bad.map(armed).filter((said) => !said.includes("no such fault"))).toEqual([]);
    expect(armed({ nth: 2, times: 1, forMs: 0, byMs: -5, until: "b", process: "p", errno: "EIO" })).toBe("a token");
  });
});
