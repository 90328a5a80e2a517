/**
 * Where a trace may stand that nobody could read: a damaged file or line, or one that was not opened. A slot without a trace
 * in such a stretch is not judged. What stands between two good records of one file lies between them in time too.
 */
import type { HiddenRuns } from "@casebook/guards";
import type { NotRunReason } from "@casebook/verdict";
import type { LayoutObservation, NotRead, Place } from "../observation.ts";
import { placeText } from "../report/place-text.ts";
import { sourceOf } from "./needs.ts";
import { mayHoldTraces } from "./trace-folders.ts";

export interface Hidden extends HiddenRuns {
  readonly reason: NotRunReason;
  /** What is damaged or was not read, in words. */
  readonly message: string;
  /** It could be read, and has a word that nobody knows. */
  readonly isWord?: true;
}

/** What was not read outside of every layout. */
export interface Elsewhere {
  readonly notRead: readonly NotRead[];
  /** Limits that cut the search for files off. */
  readonly limits: readonly string[];
  /** What was looked in. */
  readonly places: readonly string[];
}

export const NOTHING_ELSEWHERE: Elsewhere = { notRead: [], limits: [], places: [] };

export function hiddenRuns(layout: LayoutObservation, elsewhere: Elsewhere): Hidden[] {
  const ids = new Set(layout.tasks.map(({ id }) => id));
  const damaged = (layout.artefacts?.damaged ?? []).filter(({ code }) => !code.startsWith("SESSION_")).map(({ code, place }) => ({
    taskId: ownerOf(place.path, ids),
    ...stretchOf(place, layout),
    reason: "missing-input" as const,
    message: `${place.path}${place.line === undefined ? "" : `:${place.line}`} ${code}`,
  }));
  const isTrace = (one: NotRead) => one.evidence.firstLines?.[0] !== "NO_TRACES" && sourceOf(one, layout) === "traces";
  const isOnTheWay = ({ what }: NotRead) => mayHoldTraces(what, layout.preset, elsewhere.places);
  const unread = [...layout.notRead.filter(isTrace), ...elsewhere.notRead.filter((one) => isTrace(one) || isOnTheWay(one))];
  const cut = layout.preset.artefacts.length === 0 ? [] : elsewhere.limits;
  const words = (layout.artefacts?.unknownWords ?? []).map(({ taskId, atMs, place, seen }) => {
    return { taskId, fromMs: atMs, toMs: atMs, reason: "unsupported" as const, message: `${seen} at ${placeText(place)}`, isWord: true as const };
  });
  return [
    ...damaged,
    ...words,
    ...unread.map(({ what, reason, message }) => ({ taskId: ownerOf(what, ids), ...ALWAYS, reason, message })),
    ...cut.map((limit) => ({ taskId: undefined, ...ALWAYS, reason: "timed-out" as const, message: `a limit was reached: ${limit}` })),
  ];
}

export function hiddenFor(hidden: readonly Hidden[], taskId: string): readonly Hidden[] {
  return hidden.filter((one) => one.taskId === undefined || one.taskId === taskId);
}

export function hiddenText(hidden: readonly Hidden[]): string {
  const [first] = hidden;
  if (first?.isWord === true) return `words not known: ${first.message}${hidden.length === 1 ? "" : `, and ${hidden.length - 1} more`}`;
  const many = hidden.length === 1 ? "a record of runs" : `${hidden.length} records of runs`;
  return `${many} could not be read, and the missing run may be there: ${first?.message ?? ""}`;
}

const ALWAYS = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY };

/** Logs are appended to, so the good lines around a bad one bound it. A file of its own has none. */
function stretchOf({ path, line }: Place, { artefacts }: LayoutObservation): { readonly fromMs: number; readonly toMs: number } {
  if (line === undefined) return ALWAYS;
  let { fromMs, toMs } = ALWAYS;
  for (const { place, startedAtMs } of artefacts?.runs ?? []) {
    if (place.path !== path || place.line === undefined) continue;
    if (place.line < line) fromMs = Math.max(fromMs, startedAtMs);
    if (place.line > line) toMs = Math.min(toMs, startedAtMs);
  }
  return fromMs <= toMs ? { fromMs, toMs } : ALWAYS;
}

/** A file that is named after a task, or lies in a folder that is, holds that task's runs only. */
function ownerOf(path: string, ids: ReadonlySet<string>): string | undefined {
  const parts = path.split(/[/\\]/);
  const stem = (parts.at(-1) ?? "").replace(/\.[^.]*$/, "");
  return [stem, parts.at(-2)].find((part) => part !== undefined && ids.has(part));
}
