import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { bytesOf, completed, cut, line, pending } from "../log.fixture.ts";
import { createBackwardReader, createForwardReader, type KeyReader, type KeyReading, readKey } from "./index.ts";

const NONE = { ofThisKey: 0, ofOtherKeys: 0, ofNoKnownKey: 0 };

/** What an answer says, without its counts. */
const said = ({ health, found, isStateRegression }: KeyReading) => [health, found?.receipt.state, isStateRegression];

describe("reading one key", () => {
  it("finds a completed receipt, says where it stands, and is over there", () => {
    const before = line({ key: "other" });
    const log = bytesOf(before, pending("k1", 2), completed("k1", 3), pending("other", 4));
    const found = readKey(log, "k1");
    expect(found.health).toBe("found");
    expect(found.found?.receipt.seq).toBe(3);
    expect(found.found?.byteOffset).toBe(before.length + pending("k1", 2).length);
    expect(found.found?.goodLinesAfter).toBe(1);
    expect(found.searched).toEqual({ bytes: log.length - before.length - pending("k1", 2).length, lines: 2, good: 2, blank: 0, passedOver: 0, damaged: 0, unsupported: 0, tombstones: 0, reach: "to-found" });
  });

  it("says what it looked at when there is nothing", () => {
    const log = bytesOf(pending("a", 1), "\n", completed("a", 2));
    expect(readKey(log, "k1")).toEqual({
      key: "k1",
      health: "absent",
      found: undefined,
      newer: { unreadable: NONE, unsupported: NONE, byteOffset: undefined },
      isStateRegression: false,
      pendingBehindCompleted: 0,
      damage: { lines: 0, counts: {}, listed: [] },
      searched: { bytes: log.length, lines: 3, good: 2, blank: 1, passedOver: 0, damaged: 0, unsupported: 0, tombstones: 0, reach: "whole" },
      tail: "ended",
    });
  });

  it("never calls a pending receipt healthy whose completion is damaged", () => {
    const log = bytesOf(pending("k1", 1), cut(completed("k1", 2)), pending("other", 3));
    const reading = readKey(log, "k1");
    expect(said(reading)).toEqual(["corrupt", "pending", true]);
    expect(reading.newer).toEqual({ unreadable: { ...NONE, ofThisKey: 1 }, unsupported: NONE, byteOffset: pending("k1", 1).length });
    expect(reading.damage).toEqual({
      lines: 1,
      counts: { TRUNCATED: 1 },
      listed: [{ code: "TRUNCATED", byteOffset: pending("k1", 1).length, bytes: 60, goodLinesAfter: 1, isUnreadable: true, mentions: ["k1"], isOnlyCut: true }],
    });
  });

  it("keeps absent, corrupt and unsupported apart", () => {
    const newer = `{"schema":2,"key":"k1","status":"done"}\n`;
    expect(said(readKey(bytesOf(pending("a", 1)), "k1"))).toEqual(["absent", undefined, false]);
    expect(said(readKey(bytesOf(cut(pending("k1", 1))), "k1"))).toEqual(["corrupt", undefined, false]);
    expect(said(readKey(bytesOf(newer), "k1"))).toEqual(["unsupported", undefined, false]);
    expect(said(readKey(bytesOf(pending("k1", 1), newer), "k1"))).toEqual(["unsupported", "pending", true]);
  });

  it("lets what is surely about other keys change nothing", () => {
    const others = [cut(completed("other", 2)), `{"schema":9,"key":"other"}\n`, completed("other", 3)];
    expect(said(readKey(bytesOf(pending("k1", 1), ...others), "k1"))).toEqual(["found", "pending", false]);
    expect(readKey(bytesOf(pending("k1", 1), ...others), "k1").newer).toMatchObject({ unreadable: { ofOtherKeys: 1 }, unsupported: { ofOtherKeys: 1 } });
    expect(said(readKey(bytesOf(...others), "k1"))).toEqual(["absent", undefined, false]);
  });

  it("does not guess whose a changed line was, though another key can be made out in it", () => {
    const changed = completed("k2", 2).replace('"schema":1', '"schema";1');
    expect(said(readKey(bytesOf(pending("k1", 1), changed), "k1"))).toEqual(["corrupt", "pending", true]);
  });

  it("finds what is damaged no less for what it is: completed is completed, and the doubt is told", () => {
    const reading = readKey(bytesOf(pending("k1", 1), completed("k1", 2), "not a record\n"), "k1");
    expect(said(reading)).toEqual(["corrupt", "completed", true]);
    expect(reading.newer.unreadable).toEqual({ ...NONE, ofNoKnownKey: 1 });
  });

  it("takes a completed receipt before a pending one that a late writer put behind it", () => {
    const reading = readKey(bytesOf(completed("k1", 1), pending("k1", 2), pending("k1", 3)), "k1");
    expect([...said(reading), reading.pendingBehindCompleted]).toEqual(["found", "completed", false, 2]);
  });

  it("has what a repair left in the place of a line count as unread", () => {
    const tombstone = (mentions: string[], isOnlyCut: boolean) =>
      `${JSON.stringify({ schema: 1, tombstone: { damage: "TRUNCATED", of: "log", byteOffset: 0, bytes: 9, mentions, isOnlyCut } })}\n`;
    expect(said(readKey(bytesOf(pending("k1", 1), tombstone(["k1"], true)), "k1"))).toEqual(["corrupt", "pending", true]);
    expect(said(readKey(bytesOf(pending("k1", 1), tombstone(["other"], true)), "k1"))).toEqual(["found", "pending", false]);
    expect(said(readKey(bytesOf(pending("k1", 1), tombstone(["other"], false)), "k1"))).toEqual(["corrupt", "pending", true]);
  });
});

