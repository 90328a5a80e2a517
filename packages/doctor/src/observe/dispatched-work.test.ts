/** Dispatched work as it may be found: whole, half written, in two places, in words that nobody knows. Nothing is guessed from any of it. */
import { describe, expect, it } from "vitest";
import { look, type Looked } from "../examine/look.fixture.ts";
import { attemptStore, DESK_RECORD, DESK_RECORDS, FIXTURE_NOW_MS, type Fixture, HISTORY, lifecycleFoldersHealthy, lifecycleLedger, type Moved, taskFile, taskPath, withFile, writtenAt } from "../presets/fixtures/index.ts";
import { PRESETS } from "../presets/index.ts";
import { memoryTree } from "../trees/index.ts";
import type { Tree } from "../tree.ts";
import { observe } from "./observe.ts";

const HOUR = 3_600_000;
const folders = lifecycleFoldersHealthy();
const [created] = HISTORY as readonly [Moved, Moved];
/** The layout's own row, and what every row says that is neither PASS nor of the layout. */
const said = ({ report }: Looked) => report.rows.filter(({ verdict }) => verdict !== "PASS").map(({ verdict, subject, because, reason }) => [verdict, subject, because, reason].filter((one) => one !== undefined).join(" | "));
const withTask = (path: string, text: string, atMs = FIXTURE_NOW_MS - HOUR): Fixture => withFile(folders, path, writtenAt(atMs, text), "");

describe("work that is well", () => {
  it("says of each task the fact, the open action and who may decide, in folders alone", async () => {
    const { report, exit } = await look(folders);
    expect(exit).toBe(0);
    expect(report.work.map(({ task, state, fact, openAction, mayDecide }) => [task, state, fact, openAction, mayDecide])).toEqual([
      ["TASK-20260901-001", "inbox", "in inbox for 14.0 h", "take it", "DEV"],
      ["TASK-20260901-002", "active", "in active for 3.0 h", "finish it, and hand it in", "DEV"],
      ["TASK-20260901-003", "review", "in review for 2.0 h", "accept it, or send it back", "anybody but DEV"],
      ["TASK-20260901-004", "done", "in done for 60 min", "none", "nobody"],
    ]);
  });

  it("does so from a ledger beside them, and from a store of attempts", async () => {
    const desk = await look(lifecycleLedger());
    expect(desk.report.work.map(({ task, fact, openAction, mayDecide }) => [task, fact, openAction, mayDecide])).toEqual([
      ["berth-plan", "t-2 is settled", "none", "nobody"],
      ["tide-table", "t-1 runs as s-1, held by dispatcher-1", "wait for its end", "dispatcher-1"],
    ]);
    const store = await look(attemptStore());
    expect(store.report.work.map(({ task, fact, openAction, mayDecide }) => [task, fact, openAction, mayDecide])).toEqual([
      ["TASK-20260902-001", "attempt-1 is running as session-1, held by DEV-1 for 11 min more", "wait for its end", "DEV-1"],
      ["TASK-20260902-002", "attempt-2 is settled", "none", "nobody"],
    ]);
    expect([desk.exit, store.exit]).toEqual([0, 0]);
  });

  it("is not planned where no guard of it was asked for", async () => {
    const { report } = await look(folders, { only: ["residue/leftovers"] });
    expect({ work: report.work, rows: report.rows.map(({ kind }) => kind) }).toEqual({ work: [], rows: ["layout"] });
  });
});

