import {
  blastRadius,
  judgeDocument,
  judgeTaskFiles,
  MAX_ENTRIES,
  parityFacts,
  type DocumentShape,
  type LoaderPolicy,
  type RegistryReading,
} from "@casebook/registry/judge";
import { describe, expect, it } from "vitest";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const judge = (text: string, shape: DocumentShape, policy: LoaderPolicy = "quarantine-entry"): RegistryReading =>
  judgeDocument(bytes(text), shape, policy);
const array: DocumentShape = { kind: "array", pointer: "/scheduledTasks" };
const good = (id: string): string => `{"id":"${id}","fireAt":1}`;
const bad = (id: string): string => `{"id":"${id}","fireAt":"soon"}`;
const ids = (reading: RegistryReading): string[] => reading.loaded.map((task) => task.id);

describe("loading nine tasks of which two are bad", () => {
  const entries = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) =>
    number === 4 || number === 8 ? bad(`t${number}`) : good(`t${number}`),
  );
  const text = `{"scheduledTasks":[${entries.join()}]}`;

  it("loads 0 when the list is judged as a whole, and 7 good ones go with the bad", () => {
    const reading = judge(text, array, "reject-file");
    expect(reading).toMatchObject({
      outcome: "rejected",
      population: { count: 9, countedBy: "entries" },
      loaded: [],
      dropped: 9,
    });
    expect(reading.outcome === "rejected" && blastRadius(reading)).toBe(7);
    expect(parityFacts(reading)).toEqual({ onDisk: 9, loaded: 0, quarantined: 0 });
  });

  it("loads 7 and names 2 when entries are judged one by one", () => {
    const reading = judge(text, array);
    expect(ids(reading)).toEqual(["t1", "t2", "t3", "t5", "t6", "t7", "t9"]);
    expect(reading.quarantined.map((entry) => [entry.id, entry.pointer])).toEqual([
      ["t4", "/scheduledTasks/3"],
      ["t8", "/scheduledTasks/7"],
    ]);
    expect(reading.outcome === "loaded" && blastRadius(reading)).toBe(7);
    expect(parityFacts(reading)).toEqual({ onDisk: 9, loaded: 7, quarantined: 2 });
  });
});

describe("the shapes of a registry", () => {
  it.each<[string, string, DocumentShape]>([
    ["a list under a key", `{"scheduledTasks":[${good("a")},${good("b")}]}`, array],
    ["a list further in", `{"x/y":{"jobs":[${good("a")},${good("b")}]}}`, { kind: "array", pointer: "/x~1y/jobs" }],
    ["a bare list", `[${good("a")},${good("b")}]`, { kind: "bare-array" }],
    ["a map by id", `{"jobs":{"a":{"fireAt":1},"b":${good("b")}}}`, { kind: "id-keyed-map", pointer: "/jobs" }],
    ["a map by id that is the document", `{"a":{"fireAt":1},"b":{"fireAt":1}}`, { kind: "id-keyed-map", pointer: "" }],
    [
      "two lists, one declared",
      `{"items":[${bad("z")}],"watched":[${good("a")},${good("b")}]}`,
      { kind: "several-lists", declared: "watched" },
    ],
    [
      "one list that needs no declaration",
      `{"watched":[${good("a")},${good("b")}],"version":1}`,
      { kind: "several-lists", declared: undefined },
    ],
  ])("reads %s", (_, text, shape) => {
    const reading = judge(text, shape);
    expect(ids(reading)).toEqual(["a", "b"]);
    expect(reading.population).toEqual({ count: 2, countedBy: "entries" });
  });

  it.each<[string, string, DocumentShape, string, string]>([
    [
      "no list where one should be",
      '{"version":1,"tasks":[]}',
      array,
      "REGISTRY_RECORDS_MISSING",
      "there is nothing at /scheduledTasks; its keys are version, tasks",
    ],
    [
      "a map where a list should be",
      '{"scheduledTasks":{}}',
      array,
      "REGISTRY_RECORDS_WRONG_KIND",
      "/scheduledTasks is an object, not a list",
    ],
    [
      "null where a list should be",
      '{"scheduledTasks":null}',
      array,
      "REGISTRY_RECORDS_WRONG_KIND",
      "/scheduledTasks is null, not a list",
    ],
    [
      "a list where a map should be",
      "[]",
      { kind: "id-keyed-map", pointer: "" },
      "REGISTRY_RECORDS_WRONG_KIND",
      "the document is a list, not an object",
    ],
    [
      "an empty second list under the same key",
      `{"scheduledTasks":[${good("a")}],"scheduledTasks":[]}`,
      array,
      "REGISTRY_RECORDS_REPEATED",
      "/scheduledTasks is there more than once, and which one counts is a guess",
    ],
    [
      "two lists without a declaration",
      `{"watched":[${good("a")}],"items":[]}`,
      { kind: "several-lists", declared: undefined },
      "REGISTRY_LISTS_UNDECLARED",
      "top-level lists ['items', 'watched'], none declared authoritative",
    ],
    [
      "two lists of which one is damaged to the last entry",
      '{"tasks":["x",null,[]],"archived":[]}',
      { kind: "several-lists", declared: undefined },
      "REGISTRY_LISTS_UNDECLARED",
      "top-level lists ['archived', 'tasks'], none declared authoritative",
    ],
    [
      "one list, which may be a list of words, because there is no object in it",
      '{"version":1,"tags":["x"]}',
      { kind: "several-lists", declared: undefined },
      "REGISTRY_LISTS_UNDECLARED",
      "top-level lists ['tags'], none declared authoritative",
    ],
    [
      "a declared list that is not there",
      '{"items":[]}',
      { kind: "several-lists", declared: "watched" },
      "REGISTRY_RECORDS_MISSING",
      "there is nothing at /watched; its keys are items",
    ],
    [
      "no list at all",
      '{"version":1}',
      { kind: "several-lists", declared: undefined },
      "REGISTRY_RECORDS_MISSING",
      "there is no list at the top level; its keys are version",
    ],
    [
      "more entries than anyone has",
      `[${"0,".repeat(MAX_ENTRIES)}0]`,
      { kind: "bare-array" },
      "REGISTRY_TOO_MANY_ENTRIES",
      "100001 entries, more than the limit of 100000",
    ],
  ])("answers %s with a problem and no count, never with an empty list", (_, text, shape, code, what) => {
    for (const policy of ["reject-file", "quarantine-entry"] as const) {
      const reading = judge(text, shape, policy);
      expect(reading).toMatchObject({ outcome: "unreadable", population: undefined, problem: { code, what } });
      expect(parityFacts(reading)).toBeUndefined();
    }
  });

  it("knows an empty registry, which is none of these", () => {
    expect(judge('{"scheduledTasks":[]}', array)).toMatchObject({
      outcome: "loaded",
      population: { count: 0 },
      loaded: [],
      quarantined: [],
    });
  });
});

