import { describe, expect, it } from "vitest";
import { encodeText, objectName, readLifecycle, readObject } from "./index.ts";

describe("the name of an object's file", () => {
  it.each([
    ["TASK-20260902-001-PM-to-DEV.md", { id: "TASK-20260902-001", kind: "TASK", from: "PM", to: "DEV" }],
    ["TASK-20260902-001-LEAD-QA-to-AUTO-TESTER.D1.md", { id: "TASK-20260902-001", kind: "TASK", from: "LEAD-QA", to: "AUTO-TESTER.D1" }],
    ["ISSUE-20260902-017-QA.md", { id: "ISSUE-20260902-017", kind: "ISSUE", from: "QA", to: "" }],
    ["TASK-0b6f0d0e-7c3b-4b55-9d0f-2f9b8f6f5a11.md", { id: "TASK-0b6f0d0e-7c3b-4b55-9d0f-2f9b8f6f5a11", kind: "TASK", from: "", to: "" }],
    ["NOTE-20260902-001-PM-to-DEV.md", undefined],
    ["tide-table.md", undefined],
    ["TASK-20260902-001-PM-to-DEV.md.tmp", undefined],
  ])("%s says what it says", (file, says) => {
    expect(objectName(file)).toEqual(says);
  });

  const bytes = encodeText("---\nprotocol: fcop\nkind: task\nsender: PM\nrecipient: DEV\nSubject line: free\ntransitions:\n- at: x\n---\nbody\n");
  const path = "_lifecycle/inbox/TASK-20260902-001-PM-to-DEV.md";

  it("stands for what the header leaves out, where a reader is told that it counts, and for nobody else", () => {
    expect(readLifecycle([{ path, bytes }], "conflicts", "count").sources).toMatchObject([{ folder: "inbox", object: { id: "TASK-20260902-001", kind: "TASK", from: "PM", to: "DEV" } }]);
    expect(readLifecycle([{ path, bytes }])).toMatchObject({ sources: [], problems: [{ code: "OBJECT_HEADER_INVALID" }] });
  });

  it("does not stand against a header that says another kind, or for a receiver whom nobody names", () => {
    const named = objectName("TASK-20260902-001-PM-to-DEV.md");
    expect(readObject(encodeText("---\nkind: report\n---\n"), named)).toMatchObject({ code: "OBJECT_HEADER_INVALID", says: 'kind is "report" in the header and TASK in the name' });
    expect(readObject(encodeText("---\nkind: task\nsender: PM\n---\n"), objectName("TASK-0b6f0d0e-7c3b-4b55-9d0f-2f9b8f6f5a11.md"))).toMatchObject({ says: "to missing" });
  });
});
