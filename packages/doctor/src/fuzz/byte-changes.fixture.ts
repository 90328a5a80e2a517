/** Damage to bytes, whatever they mean: what a crash, a bad disk or a careless editor does to a file. */
import type { Random } from "./random.fixture.ts";

export type ByteChange = (bytes: Uint8Array, random: Random) => Uint8Array;

declare const TextEncoder: new () => { encode(text: string): Uint8Array };

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Characters that change a line, a screen or a parser, and bytes that are no character. */
const INSERTED: readonly Uint8Array[] = [
  ...["\0", "\0".repeat(512), "\x1b[2J\x1b[31m", "\r", "\n", "\t", "\u0085", "\u009b1m", "\u{feff}", "\u202e", "\u2066", "\u2028", "\u200b"].map(utf8),
  ...["夜", "ليلة", "рутина", "ρουτίνα", "ตารางเวลา", "👩‍🚀", "e\u0301", '"', "\\", "{", "}", "[", "]", ",", ":", "-", "1e400", " ".repeat(4096)].map(utf8),
  ...[[0xff], [0xfe, 0xff], [0xff, 0xfe], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]].map((bytes) => Uint8Array.from(bytes)),
];

export function cutAt(bytes: Uint8Array, length: number): Uint8Array {
  return bytes.slice(0, length);
}

export function flipBit(bytes: Uint8Array, bit: number): Uint8Array {
  const flipped = bytes.slice();
  flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return flipped.slice(0, bytes.length);
}

export const BYTE_CHANGES: Readonly<Record<string, ByteChange>> = {
  "cut off": (bytes, random) => cutAt(bytes, random.below(bytes.length)),
  "flip a bit": (bytes, random) => flipBit(bytes, random.below(bytes.length * 8)),
  "lose a range": (bytes, random) => {
    const [from, to] = rangeIn(bytes, random);
    return joined(bytes.slice(0, from), bytes.slice(to));
  },
  "repeat a range": (bytes, random) => {
    const [from, to] = rangeIn(bytes, random);
    return joined(bytes.slice(0, to), bytes.slice(from));
  },
  "move a range": (bytes, random) => {
    const [from, to] = rangeIn(bytes, random);
    const rest = joined(bytes.slice(0, from), bytes.slice(to));
    const at = random.below(rest.length + 1);
    return joined(rest.slice(0, at), bytes.slice(from, to), rest.slice(at));
  },
  "zero a range": (bytes, random) => {
    const [from, to] = rangeIn(bytes, random);
    return bytes.slice().fill(0, from, to);
  },
  "insert characters": (bytes, random) => {
    const at = random.below(bytes.length + 1);
    return joined(bytes.slice(0, at), random.pick(INSERTED), bytes.slice(at));
  },
  "put characters first": (bytes, random) => joined(random.pick(INSERTED), bytes),
};

function rangeIn(bytes: Uint8Array, random: Random): readonly [number, number] {
  const from = random.below(bytes.length + 1);
  return [from, Math.min(bytes.length, from + 1 + random.below(random.pick([4, 64, 1024])))];
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
