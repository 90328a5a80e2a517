import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FOLDERS } from "./lifecycle.ts";
import { findObject, readingText, readLifecycle, type TreeFile } from "./read-lifecycle.ts";
import { encodeText } from "./text.ts";

const text = (id: string, body = "Do it."): string => `---\nid: ${id}\nkind: TASK\nfrom: PM\nto: DEV\n---\n${body}\n`;
const file = (path: string, content: string): TreeFile => ({ path: `_lifecycle/${path}`, bytes: encodeText(content) });

describe("a reading of lifecycle folders", () => {
  const files = [
    file("inbox/TASK-1.md", text("TASK-1")),
    file("active/TASK-1.md", text("TASK-1")),
    file("inbox/TASK-2.md", text("TASK-2")),
    file("inbox/other-name.md", text("TASK-2", "Do something else.")),
    file("inbox/TASK-3.md", text("TASK-3")),
    file("inbox/task-3.md", text("task-3")),
    file("done/TASK-4.md", text("TASK-4")),
    file("done/half.md", "---\nid: TASK-5\n"),
    file("done/empty.md", ""),
    file("done/notes.txt", "notes"),
    file("done/TASK-6.md.commit-1.tmp", "---"),
    file("somewhere/TASK-7.md", text("TASK-7")),
    { path: "tasks/TASK-8.md", bytes: encodeText(text("TASK-8")) },
    { path: "_dispatch/ledger/00000001/record.json", bytes: encodeText("{}") },
  ];

  it("is the same, byte for byte, for every order of the listing", () => {
    const expected = readingText(readLifecycle(files));
    fc.assert(fc.property(fc.shuffledSubarray(files, { minLength: files.length }), (listed) => readingText(readLifecycle(listed)) === expected), { numRuns: 200, seed: 8 });
  });

  it("is not, where the last in the listing wins", () => {
    expect(readingText(readLifecycle(files, "last-listed"))).not.toBe(readingText(readLifecycle(files.toReversed(), "last-listed")));
  });

  it("keeps conflicts of place, of text and of spelling, each with its paths", () => {
    const paths = (names: readonly string[]): string[] => names.map((name) => `_lifecycle/${name}`);
    expect(readLifecycle(files).conflicts).toEqual([
      { kind: "two-locations", id: "TASK-1", paths: paths(["active/TASK-1.md", "inbox/TASK-1.md"]) },
      { kind: "two-sources", id: "TASK-2", paths: paths(["inbox/TASK-2.md", "inbox/other-name.md"]) },
      { kind: "ids-differ-in-case", id: "TASK-3", paths: paths(["inbox/TASK-3.md", "inbox/task-3.md"]) },
      { kind: "ids-differ-in-case", id: "task-3", paths: paths(["inbox/TASK-3.md", "inbox/task-3.md"]) },
    ]);
  });

  it("stops what a conflict is about, and nothing else", () => {
    const reading = readLifecycle(files);
    expect(["TASK-1", "TASK-2", "TASK-3", "TASK-4", "TASK-9"].map((id) => findObject(reading, id).found)).toEqual(["conflict", "conflict", "conflict", "one", "none"]);
  });

  it("names what is no object, each with its reason", () => {
    expect(readLifecycle(files).problems.map(({ path, code }) => `${path}: ${code}`)).toEqual([
      "_lifecycle/done/TASK-6.md.commit-1.tmp: LEFTOVER",
      "_lifecycle/done/empty.md: OBJECT_UNFINISHED",
      "_lifecycle/done/half.md: OBJECT_UNFINISHED",
      "_lifecycle/done/notes.txt: NOT_AN_OBJECT",
      "_lifecycle/somewhere/TASK-7.md: FOLDER_UNKNOWN",
      "tasks/TASK-8.md: MIXED_TOPOLOGY",
    ]);
  });

  it("knows five folders", () => {
    const all = FOLDERS.map((folder) => file(`${folder}/TASK-${folder}.md`, text(`TASK-${folder}`)));
    expect(readLifecycle(all).sources.map(({ folder }) => folder).toSorted()).toEqual(["active", "archive", "done", "inbox", "review"]);
  });
});
