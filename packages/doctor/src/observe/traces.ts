/** Traces of runs, from whichever files the layout leaves: what was read, and how several traces of one run become one. */
import type { Artefact } from "@casebook/guards";
import type { ArtefactObservation, NotRead, Place } from "../observation.ts";
import type { TreeStat } from "../tree.ts";

/** How far apart two different traces of one run may be: a session file and its transcript are written within seconds. */
export const SAME_RUN_MS = 5 * 60_000;

export interface Trace {
  /** Undefined: nobody's run, but something that was still there to be seen. */
  readonly taskId: string | undefined;
  readonly startedAtMs: number;
  readonly trigger: Artefact["trigger"];
  readonly place: Place;
  /** Which kind of file it is from; two of one kind are never one run. */
  readonly source: string;
  readonly session: string | undefined;
}

export interface TraceReading {
  readonly traces: readonly Trace[];
  readonly files: number;
  readonly lines: number;
  readonly damaged: ArtefactObservation["damaged"];
  readonly passedOver?: NonNullable<ArtefactObservation["passedOver"]>;
  readonly notRead: readonly NotRead[];
  /** Moments at which something was written. */
  readonly writtenAtMs: readonly number[];
}

/** A file that is older than its birth was copied; the older of the two is nearer to the truth. */
export function bornAt(stat: TreeStat): number {
  return Math.min(stat.bornAtMs ?? stat.modifiedAtMs, stat.modifiedAtMs);
}

/** One run for each group of traces of it. Traces of one session are one run; without a session, near ones of different kinds. */
export function runsOf(traces: readonly Trace[]): ArtefactObservation["runs"] {
  const owned = traces.filter((trace) => trace.taskId !== undefined).toSorted((one, other) => one.startedAtMs - other.startedAtMs);
  const groups: Trace[][] = [];
  for (const trace of owned) {
    const group = groups.findLast((one) => belongs(trace, one));
    if (group === undefined) groups.push([trace]);
    else group.push(trace);
  }
  return groups.map((group) => {
    const first = group[0] as Trace;
    const trigger = group.map((trace) => trace.trigger).find((one) => one !== "unknown") ?? "unknown";
    return { taskId: first.taskId as string, startedAtMs: first.startedAtMs, trigger, place: first.place };
  });
}

function belongs(trace: Trace, group: readonly Trace[]): boolean {
  return group.every((one) => {
    if (one.taskId !== trace.taskId || one.source === trace.source) return false;
    if (one.session !== undefined && trace.session !== undefined) return one.session === trace.session;
    return trace.startedAtMs - one.startedAtMs <= SAME_RUN_MS;
  });
}