describe("lifecycle folders", () => {
  it("of which a task is being written say so, and judge the others", async () => {
    const path = taskPath("inbox", 5);
    const half = taskFile([created]).slice(0, 40);
    expect(said(await look(withTask(path, half, FIXTURE_NOW_MS - 1_000)))).toEqual([
      `NOT RUN | lifecycle-folders | ${path} has a header that has not ended and changed a moment ago: its writer may be at work; run again | unstable-input`,
    ]);
    expect(said(await look(withTask(path, half)))).toEqual([`NOT RUN | lifecycle-folders | ${path} has a header that never ends (OBJECT_UNFINISHED) | unsupported`]);
    expect(said(await look(withTask(path, "")))).toEqual([`NOT RUN | lifecycle-folders | ${path} has a header that never ends (OBJECT_UNFINISHED) | unsupported`]);
  });

  it("in which a file moves while they are read are read again, and are NOT RUN when it never ends", async () => {
    const moving = async (everyLook: boolean) => {
      const before = memoryTree(folders.files);
      const after = memoryTree(Object.fromEntries(Object.entries(folders.files).map(([path, entry]) => [path === taskPath("inbox", 1) ? taskPath("active", 1) : path, entry])));
      let lists = 0;
      const tree: Tree = {
        list: (path) => {
          const isInbox = path.endsWith("/inbox");
          if (isInbox) lists += 1;
          // The walk lists it once, each look twice.
          return (everyLook ? lists % 2 === 0 : lists < 3) ? before.list(path) : after.list(path);
        },
        stat: (path) => (path.includes("/active/TASK-20260901-001") ? after.stat(path) : before.stat(path)),
        readRange: (path, offset, length) => (path.includes("/active/TASK-20260901-001") ? after.readRange(path, offset, length) : before.readRange(path, offset, length)),
      };
      return observe(tree, { places: folders.places, presets: PRESETS, nowMs: FIXTURE_NOW_MS, machineZone: "UTC" });
    };
    const settled = (await moving(false)).layouts[0];
    expect(settled?.dispatch?.flatMap((one) => (one.kind === "lifecycle" ? one.reading.sources.filter(({ object }) => object.id === "TASK-20260901-001").map(({ folder }) => folder) : []))).toEqual(["active"]);
    expect((await moving(true)).layouts[0]?.notRead.map(({ reason, message }) => `${reason}: ${message}`)).toEqual([
      "unstable-input: the folders of /home/ada/harbour/fcop changed during each of 4 looks; run again when their writers are quiet",
    ]);
  });

  it("with ids that differ in case only name both, and let neither win", async () => {
    const one = (id: string) => `---\nid: ${id}\nkind: TASK\nfrom: ada\nto: DEV\n---\n`;
    const files = { "/home/ada/x/_lifecycle/inbox/a.md": one("tide"), "/home/ada/x/_lifecycle/inbox/b.md": one("Tide") };
    expect(said(await look({ files, places: ["/home/ada/x"] }))).toEqual(["FAIL | Tide | beside tide", "FAIL | tide | beside Tide"]);
  });

  it("below two roots with one text are a copy or two mounts: which counts nobody can tell", async () => {
    const copy = Object.fromEntries(Object.entries(folders.files).map(([path, entry]) => [path.replace("/harbour/", "/mirror/"), entry]));
    expect(said(await look({ files: { ...folders.files, ...copy }, places: ["/home/ada"] }))).toEqual([
      "NOT RUN | lifecycle-folders | 4 objects lie with the same text below /home/ada/harbour/fcop and /home/ada/mirror/fcop, such as TASK-20260901-001: a copy, or one set of folders on two mounts, and which of them counts cannot be told | missing-input",
    ]);
  });

  it("of which one is a link to another mount say that a move would be no rename", async () => {
    const { notRead } = await observe(memoryTree({ ...folders.files, "/home/ada/harbour/fcop/_lifecycle/archive": { link: "/mnt/cold/archive" } }), { places: folders.places, presets: PRESETS, nowMs: FIXTURE_NOW_MS, machineZone: "UTC" }).then(({ layouts }) => layouts[0] as { notRead: readonly { message: string }[] });
    expect(notRead.map(({ message }) => message)).toEqual(["/home/ada/harbour/fcop/_lifecycle/archive is a link, and links are not followed: one mount has all five folders, or a move is no rename"]);
  });

  it("beside the layout before them are NOT RUN", async () => {
    const path = "/home/ada/harbour/fcop/tasks/TASK-20260801-001-PM-to-DEV.md";
    expect(said(await look(withTask(path, taskFile([created]))))).toEqual([
      `NOT RUN | lifecycle-folders | ${path} is of the layout before this one, and beside _lifecycle/ nobody can say which of them counts (MIXED_TOPOLOGY) | missing-input`,
    ]);
  });

  it.each([
    ["is no list", "transitions: none\n", "`transitions` is no list"],
    ["has a move without a folder", "transitions:\n- at: '2026-09-01T18:00:00Z'\n  to: 7\n", "move 1 of 1 has no folders in `from` and `to`, or no moment in `at`"],
    ["has a moment without an offset", "transitions:\n- at: '2026-09-01T18:00:00'\n  to: inbox\n", "move 1 of 1 has no folders in `from` and `to`, or no moment in `at`"],
    ["corrects itself", "transitions:\n- at: '2026-09-01T18:00:00Z'\n  to: inbox\n  supersedes: one\n", "move 1 corrects another, and which of them count is not known here"],
    ["is no YAML", "transitions: [\n", "its header is no YAML"],
  ])("whose history %s are NOT RUN, because nobody can say that nothing is missing in it", async (_what, lines, says) => {
    const path = taskPath("inbox", 5);
    const text = `---\nkind: task\nsender: PM\nrecipient: DEV\n${lines}---\n`;
    expect(said(await look(withTask(path, text)))).toEqual([`NOT RUN | lifecycle-folders | the moves in ${path} could not be read: ${says} | unsupported`]);
  });

  it("take the first place that a migration gave a task, whichever it is", async () => {
    const text = taskFile([{ ...created, to: "done" }]);
    expect((await look(withTask(taskPath("done", 5), text))).alarms).toEqual(["dispatch/illegal-transition"]);
    expect((await look(withTask(taskPath("done", 5), text.replace("move_task", "fcop_migrate_v3")))).alarms).toEqual([]);
  });

  it("never say what stands in a header that they could not read", async () => {
    const { report } = await look(withTask("/home/ada/harbour/fcop/_lifecycle/inbox/note.md", "---\nthe secret is 4711\n---\n"));
    expect(JSON.stringify(report)).not.toContain("4711");
    expect(report.rows.some(({ because }) => because.includes("OBJECT_HEADER_INVALID"))).toBe(true);
  });

  it("report what a dead writer left, and pass over what a living one is writing", async () => {
    const path = "/home/ada/harbour/fcop/_lifecycle/inbox/x.md.tmp";
    const guards = async (atMs: number) => (await look(withTask(path, "-", atMs))).report.findings.map(({ guard }) => guard);
    expect(await guards(FIXTURE_NOW_MS - HOUR)).toEqual(["residue/leftovers"]);
    expect(await guards(FIXTURE_NOW_MS - 1_000)).toEqual([]);
  });
});

