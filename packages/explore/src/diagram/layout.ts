/**
 * A trace as a space-time diagram: a lane for each process, a row for each step, arrows from sending to delivery. Decides what
 * stands where and what is left out; how it looks is for the terminal and the picture, which both start here.
 */
import type { TraceDocument, TraceStep } from "../trace/document.ts";
import { grouped } from "./printable.ts";

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
/** Something of the beginning, what was left out, and something of the end. */
const FEWEST_ROWS = 5;
/** A run of one process that does nothing but go on is shortened when it is longer. */
const LONGEST_RUN = 8;
const KEPT_OF_A_RUN = 2;

export function layoutOf(trace: TraceDocument, { maxRows = DEFAULT_ROWS, until }: LayoutOptions = {}): Layout {
  const lanes = trace.processes.map(({ name, host }) => ({ name, host: host === name ? "" : host }));
  const start = trace.processes.map(({ name }) => standingOf(trace.changes.find((change) => change.step === 0 && change.process === name)?.status ?? ""));
  const kept = withoutMiddle(withoutLongRuns(rowsOf(trace, start, until ?? trace.steps.length)), Math.max(maxRows, FEWEST_ROWS));
  return { title: `${trace.system}: ${trace.claim}`, lanes, start, rows: withArrows(kept) };
}

/** Before anything is left out: rows know the step that an arrow comes from, and not yet its place. */
interface Draft {
  readonly row: Row;
  readonly steps: readonly number[];
  readonly sentBy: Sent | undefined;
}

interface Sent {
  readonly step: number;
  readonly lane: number;
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
    add({ what: "step", number: step.number, lane, text, faults, changes, arrow: undefined, isHealing }, [step.number], sent);
  }
  if (until >= trace.steps.length) add({ what: "end", isFailure: trace.judged.verdict === "fails", text: endText(trace) });
  return drafts;
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** For each delivery, the step in which it was sent. */
function sendsOf(trace: TraceDocument, laneOf: ReadonlyMap<string, number>): Map<number, Sent> {
  const sent = new Map<number, Sent>();
  const delivered = new Set<number>();
  for (const step of trace.steps) {
    if (step.operation !== "network.deliver") continue;
    const from = step.object;
    const lane = laneOf.get(from);
    if (lane === undefined) continue;
    const direct = trace.steps[step.cause - 1];
    const isItsSend = (one: TraceStep): boolean => isSend(one) && one.process === from && one.object === step.process;
    if (direct !== undefined && (isItsSend(direct) || (step.detail === "closed" && direct.process === from))) {
      delivered.add(direct.number);
      sent.set(step.number, { step: direct.number, lane });
      continue;
    }
    // Held up on its way: whatever ran when it was let go did not send it.
    const late = trace.steps.find((one) => one.number < step.number && isItsSend(one) && one.detail === step.detail && !delivered.has(one.number));
    if (late === undefined) continue;
    delivered.add(late.number);
    sent.set(step.number, { step: late.number, lane });
  }
  return sent;
}

function isSend({ operation }: TraceStep): boolean {
  return operation === "network.send" || operation === "network.answer";
}

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

function withoutLongRuns(drafts: readonly Draft[]): Draft[] {
  const kept: Draft[] = [];
  for (let at = 0; at < drafts.length; ) {
    let end = at;
    while (end < drafts.length && isDull(drafts[end] as Draft) && laneOfDraft(drafts[end] as Draft) === laneOfDraft(drafts[at] as Draft)) end += 1;
    if (end - at <= LONGEST_RUN) {
      kept.push(...drafts.slice(at, Math.max(end, at + 1)));
    } else {
      const middle = drafts.slice(at + KEPT_OF_A_RUN, end - KEPT_OF_A_RUN);
      kept.push(...drafts.slice(at, at + KEPT_OF_A_RUN), leftOut(middle), ...drafts.slice(end - KEPT_OF_A_RUN, end));
    }
    at = Math.max(end, at + 1);
  }
  return kept;
}

function laneOfDraft({ row }: Draft): number {
  return row.what === "step" ? row.lane : -1;
}

/** Says nothing beyond that its process went on. */
function isDull({ row, sentBy }: Draft): boolean {
  return row.what === "step" && row.faults.length === 0 && row.changes.length === 0 && sentBy === undefined && !row.text.startsWith("network.");
}

/** The end is what it is about, so more of it is kept. */
function withoutMiddle(drafts: readonly Draft[], maxRows: number): Draft[] {
  if (drafts.length <= maxRows) return [...drafts];
  const head = Math.floor((maxRows - 1) / 3);
  const tail = maxRows - 1 - head;
  return [...drafts.slice(0, head), leftOut(drafts.slice(head, drafts.length - tail)), ...drafts.slice(drafts.length - tail)];
}

function leftOut(drafts: readonly Draft[]): Draft {
  const steps = drafts.flatMap((draft) => draft.steps);
  const lanes = new Set(drafts.filter(({ row }) => row.what === "step").map(laneOfDraft));
  const last = drafts.at(-1) as Draft;
  return { row: { what: "left-out", steps: steps.length, lanes: [...lanes], standings: last.row.standings }, steps, sentBy: undefined };
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
