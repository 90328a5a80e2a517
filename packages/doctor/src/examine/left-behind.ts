/**
 * What the tasks of an empty registry left elsewhere: prompt folders, or, where a layout has none, tasks with traces of runs. A
 * task that ran once may be a one-shot that was removed when it was done; one that ran on several occasions, the last of them
 * not long ago, was not meant to be over.
 */
import type { LayoutObservation } from "../observation.ts";

/** Runs further apart than this are no retries of one occasion. */
const OCCASION_MS = 6 * 3_600_000;

/** A task whose newest run is older than this, and than twice its longest pause, had ended before. */
const RECENT_MS = 7 * 86_400_000;

export interface LeftBehind {
  readonly what: string;
  readonly count: number;
}

export function leftBehind(layout: LayoutObservation, entries: number, nowMs: number): LeftBehind | undefined {
  if (layout.promptFolders !== undefined) return { what: "prompt folders", count: layout.promptFolders };
  if (layout.artefacts === undefined || entries > 0) return undefined;
  return { what: "unknown tasks that ran more than once, and lately", count: goneTasks(layout, nowMs).filter((task) => task === "was-recurring").length };
}

/** Undefined where nothing is in doubt. */
export function perhapsDone(layout: LayoutObservation, nowMs: number): string | undefined {
  const read = layout.registries.filter(({ outcome }) => outcome === "read" || outcome === "empty");
  const isEmpty = read.length > 0 && read.every(({ entries = 0 }) => entries === 0);
  if (!isEmpty || layout.promptFolders !== undefined) return undefined;
  const gone = goneTasks(layout, nowMs);
  if (gone.length === 0 || gone.includes("was-recurring")) return undefined;
  const tasks = gone.length === 1 ? "1 task that is not in it left" : `${gone.length} tasks that are not in it left`;
  return `the registry of ${layout.preset.id} is empty, and ${tasks} traces of runs: one-shots that are done and removed look so, and so does a registry that lost its entries`;
}

function goneTasks({ artefacts, tasks }: LayoutObservation, nowMs: number): ("was-recurring" | "may-be-done")[] {
  const known = new Set(tasks.map(({ id }) => id));
  const runs = new Map<string, number[]>();
  for (const { taskId, startedAtMs } of artefacts?.runs ?? []) {
    if (!known.has(taskId)) runs.set(taskId, [...(runs.get(taskId) ?? []), startedAtMs]);
  }
  return [...runs.values()].map((startsMs) => {
    const sorted = startsMs.toSorted((a, b) => a - b);
    const pausesMs = sorted.slice(1).map((atMs, index) => atMs - (sorted[index] as number));
    const longestMs = pausesMs.reduce((longest, ms) => Math.max(longest, ms), 0);
    const spanMs = (sorted.at(-1) ?? 0) - (sorted[0] ?? 0);
    const isRecent = nowMs - (sorted.at(-1) ?? 0) <= Math.max(RECENT_MS, 2 * longestMs);
    return spanMs > OCCASION_MS && isRecent ? "was-recurring" : "may-be-done";
  });
}
