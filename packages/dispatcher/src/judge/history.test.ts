import { describe, expect, it } from "vitest";
import { explainTree } from "./explain.ts";
import type { TreeFile } from "./read-lifecycle.ts";
import type { LedgerRecord } from "./record.ts";
import { encodeText, fingerprint } from "./text.ts";

const base = { v: 1, atMs: 1_000, by: "dispatcher-1", task: "TASK-1" } as const;
const TEXT = encodeText("---\nid: TASK-1\nkind: TASK\nfrom: PM\nto: DEV\n---\n");
const published: LedgerRecord = { v: 1, atMs: 1_000, by: "dispatcher-1", kind: "published", object: "TASK-1", revision: fingerprint(TEXT), path: "_lifecycle/inbox/TASK-1.md", what: "TASK" };
const moved = (from: string, to: string): LedgerRecord => ({ ...base, kind: "moved", from, to });
const moving = (from: string, to: string): LedgerRecord => ({ ...base, kind: "moving", from, to });
const offered: LedgerRecord = { ...base, kind: "offered", attempt: "t1", revision: fingerprint(TEXT), agent: "DEV", key: "TASK-1#1", because: "scan" };
const claimed: LedgerRecord = { ...base, kind: "claimed", attempt: "t1", agent: "DEV", owner: "dispatcher-1", epoch: 1, expiresAtMs: 61_000 };
const started: LedgerRecord = { ...base, kind: "started", attempt: "t1", epoch: 1, session: "s1", how: "started" };
const reported: LedgerRecord = { ...base, kind: "ended", attempt: "t1", epoch: 1, status: "reported", because: "its session ended" };

function account(folder: string, ...records: LedgerRecord[]) {
  const files: TreeFile[] = records.map((record, index) => ({ path: `_dispatch/ledger/${String(index + 1).padStart(8, "0")}/record.json`, bytes: encodeText(JSON.stringify(record)) }));
  return explainTree([...files, { path: `_lifecycle/${folder}/TASK-1.md`, bytes: TEXT }], 2_000, "LEAD").tasks[0];
}

describe("a history", () => {
  it.each<readonly [string, string, readonly LedgerRecord[]]>([
    ["that leads to where the task is", "review", [published, moved("inbox", "active"), moved("active", "review")]],
    ["whose last move is open, before it", "inbox", [published, moving("inbox", "active")]],
    ["whose last move is open, behind it", "active", [published, moving("inbox", "active")]],
    ["that nobody has written", "archive", []],
  ])("%s has no gap", (_what, folder, records) => {
    expect(account(folder, ...records)?.fact).not.toContain("history");
  });

  it.each<readonly [string, string, readonly LedgerRecord[], string]>([
    ["a task that somebody moved where no rule leads", "archive", [published, moved("inbox", "active")], "its history has a gap: it leads to active, and the task is in archive, where no allowed move leads from there"],
    ["a task that somebody moved as one may", "done", [published, moved("inbox", "active"), moved("active", "review")], "its history has a gap: it leads to review, and the task is in done"],
    ["a task that somebody moved before any dispatcher did", "active", [published], "its history has a gap: it leads to inbox, and the task is in active"],
    ["moves that do not meet", "done", [published, moved("inbox", "active"), moved("review", "done")], "its history has a gap: after active comes a move from review to done"],
    ["a move that is not allowed", "done", [published, moved("inbox", "done")], "its history has a move that the rules do not allow: from inbox to done, by dispatcher-1"],
    ["an open move that leads elsewhere", "archive", [published, moving("inbox", "active")], "its history has a gap: it leads to inbox, and the task is in archive, where no allowed move leads from there"],
  ])("with %s is said, for a person", (_what, folder, records, fact) => {
    expect(account(folder, ...records)).toMatchObject({ fact, openAction: "find out who moved it; put it back, or say that it counts", mayDecide: "LEAD" });
  });

  it("with a gap is said of a task whose attempt runs, and of one that looks done", () => {
    const whole = [published, offered, claimed, moved("inbox", "active"), started];
    expect([account("archive", ...whole), account("archive", ...whole, reported)].map((one) => one?.mayDecide)).toEqual(["LEAD", "LEAD"]);
    expect(account("archive", ...whole)?.fact).toBe("its history has a gap: it leads to active, and the task is in archive, where no allowed move leads from there; t1 is running");
  });
});
