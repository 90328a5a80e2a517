/** What was probably meant: the known word with the fewest changed letters, if it is near enough to be worth saying. */

/** A third of the word may be wrong; more is another word. */
const MAX_SHARE = 1 / 3;

export function nearest(word: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((candidate) => ({ candidate, changes: changesBetween(word, candidate) }))
    .filter(({ candidate, changes }) => changes <= Math.max(1, Math.floor(candidate.length * MAX_SHARE)))
    .toSorted((a, b) => a.changes - b.changes);
  return best?.candidate;
}

/** Letters to add, drop or replace: Levenshtein's distance, row by row. */
function changesBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
