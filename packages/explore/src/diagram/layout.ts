/**
 * A trace as a space-time diagram: a lane for each process, a row for each step, arrows from sending to delivery. Decides what
 * stands where and what is left out; how it looks is for the terminal and the picture, which both start here.
 */
import type { TraceDocument, TraceStep } from "../trace/document.ts";
import { isSend, type Sent, sendsOf } from "./messages.ts";
import { grouped } from "./printable.ts";
import { type Draft, shortened } from "./shorten.ts";

export type Standing = "running" | "stopped" | "gone";

export interface Lane {
  readonly name: string;
  /** "" where the process has a host of its own name. */
  readonly host: string;
}

export type Row = { readonly standings: readonly Standing[] } & (
  | {
      readonly what: "step";
      readonly number: number;
      readonly lane: number;
      readonly text: string;
      /** Texts of the faults that fired. */
      readonly faults: readonly string[];
      /** What became of processes: `worker-1 is killed`. */
      readonly changes: readonly string[];
      /** What is pending on a disk behind it, where that changed: `pending on box: create /t`. */
      readonly disks: readonly string[];
      readonly arrow: Arrow | undefined;
      readonly isHealing: boolean;
    }
  /** Time moved, to so many milliseconds since the start. */
  | { readonly what: "time"; readonly atMs: number }
  /** From here on no fault fires, and what they did is undone. */
  | { readonly what: "heal" }
  | { readonly what: "left-out"; readonly steps: number; readonly lanes: readonly number[] }
  | { readonly what: "end"; readonly isFailure: boolean; readonly text: string }
);

export type StepRow = Extract<Row, { what: "step" }>;

/** To the lane of the row that has it. `from` is a position in `rows`. */
export interface Arrow {
  readonly lane: number;
  readonly from: number;
  readonly step: number;
}

export interface Layout {
  readonly title: string;
  readonly lanes: readonly Lane[];
  /** Before the first row. */
  readonly start: readonly Standing[];
  readonly rows: readonly Row[];
}

export interface LayoutOptions {
  /** Rows at most; what is beyond is left out of the middle. Default 60. */
  readonly maxRows?: number;
  /** The last step to be shown. */
  readonly until?: number;
}

export const DEFAULT_ROWS = 60;

export function layoutOf(trace: TraceDocument, { maxRows = DEFAULT_ROWS, until }: LayoutOptions = {}): Layout {
  const lanes = trace.processes.map(({ name, host }) => ({ name, host: host === name ? "" : host }));
  const start = trace.processes.map(({ name }) => standingOf(trace.changes.find((change) => change.step === 0 && change.process === name)?.status ?? ""));
  const kept = shortened(rowsOf(trace, start, until ?? trace.steps.length), maxRows);
  return { title: `${trace.system}: ${trace.claim}`, lanes, start, rows: withArrows(kept) };
}

function rowsOf(trace: TraceDocument, start: readonly Standing[], until: number): Draft[] {
  const laneOf = new Map(trace.processes.map(({ name }, at) => [name, at]));
  const sends = sendsOf(trace, laneOf);
  const delivered = new Set([...sends.values()].map(({ step }) => step));
  const standings = [...start];
  const drafts: Draft[] = [];
  const add = (row: DistributiveOmit<Row, "standings">, steps: readonly number[] = [], sentBy?: Sent): void => {
    drafts.push({ row: { ...row, standings: [...standings] } as Row, steps, sentBy });
  };
  let atMs = 0;
  let isHealing = false;
  const changesAt = (step: number): string[] => {
    const said: string[] = [];
    for (const { process, status, life } of trace.changes.filter((change) => change.step === step)) {
      standings[laneOf.get(process) ?? 0] = standingOf(status);
      said.push(changeText(process, status, life));
    }
    return said;
  };
  for (const step of trace.steps.slice(0, until)) {
    if (step.isHealing && !isHealing) add({ what: "heal" });
    isHealing = step.isHealing;
    if (step.atMs !== atMs) add({ what: "time", atMs: step.atMs });
    atMs = step.atMs;
    const lane = laneOf.get(step.process) ?? 0;
    const faults = step.fired.map((at) => trace.faults[at]?.text ?? "");
    const changes = changesAt(step.number);
    const sent = sends.get(step.number);
    const isLost = isSend(step) && !delivered.has(step.number);
    const text = stepText(step, sent !== undefined ? `, sent at ${sent.step}` : isLost ? ", never delivered" : "");
    add({ what: "step", number: step.number, lane, text, faults, changes, disks: disksAt(trace, step.number), arrow: undefined, isHealing }, [step.number], sent);
  }
  if (until >= trace.steps.length) add({ what: "end", isFailure: trace.judged.verdict === "fails", text: endText(trace) });
  return drafts;
}

