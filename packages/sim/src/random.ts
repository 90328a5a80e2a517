/**
 * Seeded random numbers. One stream per purpose, so that one more listing does not shift what another purpose draws.
 * The generator is mulberry32: 32 bits of state, good enough to order things, not for secrets or statistics.
 */
import { RunningHash } from "./trace.ts";

export interface RandomStream {
  /** A whole number from 0 up to, but without, `bound` (1 to 2^32). */
  below(bound: number): number;
}

export function createStream(seed: number, purpose: string): RandomStream {
  const start = new RunningHash();
  start.word(seed);
  start.text(purpose);
  let state = start.number();
  return {
    below(bound) {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      const draw = (mixed ^ (mixed >>> 14)) >>> 0;
      return Math.floor((draw / 2 ** 32) * bound);
    },
  };
}

/** A new array in an order drawn from the stream. */
export function shuffled<T>(items: readonly T[], stream: RandomStream): T[] {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last -= 1) {
    const other = stream.below(last + 1);
    const moved = result[last]!;
    result[last] = result[other]!;
    result[other] = moved;
  }
  return result;
}
