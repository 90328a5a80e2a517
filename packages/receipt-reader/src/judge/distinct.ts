/** Counts different texts. Holds one as long as there is one, which is nearly always, and never more than a limit. */

/** More are counted as that many. */
export const MAX_DISTINCT = 100;

/** Plain data without methods, because a log has one for each of many keys. */
export interface Distinct {
  first: string | undefined;
  all: Set<string> | undefined;
}

export function createDistinct(): Distinct {
  return { first: undefined, all: undefined };
}

export function addDistinct(texts: Distinct, text: string): void {
  if (texts.first === undefined) texts.first = text;
  else if (text !== texts.first) {
    texts.all ??= new Set([texts.first]);
    if (texts.all.size < MAX_DISTINCT) texts.all.add(text);
  }
}

export function countDistinct({ first, all }: Distinct): number {
  return all?.size ?? (first === undefined ? 0 : 1);
}
