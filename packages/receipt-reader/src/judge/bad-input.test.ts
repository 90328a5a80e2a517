/** What a log can be given to read. Each: a clear result, nothing lost, nothing guessed. */
import { describe, expect, it } from "vitest";
import { AT_MS, bytesOf, completed, line, pending } from "../log.fixture.ts";
import { createForwardReader, readKey, surveyLog } from "./index.ts";

const codes = (log: Uint8Array) => surveyLog(log).damage.counts;
const tailOf = (log: Uint8Array) => readKey(log, "k1").tail;

describe("a log", () => {
  it("of zero bytes holds nothing, and says that nothing was looked at", () => {
    expect(readKey(new Uint8Array(0), "k1")).toMatchObject({ health: "absent", tail: "empty", searched: { bytes: 0, lines: 0 } });
  });

  it("with one line of 50 MB is read on behind it, and holds no more of it than a line may have", () => {
    const reader = createForwardReader("k1");
    reader.push(bytesOf(pending("k1", 1)));
    const piece = new Uint8Array(1024 * 1024).fill(0x61);
    for (let piecesLeft = 50; piecesLeft > 0; piecesLeft -= 1) reader.push(piece);
    reader.push(bytesOf("\n", pending("other", 3)));
    const reading = reader.end();
    expect(reading).toMatchObject({ health: "corrupt", found: { receipt: { state: "pending" } }, newer: { unreadable: { ofNoKnownKey: 1 } } });
    expect(reading.damage.listed).toMatchObject([{ code: "TOO_LONG", bytes: 50 * 1024 * 1024, goodLinesAfter: 1 }]);
  });

  it("of many lines with one bad says which, and how many good ones follow", () => {
    const lines = Array.from({ length: 2_000 }, (_, index) => completed(`k${index}`, index + 1));
    const offset = bytesOf(...lines.slice(0, 1_234)).length;
    lines[1_234] = "#\n";
    expect(surveyLog(bytesOf(...lines)).damage.listed).toMatchObject([{ code: "UNPARSEABLE", byteOffset: offset, goodLinesAfter: 765 }]);
  });

  it("with carriage returns is read, and they are counted", () => {
    const log = bytesOf(pending("k1", 1).replace("\n", "\r\n"), completed("k1", 2).replace("\n", "\r\n"));
    expect(readKey(log, "k1")).toMatchObject({ health: "found", found: { receipt: { state: "completed" } } });
    expect(surveyLog(log)).toMatchObject({ carriageReturns: 2, damage: { lines: 0 } });
  });

  it("with a byte order mark is read, and the mark is told", () => {
    const log = bytesOf(new Uint8Array([0xef, 0xbb, 0xbf]), pending("k1", 1));
    expect(readKey(log, "k1")).toMatchObject({ health: "found", damage: { lines: 0, counts: { BOM: 1 } } });
  });

  it("that two writers wrote into at once keeps what can be told apart, and doubts the rest", () => {
    const [one, two] = [completed("k1", 1), completed("k2", 2)];
    expect(readKey(bytesOf(one.trimEnd(), two), "k1")).toMatchObject({ health: "found", damage: { counts: { GLUED: 1 } } });
    const interleaved = `${one.slice(0, 50)}${two.slice(0, 40)}${one.slice(50).trimEnd()}${two.slice(40)}`;
    expect(readKey(bytesOf(interleaved), "k1")).toMatchObject({ health: "corrupt", found: undefined, newer: { unreadable: { ofThisKey: 1 } } });
  });

  it("with a record beside something else on one line takes neither, because brackets may be lost", () => {
    const log = bytesOf(`{"note":1}${completed("k1", 1)}`);
    expect([codes(log), readKey(log, "k1")]).toMatchObject([{ UNPARSEABLE: 1 }, { health: "corrupt", found: undefined, newer: { unreadable: { ofThisKey: 1 } } }]);
  });

  it("with a whole record and a cut one on one line takes the first and doubts the second", () => {
    const log = bytesOf(pending("k1", 1).trimEnd(), completed("k1", 2).slice(0, 80), "\n");
    expect(readKey(log, "k1")).toMatchObject({ health: "corrupt", found: { receipt: { state: "pending" } }, damage: { counts: { GLUED: 1 } } });
  });

  it("with a clock that goes back is read in the order of its lines, and says so", () => {
    const log = bytesOf(line({ seq: 1, atMs: AT_MS + 5 }), line({ seq: 2, state: "completed", atMs: AT_MS }));
    expect(readKey(log, "k1").found?.receipt.state).toBe("completed");
    expect(surveyLog(log).clockBackwards).toBe(1);
  });

  it("whose tail is cut within a character is torn, not of another encoding", () => {
    const whole = bytesOf(line({ reason: "é" }));
    const cutAt = whole.indexOf(0xc3) + 1;
    const log = bytesOf(pending("k1", 1), whole.subarray(0, cutAt));
    expect([codes(log), tailOf(log)]).toEqual([{ TORN_TAIL: 1 }, "torn"]);
    expect(codes(bytesOf(whole.subarray(0, cutAt), "\n"))).toEqual({ INVALID_UTF8: 1 });
  });

  it("whose last line has no line feed and is whole is read to its end", () => {
    const log = bytesOf(pending("k1", 1), completed("k1", 2).trimEnd());
    expect(readKey(log, "k1")).toMatchObject({ health: "found", found: { receipt: { state: "completed" } }, tail: "no-line-feed" });
  });

  it("whose last line is not there yet, because the file grows, is not called damaged", () => {
    const reader = createForwardReader("k1");
    reader.push(bytesOf(pending("k1", 1), completed("k1", 2).slice(0, 70)));
    expect(reader.end("growing")).toMatchObject({ health: "found", found: { receipt: { state: "pending" } }, tail: "growing", damage: { lines: 0 } });
  });

  it("with a run of zeros says so, and does not make nothing of it", () => {
    const log = bytesOf(pending("k1", 1), new Uint8Array(500), "\n");
    expect([codes(log), readKey(log, "k1").health]).toEqual([{ NUL_RUN: 1 }, "corrupt"]);
    expect(readKey(log.subarray(0, -1), "k1")).toMatchObject({ health: "corrupt", tail: "torn" });
  });

  it("with JSON of another shape says so", () => {
    const shapes = ["[1]", "7", "{}", '{"schema":0}', '{"schema":"1","key":"k1"}', line({ seq: 0 }).trimEnd(), line({ key: "" }).trimEnd(), '{"schema":1,"tombstone":{}}'];
    expect(codes(bytesOf(shapes.join("\n")))).toEqual({ WRONG_SHAPE: shapes.length });
  });

  it("of another shape is about the key at its top and about no other, however it is spaced", () => {
    const asks = ['{"schema": 1, "key": "k1", "state": "done", "parent": {"key":"k2"}}', '{"id":"k1","parent":{"key":"k2"}}', '[{"key": "k1"},{"key":"k2"}]', '{"key": 1, "by":{"key":"k2"}}'];
    for (const text of asks) expect([text, readKey(bytesOf(pending("k1", 1), text, "\n"), "k1").health]).toEqual([text, "corrupt"]);
    expect(readKey(bytesOf(pending("k1", 1), '{"schema": 1, "key": "k2"}\n'), "k1").health).toBe("found");
  });

  it("with a record that says one thing twice takes neither, and doubts both keys", () => {
    const twoKeys = bytesOf(pending("k1", 1), pending("k2", 2), completed("k1", 3).replace('"state"', '"key":"k2","state"'));
    for (const key of ["k1", "k2"]) expect(readKey(twoKeys, key)).toMatchObject({ health: "corrupt", found: { receipt: { state: "pending" } }, newer: { unreadable: { ofThisKey: 1 } } });
    expect(readKey(twoKeys, "k3").health).toBe("absent");
    const twoStates = bytesOf(pending("k1", 1), completed("k1", 2).replace('"command"', '"state" : "pending","command"'));
    expect([codes(twoStates), readKey(twoStates, "k1").health]).toEqual([{ WRONG_SHAPE: 1 }, "corrupt"]);
    expect(readKey(bytesOf(line({ key: "key", task: "state", reason: '"seq":1,"seq":2', state: "completed" })), "key").health).toBe("found");
    expect(readKey(bytesOf(completed("k1", 1).replace('"command"', '"input":{"state":"x","key":"y"},"command"')), "k1").health).toBe("found");
  });

  it("with more keys on one line than are told apart holds no more of them, and doubts everyone", () => {
    const many = `[${Array.from({ length: 5_000 }, (_, index) => `{"key":"m${index}"}`).join()}`;
    const reading = readKey(bytesOf(pending("k1", 1), many, "\n"), "k1");
    expect([reading.health, reading.damage.listed[0]?.mentions.length, reading.damage.listed[0]?.isOnlyCut]).toEqual(["corrupt", 16, false]);
  });

  it("numbered 1, 2, 3, 3, 4 has one number twice; with 1, 2, 5, 4 one is missing and one is late", () => {
    const numbered = (...numbers: number[]) => surveyLog(bytesOf(...numbers.map((seq) => pending(`k${seq}`, seq)))).sequence;
    expect(numbered(1, 2, 3, 3, 4)).toMatchObject({ first: 1, last: 4, repeats: 1, repeated: [{ seq: 3 }], missing: 0, backwardsCount: 0 });
    expect(numbered(1, 2, 5, 4)).toMatchObject({ first: 1, last: 5, repeats: 0, missing: 1, gaps: [{ after: 2, next: 5 }], backwards: [{ seq: 4, before: 5 }] });
    expect(numbered(1, 2, 5, 4)).toMatchObject({ gaps: [{ late: 1 }] });
  });
});

