/** Choices that a seed decides: xorshift over 32 bits. Good enough to choose places in a file, and for nothing else. */
export interface Random {
  /** A whole number from 0 up to, and not, `limit`. */
  below(limit: number): number;
  /** Throws for an empty list. */
  pick<One>(list: readonly One[]): One;
}

export function randomOf(seed: number): Random {
  // Neighbouring seeds must not begin alike, and the state must not be 0.
  let state = (Math.imul(seed + 1, 0x9e3779b1) ^ 0x5bd1e995) >>> 0 || 1;
  const next = (): number => {
    state = (state ^ (state << 13)) >>> 0;
    state = (state ^ (state >>> 17)) >>> 0;
    state = (state ^ (state << 5)) >>> 0;
    return state;
  };
  for (let round = 0; round < 4; round += 1) next();
  const below = (limit: number): number => (limit <= 1 ? 0 : next() % limit);
  return {
    below,
    pick: (list) => {
      if (list.length === 0) throw new RangeError("pick: the list is empty. Leave out what has nothing to choose from.");
      return list[below(list.length)] as (typeof list)[number];
    },
  };
}