describe("a ledger beside the folders", () => {
  it("is not looked at when the folders alone are named", async () => {
    const { report } = await look({ ...lifecycleLedger(), places: ["/home/ada/desk/_lifecycle"] });
    expect(report.work.map(({ task, fact }) => [task, fact])).toEqual([["berth-plan", "in done"], ["tide-table", "in active"]]);
  });

  const more = (...records: readonly (Parameters<typeof lifecycleLedger>[0] & object)[number][]) => look(lifecycleLedger([...DESK_RECORDS, ...records]));

  it("with a record of zero bytes says which, and starts nothing", async () => {
    const looked = await more("");
    expect(looked.exit).toBe(3);
    expect(said(looked)).toEqual([
      "NOT RUN | lifecycle-folders | record 15 of the ledger of /home/ada/desk could not be read: 0 bytes that are no record | unsupported",
      "NOT RUN | berth-plan | the ledger is damaged: 0 bytes that are no record | unsupported",
      "NOT RUN | tide-table | the ledger is damaged: 0 bytes that are no record | unsupported",
    ]);
  });

  it("with the folder of a number and no record in it says that the number is not there", async () => {
    const fixture = lifecycleLedger();
    const looked = await look({ ...fixture, files: { ...fixture.files, "/home/ada/desk/_dispatch/ledger/00000015/": "" } });
    expect(said(looked)[0]).toBe("NOT RUN | lifecycle-folders | record 15 of the ledger of /home/ada/desk could not be read: 0 bytes that are no record | unsupported");
  });

  it("with a gap alarms, and says of no task more than that", async () => {
    const fixture = lifecycleLedger();
    const looked = await look(withFile(fixture, "/home/ada/desk/_dispatch/ledger/00000003/record.json", undefined, ""));
    expect(looked.report.findings.map(({ guard, message }) => `${guard}: ${message}`)).toEqual(["dispatch/history-rewritten: 1 faults in a history of 13 records: no record 3 of 14"]);
    expect(said(looked).slice(1)).toEqual(["NOT RUN | berth-plan | the ledger is damaged: record 3 is missing, and 14 is there | missing-input", "NOT RUN | tide-table | the ledger is damaged: record 3 is missing, and 14 is there | missing-input"]);
  });

  it("with a status that nobody knows stops one task, and no other", async () => {
    const looked = await more(JSON.stringify({ v: 1, by: "d", atMs: FIXTURE_NOW_MS, kind: "ended", task: "tide-table", attempt: "t-1", epoch: 1, status: "vanished", because: "" }));
    expect(said(looked).map((line) => line.split(" | ").slice(0, 2))).toEqual([["NOT RUN", "lifecycle-folders"], ["NOT RUN", "tide-table"]]);
  });

  it("with an attempt whose task has no file says that it is missing", async () => {
    const { offered } = DESK_RECORD;
    expect(said(await more(offered("fog-horn", "t-9")))).toEqual(["NOT RUN | fog-horn | on record, and no readable source declares it | missing-input"]);
  });

  it("with a lease that ends before it starts alarms at once", async () => {
    const { claimed } = DESK_RECORD;
    expect(said(await more(claimed("tide-table", "t-1", "2026-09-02T04:00:00Z")))).toEqual(["FAIL | tide-table | lease of dispatcher-1, ends before it begins"]);
  });
});