/** Of one disk; what is beyond is counted. */
const MOST_PENDING = 4;

function disksAt(trace: TraceDocument, step: number): string[] {
  return trace.disks
    .filter((disk) => disk.step === step)
    .flatMap(({ host, pending }) => {
      if (pending.length === 0) return [`on ${host} all is durable`];
      const shown = pending.slice(0, pending.length > MOST_PENDING ? MOST_PENDING - 1 : MOST_PENDING).map((operation) => `pending on ${host}: ${operation}`);
      const more = pending.length - shown.length;
      return more === 0 ? shown : [...shown, `pending on ${host}: ${more} more`];
    });
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

function standingOf(status: string): Standing {
  if (status.startsWith("running")) return "running";
  return status.startsWith("stopped") ? "stopped" : "gone";
}

function changeText(process: string, status: string, life: number): string {
  if (status === "running") return life > 1 ? `${process} runs, life ${life}` : `${process} runs`;
  if (status === "ended") return `${process} ends`;
  return status === "threw" ? `${process} throws` : `${process} is ${status}`;
}

/** Between the operation and its object. */
const JOINTS: Readonly<Record<string, string>> = { "network.send": "to", "network.answer": "to", "network.deliver": "from" };

function stepText({ operation, object, outcome, detail }: TraceStep, route: string): string {
  const words = [operation, JOINTS[operation] ?? "", object, outcome === "ok" ? "" : `(${outcome})`].filter((word) => word !== "");
  return `${words.join(" ")}${route}${detail === "" ? "" : ` = ${detail}`}`;
}

function endText({ judged, ending }: TraceDocument): string {
  if (judged.verdict === "fails") return `FAIL ${judged.check}: ${judged.says}`;
  return judged.verdict === "holds" ? `${ending.how}; no check alarms` : `NOT RUN (${judged.says})`;
}

/** An arrow from a step that was left out comes from the row that says so. */
function withArrows(drafts: readonly Draft[]): Row[] {
  const placeOf = new Map(drafts.flatMap(({ steps }, at) => steps.map((step) => [step, at] as const)));
  return drafts.map(({ row, sentBy }) => {
    const from = sentBy === undefined ? undefined : placeOf.get(sentBy.step);
    if (row.what !== "step" || sentBy === undefined || from === undefined) return row;
    return { ...row, arrow: { lane: sentBy.lane, from, step: sentBy.step } };
  });
}

/** What stands below the text of a step, in order. */
export function notesOf({ faults, changes, disks }: StepRow): { readonly mark: string; readonly text: string; readonly isFault: boolean }[] {
  const note = (mark: string, isFault: boolean) => (text: string) => ({ mark, text, isFault });
  return [...faults.map(note("✗", true)), ...disks.map(note("~", false)), ...changes.map(note("·", false))];
}

/** Of a row that is no step. */
export function remark(row: Exclude<Row, StepRow>, lanes: readonly Lane[]): string {
  switch (row.what) {
    case "time":
      return `time moves to ${grouped(row.atMs)} ms`;
    case "heal":
      return "no fault fires from here on, and what they did is undone";
    case "left-out": {
      const [only, ...others] = row.lanes;
      const who = only !== undefined && others.length === 0 ? lanes[only]?.name : `${row.lanes.length} processes`;
      return `${grouped(row.steps)} steps of ${who} left out`;
    }
    case "end":
      return row.text;
  }
}
