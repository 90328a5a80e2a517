/** What one changed byte can do to an answer, tried for each byte of a completion and for logs of any bytes. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { bytesOf, completed, pending } from "../log.fixture.ts";
import { createBackwardReader, createForwardReader, readKey, surveyLog } from "./index.ts";

const START = pending("k1", 1).length;
const END = completed("k1", 2);
/** Where the key's own letters stand: changed, they are another command's whole record, which nothing can tell without a sum. */
const KEY_AT = START + END.indexOf('"k1"') + 1;
const BYTES = [0x00, 0x0a, 0x20, 0x22, 0x2c, 0x32, 0x5c, 0x61, 0x7b, 0x7d, 0xc3, 0xff];

it("a changed byte of a completion leaves no healthy pending receipt, wherever it is, but in the letters of the key", () => {
  const whole = bytesOf(pending("k1", 1), END, pending("k2", 3));
  const healthy: number[] = [];
  for (let at = START; at < START + END.length; at += 1) {
    for (const byte of BYTES) {
      const log = whole.slice();
      log[at] = byte;
      const { health, found } = readKey(log, "k1");
      if (health === "found" && found?.receipt.state === "pending") healthy.push(at);
    }
  }
  expect([...new Set(healthy)]).toEqual([KEY_AT, KEY_AT + 1]);
});

it("a completion that is cut anywhere, with or without a line feed, leaves no healthy pending receipt", () => {
  for (let length = 1; length < END.length - 1; length += 1) {
    for (const end of ["", "\n", `\n${pending("k2", 3)}`, pending("k2", 3)]) {
      const { health, found } = readKey(bytesOf(pending("k1", 1), END.slice(0, length), end), "k1");
      expect([length, end, health, found?.receipt.state]).toEqual([length, end, "corrupt", "pending"]);
    }
  }
});

it("a completion that is glued to a line of another key, cut anywhere, leaves no healthy pending receipt", () => {
  const other = completed("k2", 2);
  for (let length = 1; length < other.length - 1; length += 1) {
    const { health, found } = readKey(bytesOf(pending("k1", 1), other.slice(0, length), completed("k1", 3)), "k1");
    expect([length, health, found?.receipt.state]).toEqual([length, "corrupt", "pending"]);
  }
});

it("a hole of zeros in a line of another key is no cut: what was there may have been anyone's", () => {
  const { health } = readKey(bytesOf(pending("k1", 1), `${completed("k2", 2).slice(0, 80)}\0\0\0\n`), "k1");
  expect(health).toBe("corrupt");
});

it("a byte that is zeroed, lost or made a line feed, wherever it is, leaves the records of other lines found, and from both ends the same", () => {
  const lines = [pending("aa", 1), completed("aa", 2), pending("bb", 3), completed("cc", 4)].map((text) => bytesOf(text));
  const keys = ["aa", "aa", "bb", "cc"];
  const whole = bytesOf(...lines);
  const stateOf = (log: Uint8Array, key: string) => readKey(log, key).found?.receipt.state;
  const isOther = (key: string, at: number) => {
    // A line feed is of both lines between which it stands.
    const touched = keys.filter((_, index) => {
      const start = lines.slice(0, index).reduce((sum, { length }) => sum + length, 0);
      return start - 1 <= at && at < start + (lines[index]?.length ?? 0);
    });
    return !touched.includes(key);
  };
  const differs: unknown[] = [];
  for (let at = 0; at < whole.length; at += 1) {
    for (const instead of ["\0", "\n", ""]) {
      const log = bytesOf(whole.subarray(0, at), instead, whole.subarray(at + 1));
      for (const key of new Set(keys)) {
        if (isOther(key, at) && stateOf(log, key) !== stateOf(whole, key)) differs.push([at, instead, key]);
        const readers = [createForwardReader(key), createBackwardReader(key, log.length)];
        const [start, end] = readers.map((reader) => (reader.push(log), reader.end())).map(({ health, found, newer }) => JSON.stringify([health, found, newer]));
        if (start !== end) differs.push([at, instead, key, start, end]);
      }
    }
  }
  expect(differs).toEqual([]);
});

it("any bytes are answered, with counts that add up", () => {
  const lines = fc.constantFrom(pending("k1", 1), completed("k1", 2), pending("k2", 3), "\n");
  const edits = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 6 });
  fc.assert(
    fc.property(fc.array(lines, { maxLength: 5 }), edits, (texts, changes) => {
      const log = bytesOf(...texts);
      for (const [at, byte] of changes) if (log.length > 0) log[at % log.length] = byte;
      const { searched, receipts, keys } = surveyLog(log);
      const { bytes, lines: all, good, blank, damaged, unsupported, tombstones } = searched;
      expect([bytes, all]).toEqual([log.length, good + blank + damaged + unsupported + tombstones]);
      expect(keys.reduce((sum, key) => sum + key.pending + key.completed, 0)).toBe(receipts);
      expect(readKey(log, "k1").found?.receipt.key ?? "k1").toBe("k1");
    }),
    { numRuns: 500, seed: 11 },
  );
});
