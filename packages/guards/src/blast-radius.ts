/** What a loader that judges a list as a whole loses to one bad entry: everything. In numbers and in words. */

/** Entries that such a loader drops. */
export function wholeListLoss(entries: number, invalid: number): number {
  return invalid > 0 ? entries : 0;
}

/** `a whole-list loader would drop all 7 tasks`, or undefined when nothing is invalid. For the short line of a row. */
export function blastRadiusText(entries: number, invalid: number): string | undefined {
  if (wholeListLoss(entries, invalid) === 0) return undefined;
  return entries === 1 ? "a whole-list loader would drop the only task" : `a whole-list loader would drop all ${entries} tasks`;
}