describe("policies that are known to be wrong", () => {
  const damaged = bytesOf(pending("k1", 1), cut(completed("k1", 2)));
  const under = (reader: "backward-tolerant" | "forward-first" | "catch-all-empty", log: Uint8Array) =>
    readKey(log, "k1", { policies: { reader, unknownVersion: "report", zero: "with-population" } });

  it("skip, stop at the first, or see nothing, and call it healthy", () => {
    expect(said(under("backward-tolerant", damaged))).toEqual(["found", "pending", false]);
    expect(said(under("forward-first", bytesOf(pending("k1", 1), completed("k1", 2))))).toEqual(["found", "pending", false]);
    expect(said(under("catch-all-empty", damaged))).toEqual(["absent", undefined, false]);
    expect(under("catch-all-empty", damaged).searched).toBeUndefined();
  });
});

describe("reading in pieces", () => {
  const parts = fc.array(
    fc.oneof(
      ...["k1", "k2"].flatMap((key) => [pending(key, 1), completed(key, 2), cut(completed(key, 3)), `{"schema":2,"key":"${key}"}\n`].map((text) => fc.constant(text))),
      fc.constantFrom("\n", "\0\0\0\n", "nonsense\n", "[1]\n", pending("k1", 4) + pending("k2", 5).trimEnd(), "é\r\n"),
    ),
    { maxLength: 8 },
  );
  const logs = fc.tuple(parts, fc.nat({ max: 40 })).map(([texts, cutOff]) => {
    const bytes = bytesOf(...texts);
    return bytes.subarray(0, Math.max(0, bytes.length - cutOff));
  });
  const answer = ({ searched: _searched, damage: _damage, tail: _tail, ...rest }: KeyReading) => rest;

  it("answers the same from both ends, wherever the pieces are cut", () => {
    fc.assert(
      fc.property(logs, fc.integer({ min: 1, max: 90 }), (log, size) => {
        const whole = inPieces(createForwardReader("k1"), log, log.length + 1);
        expect(inPieces(createForwardReader("k1"), log, size)).toEqual(whole);
        const back = inPieces(createBackwardReader("k1", log.length), log, size);
        expect(answer(back)).toEqual(answer(whole));
        const { searched } = whole;
        expect(searched?.bytes).toBe(log.length);
        expect(searched?.lines).toBe((searched?.good ?? 0) + (searched?.blank ?? 0) + (searched?.damaged ?? 0) + (searched?.unsupported ?? 0));
      }),
      { numRuns: 400, seed: 7 },
    );
  });

  it("answers the same when it passes over lines of others, where their ends are whole", () => {
    const find = (bytes: Uint8Array, needle: Uint8Array, from: number) => Buffer.from(bytes).indexOf(needle, from);
    const log = bytesOf(pending("k1", 1), completed("other", 2), cut(completed("k1", 3)));
    const fast = inPieces(createForwardReader("k1", { findBytes: find }), log, 50);
    expect(answer(fast)).toEqual(answer(inPieces(createForwardReader("k1"), log, 50)));
    // A line that goes over the edge of a piece is judged like any other.
    expect(fast.searched).toMatchObject({ lines: 3, good: 2, passedOver: 0, damaged: 1 });
    expect(inPieces(createForwardReader("k1", { findBytes: find }), log, 5_000).searched).toMatchObject({ lines: 3, good: 1, passedOver: 1, damaged: 1 });
  });

  it("passes over no line whose key may be written with escapes", () => {
    const find = (bytes: Uint8Array, needle: Uint8Array, from: number) => Buffer.from(bytes).indexOf(needle, from);
    const log = bytesOf(pending("k1", 1), completed("other", 2), completed("k1", 3).replace('"k1"', '"\\u006b1"'), completed("other", 4));
    const reading = inPieces(createForwardReader("k1", { findBytes: find }), log, 5_000);
    expect([...said(reading), reading.searched?.passedOver]).toEqual(["found", "completed", false, 2]);
  });

  it("answers the same for logs of any kind when it passes over lines, wherever the pieces are cut", () => {
    const find = (bytes: Uint8Array, needle: Uint8Array, from: number) => Buffer.from(bytes).indexOf(needle, from);
    fc.assert(
      fc.property(logs, fc.integer({ min: 1, max: 900 }), (log, size) => {
        const [fast, whole] = [inPieces(createForwardReader("k1", { findBytes: find }), log, size), inPieces(createForwardReader("k1"), log, log.length + 1)];
        // But for the good lines behind it, among which stands what was not looked into.
        const told = ({ health, found, searched }: KeyReading) => [health, found?.receipt, found?.byteOffset, searched?.lines, searched?.bytes];
        expect(told(fast)).toEqual(told(whole));
      }),
      { numRuns: 200, seed: 7 },
    );
  });

  it("holds no view of a piece that is a Buffer, whose slices are views", () => {
    const log = bytesOf(pending("k1", 1), completed("k1", 2));
    const piece = Buffer.alloc(100);
    const reader = createForwardReader("k1");
    for (let at = 0; at < log.length; at += piece.length) reader.push(piece.subarray(0, piece.fill(0).write(Buffer.from(log.subarray(at, at + 100)).toString("latin1"), "latin1")));
    expect(said(reader.end())).toEqual(["found", "completed", false]);
  });
});

/** Each piece is overwritten after it was pushed, as a reader of files does. */
function inPieces(reader: KeyReader, log: Uint8Array, size: number): KeyReading {
  const starts = Array.from({ length: Math.ceil(log.length / size) }, (_, index) => index * size);
  for (const start of reader.direction === "forward" ? starts : starts.map((at) => log.length - at - size)) {
    const piece = log.slice(Math.max(0, start), Math.max(0, start + size));
    reader.push(piece);
    piece.fill(0);
  }
  return reader.end();
}
