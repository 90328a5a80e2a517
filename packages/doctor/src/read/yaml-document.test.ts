import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { memoryTree } from "../trees/memory-tree.ts";
import { documentPlaces, readDocumentFile } from "./document-file.ts";
import { pointerOf } from "./pointer.ts";
import { MAX_YAML_BYTES, parseYaml, yamlPlaces, type YamlDocument } from "./yaml-document.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const problemOf = (text: string) => {
  const answer = parseYaml(encode(text));
  if (answer.outcome === "parsed") return "parsed";
  return [answer.code, answer.position?.line, answer.position?.column];
};
function documentOf(text: string): YamlDocument {
  const answer = parseYaml(encode(text));
  if (answer.outcome !== "parsed") throw new Error(`${answer.code}: ${answer.say}`);
  return answer;
}

describe("a YAML document", () => {
  const TEXT = "# tasks\njobs:\n  - name: a # one\n    \"a/b~c\": 1\n  - { id: 'b', id: c }\nnext:\n  - x: |\n      many\n      lines\n    y: é\n";

  it("says where the value of a pointer stands, of a repeated key the one that counts", () => {
    const document = documentOf(TEXT);
    const places = yamlPlaces(document, "/jobs.yaml");
    expect(places.positionOf("")).toEqual({ line: 2, column: 1 });
    expect(places.positionOf("/jobs/0")).toEqual({ line: 3, column: 5 });
    expect(places.positionOf("/jobs/0/name")).toEqual({ line: 3, column: 11 });
    expect(places.positionOf("/jobs/0/a~1b~0c")).toEqual({ line: 4, column: 14 });
    expect(places.positionOf("/jobs/1/id")).toEqual({ line: 5, column: 20 });
    expect(places.positionOf("/next/0/y")).toEqual({ line: 10, column: 8 });
    expect(document.root.value).toEqual({ jobs: [{ name: "a", "a/b~c": 1 }, { id: "c" }], next: [{ x: "many\nlines\n", y: "é" }] });
    expect(document.duplicateKeys).toMatchObject([{ pointer: "/jobs/1/id", position: { line: 5, column: 16 } }]);
  });

  it("answers the nearest place above what is not there", () => {
    const places = yamlPlaces(documentOf(TEXT), "/jobs.yaml");
    expect(places.positionOf("/jobs/1/fireAt")).toBeUndefined();
    expect(places.placeOf("/jobs/1/fireAt")).toEqual({ path: "/jobs.yaml", line: 5, column: 5, pointer: "/jobs/1" });
    expect(places.placeOf("/jobs/9")).toEqual({ path: "/jobs.yaml", line: 3, column: 3, pointer: "/jobs" });
    expect(places.placeOf("/gone/x")).toEqual({ path: "/jobs.yaml", line: 2, column: 1, pointer: "" });
  });

  it("reads words as YAML 1.2 does, whatever version a directive asks for", () => {
    const text = "a: no\nb: 0o17\nc: 2026-09-01\nd: ~\ne:\n1: x\n__proto__: {y: 2}\n";
    const value = { a: "no", b: 15, c: "2026-09-01", d: null, e: null, "1": "x" };
    const read = documentOf(text).root.value as object;
    expect(read).toMatchObject(value);
    expect(Object.getOwnPropertyDescriptor(read, "__proto__")?.value).toEqual({ y: 2 });
    expect(documentOf("%YAML 1.1\n---\na: no\n").root.value).toEqual({ a: "no" });
  });

  it("finds what an alias stands for, and its places where it is written", () => {
    const document = documentOf("base: &b\n  cron: '0 5 * * *'\nuse: *b\n");
    const places = yamlPlaces(document, "/x");
    expect(document.root.value).toEqual({ base: { cron: "0 5 * * *" }, use: { cron: "0 5 * * *" } });
    expect([places.positionOf("/use"), places.positionOf("/use/cron")]).toEqual([{ line: 3, column: 6 }, { line: 2, column: 9 }]);
  });

  it("says what is wrong and where, and never throws", () => {
    expect(problemOf("a:\n\tb: 1\n")).toEqual(["TAB_AS_INDENT", 2, 1]);
    expect(problemOf("a: b: c\n")).toEqual(["SYNTAX", 1, 4]);
    expect(problemOf("a: [1, 2")).toEqual(["TRUNCATED", 1, 9]);
    expect(problemOf('a: "b')).toEqual(["TRUNCATED", 1, 6]);
    expect(problemOf("a: ]\n")).toEqual(["SYNTAX", 1, 4]);
    expect(problemOf("a: !include x.yaml\n")).toEqual(["TAG_UNKNOWN", 1, 4]);
    expect(problemOf("a: !!js/function 'x'\n")).toEqual(["TAG_UNKNOWN", 1, 4]);
    expect(problemOf("a: &b 1\nc:\n  <<: *b\n")).toEqual(["MERGE_KEY", 3, 3]);
    expect(problemOf("? [a]\n: 1\n")).toEqual(["KEY_NOT_TEXT", 1, 3]);
    expect(problemOf("a: *nobody\n")).toEqual(["ALIAS", 1, 4]);
    expect(problemOf("a: &a [*a]\n")).toEqual(["ALIAS", 1, 8]);
    expect(problemOf("a: 1\n---\nb: 2\n---\nc: 3\n")).toEqual(["MULTIPLE_DOCUMENTS", 2, 1]);
    expect(problemOf("---\na: 1\n...\n# and\n---\nb: 2\n")).toEqual(["MULTIPLE_DOCUMENTS", 5, 1]);
    for (const text of ["", "\n\n", "# nothing\n", "---\n", "--- # nothing\n"]) expect(problemOf(text)).toEqual(["EMPTY", 1, 1]);
    expect(problemOf("a: 1\0\0\n")).toEqual(["NUL_BYTES", undefined, undefined]);
    expect(parseYaml(Uint8Array.of(0x61, 0x3a, 0x20, 0xff))).toMatchObject({ code: "INVALID_UTF8", byteOffset: 3 });
    expect(parseYaml(new Uint8Array(MAX_YAML_BYTES + 1).fill(0x20))).toMatchObject({ code: "TOO_LARGE" });
  });

  it("refuses depth and aliases before they cost anything", () => {
    const bomb = Array.from({ length: 30 }, (_, level) => `a${level}: &a${level} [${level === 0 ? "1" : `*a${level - 1}, `.repeat(9)}]\n`).join("");
    const tower = Array.from({ length: 200 }, (_, level) => `a${level}: &a${level} [${level === 0 ? "1" : `*a${level - 1}`}]\n`).join("");
    expect(problemOf(bomb)).toEqual(["ALIAS_BOMB", 6, 40]);
    expect(problemOf(tower)).toEqual(["TOO_DEEP", 129, 13]);
    expect(problemOf(`a: &a 1\nb: [${"*a, ".repeat(1001)}]\n`)).toEqual(["ALIAS_BOMB", 2, 5 + 4000]);
    for (const text of ["[".repeat(100_000), "- ".repeat(100_000), "? ".repeat(100_000), "a: ".repeat(100_000), "{a: ".repeat(100_000)]) {
      expect(problemOf(text)).toEqual(["TOO_DEEP", 1, expect.any(Number)]);
    }
    expect(problemOf(`${"[".repeat(100)}${"]".repeat(100)}`)).toBe("parsed");
    expect(problemOf("]".repeat(100_000))).toEqual(["SYNTAX", 1, 1]);
  });

  it("never says any of the text", () => {
    for (const text of ["SECRET: SECRET: SECRET", "a: *SECRET", "a: !SECRET x", '"\\SECRET"', "%SECRET\n---\na", "SECRET\nSECRET: [", "a: ]SECRET"]) {
      const answer = parseYaml(encode(text));
      expect([answer.outcome, JSON.stringify(answer).includes("SECRET")]).toEqual(["unreadable", false]);
    }
  });

  it("has any JSON value as YAML writes it, each pointer where its value begins", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.boolean(), (value, flow) => {
        const plain = JSON.parse(JSON.stringify(value)) as unknown;
        const text = flow ? JSON.stringify(plain, undefined, 1) : stringify(plain, { aliasDuplicateObjects: false });
        const document = documentOf(text);
        expect(document.root.value).toEqual(plain);
        const lines = text.split("\n");
        const places = documentPlaces(document, "/v");
        for (const tokens of tokensIn(plain)) {
          const place = places.positionOf(pointerOf(tokens));
          const rest = lines[(place?.line ?? 0) - 1]?.slice((place?.column ?? 0) - 1) ?? "";
          expect(rest).not.toBe("");
        }
      }),
      { numRuns: 300 },
    );
  });

  it("has an answer for any text, and for any bit of a good one flipped", () => {
    const parts = fc.constantFrom("a", ":", " ", "\n", "-", "- ", "? ", "[", "]", "{", "}", ",", "&a ", "*a", "!", "!!str ", "|", ">", "'", '"', "#", "---\n", "...\n", "%", "\t", "\\", "<<: ", "é", "\r\n", "  ");
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 30 }), (pieces) => {
        expect(["parsed", "unreadable"]).toContain(parseYaml(encode(pieces.join(""))).outcome);
      }),
      { numRuns: 2_000 },
    );
    const good = encode('jobs:\n  - &a {id: "x", n: [1, 2]}\n  - *a\n  - k: |\n      é\n');
    for (let bit = 0; bit < good.length * 8; bit += 1) {
      const bytes = good.slice();
      bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(["parsed", "unreadable"]).toContain(parseYaml(bytes).outcome);
    }
  });
});

