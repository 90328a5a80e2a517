import { describe, expect, it } from "vitest";
import { MAX_OBJECT_BYTES, readObject } from "./object.ts";
import { encodeText } from "./text.ts";

const WHOLE = "---\nid: TASK-1\nkind: TASK\nfrom: PM\nto: DEV\nsource: board\nafter: [TASK-0, TASK-9]\ntransitions:\n  - at: 2026-01-01\n    from: inbox\n---\nDo it.\n";
const codeOf = (text: string): string => {
  const read = readObject(encodeText(text));
  return read.outcome === "problem" ? read.code : read.outcome;
};

describe("a published object", () => {
  it("is read from its header, and passes over what is indented", () => {
    expect(readObject(encodeText(WHOLE))).toMatchObject({ outcome: "object", object: { id: "TASK-1", kind: "TASK", from: "PM", to: "DEV", source: "board", after: ["TASK-0", "TASK-9"], parent: "", gate: "" } });
  });

  it("has another revision for every byte", () => {
    const revisionOf = (text: string): string => {
      const read = readObject(encodeText(text));
      return read.outcome === "object" ? read.object.revision : "";
    };
    const revisions = [WHOLE, WHOLE.replace("it.", "It."), `${WHOLE} `, WHOLE.replaceAll("\n", "\r\n")].map(revisionOf);
    expect(new Set(revisions).size).toBe(4);
    expect(revisionOf(WHOLE)).toMatch(/^[0-9a-f]{16}$/);
  });

  it("cut off at any byte of its header is unfinished, and never another object", () => {
    const header = WHOLE.lastIndexOf("---") + 2;
    for (let length = 0; length <= header; length += 1) expect([length, codeOf(WHOLE.slice(0, length))]).toEqual([length, "OBJECT_UNFINISHED"]);
  });

  it.each([
    ["OBJECT_HEADER_INVALID", "no header", "Do it.\n"],
    ["OBJECT_HEADER_INVALID", "no id", WHOLE.replace("id: TASK-1\n", "")],
    ["OBJECT_HEADER_INVALID", "an id that is a path", WHOLE.replace("TASK-1", "../TASK-1")],
    ["OBJECT_HEADER_INVALID", "no recipient", WHOLE.replace("to: DEV\n", "")],
    ["OBJECT_HEADER_INVALID", "a kind that nobody knows", WHOLE.replace("kind: TASK", "kind: WISH")],
    ["OBJECT_HEADER_INVALID", "a field given twice", WHOLE.replace("to: DEV", "to: DEV\nto: QA")],
    ["OBJECT_HEADER_INVALID", "a report about nothing", WHOLE.replace("kind: TASK", "kind: REPORT")],
    ["OBJECT_HEADER_INVALID", "a line that is no field", WHOLE.replace("to: DEV", "to: DEV\nwhatever")],
    ["OBJECT_TOO_LARGE", "more than a task", WHOLE + "x".repeat(MAX_OBJECT_BYTES)],
  ])("%s: %s", (code, _what, text) => {
    expect(codeOf(text)).toBe(code);
  });

  it("is not text when it is not UTF-8", () => {
    expect(readObject(Uint8Array.of(0x2d, 0x2d, 0x2d, 0x0a, 0xff))).toMatchObject({ code: "OBJECT_NOT_TEXT" });
  });
});
