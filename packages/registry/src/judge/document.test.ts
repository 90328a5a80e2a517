import { MAX_JSON_DEPTH, MAX_JSON_VALUES, parseDocument, valueOfDocument } from "@casebook/registry/judge";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const parse = (text: string) => parseDocument(new TextEncoder().encode(text));

describe("parsing a document", () => {
  it.each<[string, string, string, number, number, string]>([
    ["an empty file", "", "EMPTY", 1, 1, "there is nothing in it"],
    ["white space only", " \n", "EMPTY", 1, 1, "there is nothing in it"],
    ["a text cut off in a string", '{\n  "a": "half', "TRUNCATED", 2, 13, "the text ends inside a string"],
    ["a text cut off in an escape", '["\\u12', "TRUNCATED", 1, 7, "the text ends inside a string"],
    ["a text cut off in a word", "[tru", "TRUNCATED", 1, 5, "the text ends inside the word true"],
    ["a text cut off in a number", "[1.", "TRUNCATED", 1, 4, "the text ends inside a number"],
    ["a text cut off after a colon", '{"a":', "TRUNCATED", 1, 6, "the text ends where a value should follow, 1 level(s) deep"],
    ["a text cut off after a comma", "[[1,", "TRUNCATED", 1, 5, "the text ends where a value should follow, 2 level(s) deep"],
    ["two documents in one file", '{"a":1}\n{"a":2}', "SYNTAX", 2, 1, "'{' where the end of the file should be"],
    ["a trailing comma", '{"a":1,}', "SYNTAX", 1, 8, "'}' where a key in double quotes should be"],
    ["a comment", "[ // now\n1]", "SYNTAX", 1, 3, "'/' where a value should be"],
    ["single quotes", "{'a':1}", "SYNTAX", 1, 2, "''' where a key or the end of the object should be"],
    ["a bare line break in a string", '["a\nb"]', "SYNTAX", 1, 4, "a bare control character inside a string"],
    ["an unknown escape", '["\\x41"]', "SYNTAX", 1, 3, "an escape that JSON does not know"],
    ["a leading zero", "[01]", "SYNTAX", 1, 3, "'1' where a comma or the end of the list or object should be"],
    ["NaN", "[NaN]", "SYNTAX", 1, 2, "'N' where a value should be"],
    ["an invisible character", "[\u00a0]", "SYNTAX", 1, 2, "U+00A0 where a value should be"],
  ])("names the place of %s", (_, text, code, line, column, say) => {
    expect(parse(text)).toMatchObject({ outcome: "unreadable", code, position: { line, column }, say });
  });

  it.each([
    ["arrays", "[".repeat(100_000) + "]".repeat(100_000), MAX_JSON_DEPTH + 1],
    ["arrays, cut off", "[".repeat(100_000), MAX_JSON_DEPTH + 1],
    ["objects", '{"a":'.repeat(100_000) + "1" + "}".repeat(100_000), 5 * MAX_JSON_DEPTH + 1],
  ])("refuses %s nested 100,000 deep at the level of the limit", (_, text, column) => {
    expect(parse(text)).toMatchObject({ code: "TOO_DEEP", position: { line: 1, column } });
  });

  it("takes the deepest text that is allowed", () => {
    expect(parse("[".repeat(MAX_JSON_DEPTH) + "]".repeat(MAX_JSON_DEPTH)).outcome).toBe("parsed");
  });

  it("refuses a text of too many values before it becomes objects in memory", () => {
    expect(parse(`[${"0,".repeat(MAX_JSON_VALUES)}0]`)).toMatchObject({ code: "TOO_MANY_VALUES" });
  });

  it("lists repeated keys with their places, escapes seen through", () => {
    const document = parse('{"a": {"x/y": [0, {"b": 1,\n"\\u0062": 2}]}, "c": 0, "c": 0}');
    expect(document).toMatchObject({
      duplicateKeyCount: 2,
      duplicateKeys: [
        { pointer: "/a/x~1y/1/b", position: { line: 2, column: 1 } },
        { pointer: "/c", position: { line: 2, column: 25 } },
      ],
    });
  });

  it("keeps a __proto__ key as a key, and changes no prototype by it", () => {
    const document = parse('{"__proto__": {"polluted": true}}');
    if (document.outcome !== "parsed") throw new Error(document.say);
    const value = valueOfDocument(document) as object;
    expect(Object.keys(value)).toEqual(["__proto__"]);
    expect("polluted" in {}).toBe(false);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it("agrees with JSON.parse about what is JSON, over generated texts and damaged ones", () => {
    const damage = fc.array(fc.record({ at: fc.nat(200), drop: fc.nat(2), put: fc.constantFrom("", ...'[]{}",:\\u0123.-+eE \ntfn/') }), { maxLength: 3 });
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), damage, (json, cuts) => {
        const text = cuts.reduce((current, { at, drop, put }) => {
          const place = at % (current.length + 1);
          return current.slice(0, place) + put + current.slice(place + drop);
        }, json);
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        // Cutting may split a surrogate pair, which no bytes can hold.
        fc.pre(new TextDecoder().decode(new TextEncoder().encode(text)) === text);
        expect(parse(text).outcome).toBe(isJson ? "parsed" : "unreadable");
      }),
      { numRuns: 400 },
    );
  });
});