describe("a file by the ending of its name", () => {
  it("is YAML or JSON, with the same answer", async () => {
    const tree = memoryTree({ "/a.yaml": "\uFEFFa: 1\n", "/b.YML": "a: 1\n", "/c.json": '{"a":1}', "/d.json": "a: 1\n", "/e.yaml": " ".repeat(MAX_YAML_BYTES + 1) });
    const read = async (path: string) => {
      const file = await readDocumentFile(tree, path);
      if (file.outcome === "not-read") return file.notRead.message;
      return file.outcome === "unreadable" ? [file.syntax, file.problem.code] : [file.syntax, file.value, file.document.byteOrderMark];
    };
    expect(await read("/a.yaml")).toEqual(["YAML", { a: 1 }, "utf-8"]);
    expect(await read("/b.YML")).toEqual(["YAML", { a: 1 }, "none"]);
    expect(await read("/c.json")).toEqual(["JSON", { a: 1 }, "none"]);
    expect(await read("/d.json")).toEqual(["JSON", "SYNTAX"]);
    expect(await read("/e.yaml")).toBe(`/e.yaml has ${MAX_YAML_BYTES + 1} bytes, more than the ${MAX_YAML_BYTES} that may be read`);
  });
});

function tokensIn(value: unknown): string[][] {
  if (typeof value !== "object" || value === null) return [[]];
  return [[], ...Object.entries(value).flatMap(([key, inner]) => tokensIn(inner).map((tokens) => [key, ...tokens]))];
}