describe("the same id twice", () => {
  it("sets both aside and names both places, because taking the last one is how a task changes without a trace", () => {
    const reading = judge(`{"scheduledTasks":[${good("a")},${good("twin")},{"id":"twin","fireAt":2}]}`, array);
    expect(ids(reading)).toEqual(["a"]);
    expect(reading.quarantined.map((entry) => entry.problems[0].say)).toEqual([
      'DUPLICATE_ID: /scheduledTasks/1/id (line 1, column 48) of "twin" is text "twin", wanted an id that /scheduledTasks/2 does not have. A task that is set aside does not fire. Correct it in the file.',
      'DUPLICATE_ID: /scheduledTasks/2/id (line 1, column 73) of "twin" is text "twin", wanted an id that /scheduledTasks/1 does not have. A task that is set aside does not fire. Correct it in the file.',
    ]);
  });

  it("sets the good one aside too when the other is bad, because the id is still claimed twice", () => {
    const reading = judge(`[${good("twin")},${bad("twin")}]`, { kind: "bare-array" });
    expect(reading.loaded).toEqual([]);
    expect(reading.quarantined.map((entry) => entry.problems.map((found) => found.code))).toEqual([
      ["DUPLICATE_ID"],
      ["FIRE_AT_INVALID", "DUPLICATE_ID"],
    ]);
  });

  it("counts two in a map with a repeated key, where a parsed object would hold one", () => {
    const reading = judge('{"a":{"fireAt":1},"a":{"fireAt":2}}', { kind: "id-keyed-map", pointer: "" });
    expect(reading).toMatchObject({ population: { count: 2 }, loaded: [] });
    expect(reading.quarantined.map((entry) => entry.problems[0].code)).toEqual(["DUPLICATE_ID", "DUPLICATE_ID"]);
  });

  it.each<[string, string]>([
    ["says another id", '{"a":{"id":"b","fireAt":1},"a":{"fireAt":2}}'],
    ["has an id that is none", '{"a":{"id":7,"fireAt":1},"a":{"fireAt":2}}'],
    ["is no object", '{"a":null,"a":{"fireAt":2}}'],
    ["spells it with an escape", '{"\\u0061":{"id":"b","fireAt":1},"a":{"fireAt":2}}'],
  ])("loads none of a map's two under one key, also where the first %s, because the last one does not win", (_, text) => {
    const reading = judge(text, { kind: "id-keyed-map", pointer: "" });
    expect(reading).toMatchObject({ population: { count: 2 }, loaded: [] });
    expect(reading.quarantined.map((entry) => entry.problems.at(-1)?.code)).toEqual(
      Array.from({ length: 2 }, () => expect.stringMatching(/^DUPLICATE_(ID|KEY)$/)),
    );
    expect(judge(text, { kind: "id-keyed-map", pointer: "" }, "reject-file")).toMatchObject({ outcome: "rejected" });
  });

  it("names the key that a map has twice", () => {
    const reading = judge('{"a":{"id":"b","fireAt":1},\n"a":{"fireAt":2}}', { kind: "id-keyed-map", pointer: "" });
    expect(reading.quarantined.at(-1)?.problems.map((found) => found.say)).toEqual([
      'DUPLICATE_KEY: /a (line 2, column 5) of "a" is an object of 1 key(s), wanted a key that no other entry has, and 2 have it. ' +
        "A task that is set aside does not fire. Correct it in the file.",
    ]);
  });

  it("sets an entry aside whose id is not the key it is filed under", () => {
    const reading = judge(`{"a":${good("b")}}`, { kind: "id-keyed-map", pointer: "" });
    expect(reading.quarantined[0]?.problems.map((found) => [found.code, found.wanted])).toEqual([
      ["ID_MISMATCH", 'the name it is filed under, "a"'],
    ]);
  });

  it("reads a map entry named __proto__ as any other", () => {
    expect(ids(judge('{"__proto__":{"fireAt":1}}', { kind: "id-keyed-map", pointer: "" }))).toEqual(["__proto__"]);
  });
});

