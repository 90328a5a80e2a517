import { describe, expect, it } from "vitest";
import { explainTree } from "./explain.ts";
import { attemptsOf, taskOf } from "./fold.ts";
import { readLedger } from "./read-ledger.ts";
import type { TreeFile } from "./read-lifecycle.ts";
import type { LedgerRecord } from "./record.ts";
import { encodeText } from "./text.ts";

const base = { v: 1, atMs: 1_000, by: "dispatcher-1" } as const;
const offered: LedgerRecord = { ...base, kind: "offered", task: "TASK-1", attempt: "t1", revision: "r1", agent: "DEV", key: "TASK-1#1", because: "scan" };
const claimed: LedgerRecord = { ...base, kind: "claimed", task: "TASK-1", attempt: "t1", agent: "DEV", owner: "dispatcher-1", epoch: 1, expiresAtMs: 61_000 };
const started: LedgerRecord = { ...base, kind: "started", task: "TASK-1", attempt: "t1", epoch: 1, session: "s1", how: "started" };
const at = (seq: number, content: unknown): TreeFile => ({ path: `_dispatch/ledger/${String(seq).padStart(8, "0")}/record.json`, bytes: encodeText(typeof content === "string" ? content : JSON.stringify(content)) });
const task: TreeFile = { path: "_lifecycle/inbox/TASK-1.md", bytes: encodeText("---\nid: TASK-1\nkind: TASK\nfrom: PM\nto: DEV\n---\n") };
const other: TreeFile = { path: "_lifecycle/inbox/TASK-2.md", bytes: encodeText("---\nid: TASK-2\nkind: TASK\nfrom: PM\nto: QA\n---\n") };

describe("a ledger", () => {
  it("adds up to attempts, leases and what is open, in the order of its numbers", () => {
    const { state, problems } = readLedger([at(3, started), at(1, offered), at(2, claimed)]);
    expect(problems).toEqual([]);
    expect(attemptsOf(state, "TASK-1")).toMatchObject([{ id: "t1", status: "running", session: "s1", claims: 1 }]);
    expect(taskOf(state, "TASK-1").lease).toMatchObject({ owner: "dispatcher-1", epoch: 1, expiresAtMs: 61_000 });
  });

  it("stops one task at a status word that nobody knows, and no other", () => {
    const files = [at(1, offered), at(2, { ...base, kind: "ended", task: "TASK-1", attempt: "t1", epoch: 1, status: "vanished", because: "" }), task, other];
    const { problems, state } = readLedger(files);
    expect(problems).toMatchObject([{ code: "RECORD_UNSUPPORTED", seq: 2, task: "TASK-1" }]);
    expect(state.seq).toBe(2);
    expect(explainTree(files, 2_000).tasks.map(({ task: id, openAction }) => [id, openAction])).toEqual([
      ["TASK-1", "read it with the version that wrote it"],
      ["TASK-2", "dispatch it"],
    ]);
  });

  it.each([
    ["a record of zero bytes", [at(1, ""), at(2, claimed)], "RECORD_CORRUPT"],
    ["a record cut off", [at(1, JSON.stringify(offered).slice(0, 40)), at(2, claimed)], "RECORD_CORRUPT"],
    ["a number that is missing", [at(1, offered), at(3, started)], "LEDGER_GAP"],
    ["a record that says not even its task", [at(1, { ...base, kind: "wished" })], "RECORD_UNSUPPORTED"],
  ] as const)("with %s says that nothing may be started", (_what, files, code) => {
    expect(readLedger(files).problems).toMatchObject([{ code, task: undefined }]);
    expect(explainTree([...files, task], 2_000).tasks[0]).toMatchObject({ openAction: "restore the record; nothing is started before", mayDecide: "a person" });
  });

  it("shows an attempt whose task has no source, for a person", () => {
    expect(explainTree([at(1, offered)], 2_000).tasks).toMatchObject([{ task: "TASK-1", state: "missing", openAction: "find its file, or stop it" }]);
  });

  it("takes a lease that expired before it starts for one that nobody holds", () => {
    const files = [at(1, offered), at(2, { ...claimed, expiresAtMs: 0 }), task];
    expect(explainTree(files, 2_000).tasks[0]).toMatchObject({ openAction: "recover: ask the runtime for its key", mayDecide: "any dispatcher" });
  });

  it("lets a release of a past epoch change nothing", () => {
    const again = { ...claimed, epoch: 2, owner: "dispatcher-2", expiresAtMs: 200_000 };
    const { state } = readLedger([at(1, offered), at(2, claimed), at(3, again), at(4, { ...base, kind: "given-back", task: "TASK-1", epoch: 1, because: "" })]);
    expect(taskOf(state, "TASK-1").lease).toMatchObject({ epoch: 2, expiresAtMs: 200_000, isReleased: false });
  });
});
