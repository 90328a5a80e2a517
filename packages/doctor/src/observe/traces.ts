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
  /** Which kind of file it is from; two of one kind are one run only as copies of each other. */
  readonly source: string;
  readonly session: string | undefined;
  /** What it begins with, as a number that tells nothing of it: of a copy it is the same under any name. Default: not known. */
  readonly opening?: string | undefined;
}

export interface TraceReading {
  readonly traces: readonly Trace[];
  readonly files: number;
  readonly lines: number;
  readonly damaged: ArtefactObservation["damaged"];
  readonly passedOver?: NonNullable<ArtefactObservation["passedOver"]>;
  readonly unknownWords?: ArtefactObservation["unknownWords"];
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
  const groups = new Map<string, Trace[][]>();
  const bySession = new Map<string, Trace[]>();
  const byOpening = new Map<string, Trace[]>();
  const all: Trace[][] = [];
  for (const trace of traces.toSorted((one, other) => one.startedAtMs - other.startedAtMs)) {
    if (trace.taskId === undefined) continue;
    const ofTask = groups.get(trace.taskId) ?? [];
    groups.set(trace.taskId, ofTask);
    const session = trace.session === undefined ? undefined : JSON.stringify([trace.taskId, trace.session]);
    const known = session === undefined ? undefined : bySession.get(session);
    const isSame = known?.some((one) => isCopy(one, trace)) === true || known?.every(({ source }) => source !== trace.source) === true;
    const opening = trace.opening === undefined ? undefined : JSON.stringify([trace.taskId, trace.source, trace.startedAtMs, trace.opening]);
    const copied = opening === undefined ? undefined : byOpening.get(opening);
    let group = copied ?? (isSame ? known : nearGroup(trace, ofTask));
    if (group === undefined) {
      group = [];
      ofTask.push(group);
      all.push(group);
    }
    group.push(trace);
    if (session !== undefined) bySession.set(session, group);
    if (opening !== undefined) byOpening.set(opening, group);
  }
  return all.map((group) => {
    const first = group[0] as Trace;
    const trigger = group.map((trace) => trace.trigger).find((one) => one !== "unknown") ?? "unknown";
    return { taskId: first.taskId as string, startedAtMs: first.startedAtMs, trigger, place: first.place };
  });
}

/** The same session at the same instant, twice in files of one kind: somebody copied the folder, and nothing ran again. */
function isCopy(one: Trace, other: Trace): boolean {
  return one.source === other.source && one.startedAtMs === other.startedAtMs;
}

/** Groups are in the order of their starts, so that only the last few can be near. */
function nearGroup(trace: Trace, ofTask: readonly Trace[][]): Trace[] | undefined {
  for (let index = ofTask.length - 1; index >= 0; index -= 1) {
    const group = ofTask[index] as Trace[];
    if (trace.startedAtMs - (group[0] as Trace).startedAtMs > SAME_RUN_MS) return undefined;
    const isOther = group.every(({ source, session }) => {
      return source !== trace.source && (session === undefined || trace.session === undefined);
    });
    if (isOther) return group;
  }
  return undefined;
}