describe("a survey", () => {
  it("counts state events, not incidents: ten rows of five commands", () => {
    const rows = Array.from({ length: 5 }, (_, index) => pending(`k${index}`, 2 * index + 1) + completed(`k${index}`, 2 * index + 2));
    const { receipts, keys, pending: open, completed: done, damage, duplicated } = surveyLog(bytesOf(...rows));
    expect({ receipts, keys: keys.length, open, done, malformed: damage.lines, duplicated }).toEqual({ receipts: 10, keys: 5, open: 5, done: 5, malformed: 0, duplicated: 0 });
  });

  it("says of each key who asked, how it stands, and what may stand behind it unread", () => {
    const log = bytesOf(
      pending("a", 1),
      line({ key: "a", seq: 2, actor: "a2", payload: "p2", state: "completed", reason: "one" }),
      line({ key: "a", seq: 3, state: "completed", reason: "two" }),
      pending("b", 4),
      pending("b", 4),
      "?\n",
      pending("c", 5),
    );
    const { keys, duplicated } = surveyLog(log);
    expect(keys).toMatchObject([
      { key: "a", pending: 1, completed: 2, state: "completed", actors: 2, payloads: 2, outcomes: 2, unreadableBehind: 1 },
      { key: "b", pending: 2, completed: 0, state: "pending", actors: 1, unreadableBehind: 1 },
      { key: "c", pending: 1, state: "pending", unreadableBehind: 0 },
    ]);
    expect(duplicated).toBe(1);
  });

  it("takes a command for completed whatever a late writer put behind that", () => {
    expect(surveyLog(bytesOf(pending("k1", 1), completed("k1", 2), "?\n", pending("k1", 3))).keys).toMatchObject([{ state: "completed", pendingBehindCompleted: 1, unreadableBehind: 1 }]);
  });
});
