/** Adds rows up. Every number of every sum is a count of the same rows, so that they cannot disagree. */
import type { LedgerRow, LedgerSum, LedgerTask, Reading } from "./input.ts";

export function sumsByTask(
  tasks: readonly LedgerTask[],
  rows: readonly LedgerRow[],
  isSearched: boolean,
): (LedgerSum & { readonly taskId: string })[] {
  const byTask = new Map<string, LedgerRow[]>(tasks.map(({ taskId }) => [taskId, []]));
  for (const row of rows) byTask.get(row.taskId)?.push(row);
  return [...byTask]
    .map(([taskId, own]) => ({ taskId, ...sumOf(own, isSearched) }))
    .toSorted((a, b) => (a.taskId < b.taskId ? -1 : 1));
}

export function sumOf(rows: readonly LedgerRow[], isSearched: boolean): LedgerSum {
  const due = rows.filter((row) => row.due && row.enabled && row.reading !== "pending");
  const count = (...readings: readonly Reading[]) => due.filter(({ reading }) => readings.includes(reading)).length;
  return {
    due: due.length,
    claimed: due.filter(({ claimed }) => claimed).length,
    seen: isSearched ? due.filter(({ seen }) => seen > 0).length : undefined,
    withoutTrace: count("missed", "ghost-success"),
    discarded: count("discarded"),
    unjudged: count("unjudged"),
    pending: rows.filter(({ reading }) => reading === "pending").length,
    runs: rows.reduce((runs, { seen }) => runs + seen, 0),
  };
}