describe("a store of attempts", () => {
  const entry = (change: object, list: "attempts" | "leases" = "attempts") => look(attemptStore((entries) => void Object.assign(entries[list][0] as object, change)));

  it("with a status word that nobody knows is NOT RUN for that task", async () => {
    expect(said(await entry({ status: "paused" }))).toEqual(['NOT RUN | TASK-20260902-001 | attempt-1 has a status that is not known here: text "paused" | unsupported']);
  });

  it("with an attempt that names no task says where it stands", async () => {
    expect(said(await entry({ task_id: undefined }))).toEqual([
      "NOT RUN | codeflowmu-dispatch | attempt attempt-1 names no task (/home/ada/quay/.codeflowmu/dispatch/dispatch-state.json:4:5  /attempts/0) | unsupported",
    ]);
  });

  it("with a lease that ends before it starts, or that has run out, alarms", async () => {
    expect(said(await entry({ expires_at: "2026-09-02T07:00:00.000Z" }, "leases"))).toEqual(["FAIL | TASK-20260902-001 | lease of DEV-1, ends before it begins"]);
    expect(said(await look(attemptStore(), { nowMs: FIXTURE_NOW_MS + HOUR }))).toEqual(["FAIL | TASK-20260902-001 | lease of DEV-1, over for 50 min"]);
  });

  it("with task ids that differ in case only says of neither how it stands", async () => {
    const looked = await look(attemptStore(({ attempts }) => void attempts.push({ ...attempts[1], attempt_id: "attempt-3", idempotency_key: "k-3", task_id: "fog-horn" }, { ...attempts[1], attempt_id: "attempt-4", idempotency_key: "k-4", task_id: "Fog-Horn" })));
    expect(looked.report.rows.filter(({ verdict }) => verdict === "NOT RUN").map(({ subject }) => subject)).toEqual(["Fog-Horn", "fog-horn"]);
  });

  it.each([
    ["zero bytes", "", "has zero bytes: it was created and not written, which is not the same as no attempt and no lease"],
    ["half of its bytes", '{"version": 1, "attempts": [', "could not be read as JSON: "],
    ["another version", '{"version": 2, "attempts": [], "leases": []}', "has version number 2, and 1 is known: what it says is not known here"],
    ["no lists", '{"version": 1}', "has no lists of attempts and leases"],
    ["a list", "[]", "is no store of attempts: it holds a list of 0"],
  ])("with %s is NOT RUN and never empty", async (_what, text, says) => {
    const { exit, report } = await look(attemptStore(undefined, text));
    expect(exit).toBe(3);
    expect(report.rows.map(({ verdict, because }) => `${verdict} ${because}`)).toEqual([expect.stringContaining(`NOT RUN /home/ada/quay/.codeflowmu/dispatch/dispatch-state.json ${says}`)]);
  });

  it("that is gone beside its leftover is told from one that is empty", async () => {
    const store = attemptStore();
    const left = `${store.registry}.4711.x.tmp`;
    const looked = await look(withFile(withFile(store, left, "{}", ""), store.registry, undefined, ""));
    expect(looked.report.findings.map(({ guard }) => guard)).toEqual(["residue/leftovers"]);
    expect(said(looked)).toEqual([
      `NOT RUN | codeflowmu-dispatch | ${store.registry} is not there, and ${left} beside it is: a writer died between removing the one and renaming the other, and a reader that takes missing for empty finds no attempt and no lease | missing-input`,
    ]);
  });

  it("is recognised when its file alone is named", async () => {
    const { files, registry } = attemptStore();
    const { report, exit } = await look({ files, places: [registry] });
    expect({ exit, layouts: report.layouts.map(({ id }) => id) }).toEqual({ exit: 0, layouts: ["codeflowmu-dispatch"] });
  });
});