describe("a byte order mark", () => {
  const marked = `\ufeff{"scheduledTasks":[${good("a")}]}`;

  it("costs a strict reader every task, and the count stays known", () => {
    const reading = judge(marked, array, "reject-file");
    expect(reading).toMatchObject({
      outcome: "rejected",
      problem: { code: "REGISTRY_BYTE_ORDER_MARK" },
      dropped: 1,
      invalid: [],
    });
    expect(parityFacts(reading)).toEqual({ onDisk: 1, loaded: 0, quarantined: 0 });
  });

  it("costs a reader of entries nothing but a notice", () => {
    expect(judge(marked, array)).toMatchObject({
      loaded: [{ id: "a" }],
      notices: ["the file starts with a UTF-8 byte order mark (EF BB BF); strict readers fail on it"],
    });
  });
});

it("notices keys that are repeated where no task is lost by it", () => {
  const reading = judge(`{"scheduledTasks":[${good("a")}],\n"recordedSkips":{"a":[],"a":[]}}`, array);
  expect(reading).toMatchObject({
    loaded: [{ id: "a" }],
    notices: ["1 repeated key(s), first /recordedSkips/a (line 2)"],
  });
});

describe("a directory of task files", () => {
  const file = (name: string, text: string) => ({ name, content: { bytes: bytes(text) } });

  it("counts a file that does not parse, names it, and loads the others in order of their names", () => {
    const files = [file("b.json", '{"fireAt":1}'), file("a.json", good("a")), file("c.json", '{"fireAt":')];
    const reading = judgeTaskFiles(files, ["notes.txt"], "quarantine-entry");
    expect(ids(reading)).toEqual(["a", "b"]);
    expect(reading).toMatchObject({ population: { count: 3, countedBy: "files" }, ignored: ["notes.txt"] });
    expect(reading.quarantined.map((entry) => entry.problems[0].say)).toEqual([
      "ENTRY_UNREADABLE: c.json holds no readable task: REGISTRY_TRUNCATED, the text ends where a value should follow, 1 level(s) deep. " +
        "A task that is set aside does not fire. Restore it from a copy, or repair it at the place named; write nothing through it until then.",
    ]);
  });

  it("sets a file aside that holds another task's id, or a list", () => {
    const reading = judgeTaskFiles([file("a.json", good("b")), file("b.json", "[]")], [], "quarantine-entry");
    expect(reading.quarantined.map((entry) => [entry.file, entry.problems[0].code])).toEqual([
      ["a.json", "ID_MISMATCH"],
      ["b.json", "ENTRY_NOT_OBJECT"],
    ]);
  });

  it("notices a byte order mark and repeated keys as in one file, and names the first file that has them", () => {
    const files = [
      file("a.json", '{"fireAt":1}'),
      file("b.json", '\ufeff{"fireAt":1,\n"x":{"y":1,"y":2}}'),
      file("c.json", '\ufeff{"fireAt":1,"z":0,"z":1}'),
    ];
    expect(judgeTaskFiles(files, [], "quarantine-entry")).toMatchObject({
      loaded: [{ id: "a" }, { id: "b" }, { id: "c" }],
      notices: [
        "b.json and 1 more file(s) start with a UTF-8 byte order mark (EF BB BF); strict readers fail on it",
        "2 repeated key(s), first b.json /x/y (line 2)",
      ],
    });
  });

  it("is lost to a strict reader by one byte order mark, as one file is", () => {
    const files = [file("a.json", '{"fireAt":1}'), file("b.json", '\ufeff{"fireAt":1}')];
    const reading = judgeTaskFiles(files, [], "reject-file");
    expect(reading).toMatchObject({
      outcome: "rejected",
      problem: {
        code: "REGISTRY_BYTE_ORDER_MARK",
        what: "b.json starts with a UTF-8 byte order mark (EF BB BF)",
      },
      dropped: 2,
      invalid: [],
    });
    expect(parityFacts(reading)).toEqual({ onDisk: 2, loaded: 0, quarantined: 0 });
  });
});
