/** The pure half: cycles, classification, records of other versions, and journals that were cut. */
import { describe, expect, it } from "vitest";
import { type AgentRow, classify, type ItemRow, type LockRow, readJournal, readTerminalRecord, replayJournal, type RunRow, type TerminalRecord, waitCycle, type WaitEdge, type WaitRow } from "./index.ts";

const edge = (from: string, to: string): WaitEdge => ({ from, to, over: "lock x", sinceMs: 0 });

describe("a wait graph", () => {
  it("has a cycle where everybody in it waits for the next", () => {
    expect(waitCycle([edge("b", "c"), edge("c", "a"), edge("a", "b"), edge("d", "a")])).toEqual(["a", "b", "c"]);
  });

  it("has none in a chain, in a diamond, or where nobody waits", () => {
    expect(waitCycle([edge("a", "b"), edge("b", "c")])).toEqual([]);
    expect(waitCycle([edge("a", "b"), edge("a", "c"), edge("b", "d"), edge("c", "d")])).toEqual([]);
    expect(waitCycle([])).toEqual([]);
  });
});

const run = { id: "r", state: "running", itemsTotal: 1 } as unknown as RunRow;
const item = (name: string, rest: Partial<ItemRow>): ItemRow => ({ id: `r/${name}`, run: "r", name, position: 0, status: "claimed", needs: [], locks: [], toolMs: 1, tokens: 1, owner: null, epoch: 1, chargedEpoch: 0, claimedAtMs: 0, expiresAtMs: 0, uri: null, ...rest });
const agent = (owner: string, name: string): AgentRow => ({ id: `r/${owner}`, run: "r", name, parent: "supervisor", process: "w", owner, status: "running" });
const lock = (id: string, holder: string): LockRow => ({ id, run: "r", holder });
const wait = (owner: string, target: string): WaitRow => ({ id: owner, run: "r", owner, kind: "lock", target, sinceMs: 0 });

describe("the reason why a run stands still", () => {
  const items = [item("one", { owner: "o-1", claimedAtMs: 5, expiresAtMs: 900 }), item("two", { owner: "o-2", claimedAtMs: 9, expiresAtMs: 500 })];
  const agents = [agent("o-1", "left"), agent("o-2", "right")];

  it("is a deadlock with its participants where agents wait in a circle", () => {
    const picture = { run, items, agents, locks: [lock("a", "o-1"), lock("b", "o-2")], waits: [wait("o-1", "b"), wait("o-2", "a")] };
    expect(classify(picture)).toEqual({ cause: "deadlock", stuckAgent: "left", stuckItem: "one", cycle: ["left", "right"] });
  });

  it("is the deadline where one waits for another that works, and names whose claim is oldest, though its lease is fresher", () => {
    const picture = { run, items, agents, locks: [lock("a", "o-1")], waits: [wait("o-2", "a")] };
    expect(classify(picture)).toEqual({ cause: "deadline", stuckAgent: "left", stuckItem: "one", cycle: [] });
  });

  it("is completion where everything is done and only the record is missing, and failure where the rest has failed for good", () => {
    const none = { run, agents, locks: [], waits: [] };
    expect(classify({ ...none, items: [item("one", { status: "done" })] }).cause).toBe("completed");
    expect(classify({ ...none, items: [] }).cause).toBe("unclassified");
    expect(classify({ ...none, items: [item("one", { status: "done" }), item("two", { status: "failed" })] }).cause).toBe("failed");
  });
});

const record: TerminalRecord = {
  recordVersion: 1,
  id: "record-1",
  run: "r",
  state: "cancelled",
  cause: "deadline",
  writtenBy: "supervisor",
  atMs: 1,
  startedAtMs: 0,
  exhaustedCounter: null,
  stuckAgent: null,
  stuckItem: null,
  cycle: [],
  trace: null,
  done: [],
  failed: [],
  notFinished: [],
  used: { tokens: 0, toolCalls: 0, agents: 0 },
};

describe("a terminal record", () => {
  it("is read whole", () => {
    expect(readTerminalRecord(record)).toEqual({ outcome: "ok", record });
  });

  it("of a newer version is not read, and nothing is guessed from it", () => {
    expect(readTerminalRecord({ ...record, recordVersion: 2 })).toEqual({
      outcome: "unsupported",
      code: "RECORD_VERSION_UNSUPPORTED",
      says: "RECORD_VERSION_UNSUPPORTED: the record has version 2 and this reader knows 1. Read it with the program that wrote it; nothing was resumed.",
    });
  });

  it("with a cause that is not on the list is none", () => {
    const read = readTerminalRecord({ ...record, cause: "timeout" });
    expect(read.outcome === "invalid" && read.says.startsWith("RECORD_INVALID: this is no terminal record at cause:")).toBe(true);
  });
});

describe("a journal", () => {
  const line = (seq: number, state: string, outcome = "applied"): string => JSON.stringify({ seq, atMs: seq, by: "p", reason: "run.x", outcome, changes: [{ table: "runs", id: "r", set: { state } }] });

  it("is replayed to the rows that the applied transitions left", () => {
    const { entries } = readJournal(`${line(1, "running")}\n${line(2, "completed")}\n${line(3, "cancelled", "refused")}\n`);
    expect(replayJournal(entries).get("runs")?.get("r")).toEqual({ id: "r", state: "completed" });
  });

  it("is read in the order of its numbers, each once, and names a line that has the number of another one", () => {
    const { entries, damaged, missing } = readJournal(`${line(2, "completed")}\n${line(1, "running")}\n${line(1, "running")}\n${line(2, "cancelled")}\n`);
    expect([replayJournal(entries).get("runs")?.get("r"), damaged, missing]).toEqual([{ id: "r", state: "completed" }, [{ line: 4, says: "seq: 2 is another transition further up" }], 0]);
  });

  it("that was cut names the line and the gap, and keeps the rest", () => {
    const { entries, damaged, missing } = readJournal(`${line(1, "running")}\n${line(2, "x").slice(0, 30)}\n{"seq":3}\n${line(5, "completed")}\n`);
    expect({ kept: entries.length, lines: damaged.map(({ line: at }) => at), missing }).toEqual({ kept: 2, lines: [2, 3], missing: 3 });
  });
});
