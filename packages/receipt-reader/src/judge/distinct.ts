/** Counts different texts. Holds one as long as there is one, which is nearly always, and never more than a limit, nor more of a long one than tells it apart. */
import { fingerprint } from "./fingerprint.ts";

/** More are counted as that many. */
export const MAX_DISTINCT = 100;

/** Longer ones, such as what an agent said, are known by a fingerprint. */
const MAX_HELD_CHARACTERS = 64;

/** Plain data without methods, because a log has one for each of many keys. */
export interface Distinct {
  first: string | undefined;
  all: Set<string> | undefined;
}

export function createDistinct(): Distinct {
  return { first: undefined, all: undefined };
}

export function addDistinct(texts: Distinct, given: string): void {
  const text = given.length > MAX_HELD_CHARACTERS ? `${given.length} ${fingerprint(given)}` : given;
  if (texts.first === undefined) texts.first = text;
  else if (text !== texts.first) {
    texts.all ??= new Set([texts.first]);
    if (texts.all.size < MAX_DISTINCT) texts.all.add(text);
  }
}

export function countDistinct({ first, all }: Distinct): number {
  return all?.size ?? (first === undefined ? 0 : 1);
}
