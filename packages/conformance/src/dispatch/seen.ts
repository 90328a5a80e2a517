/** What was seen in one execution: by the client, by the runtime, and in the answers of the dispatcher. Plain facts for the guards. */
import type { Session } from "@casebook/ports";
import { RunningHash } from "@casebook/sim/kernel";
import type { Answer, Capability, Notice, Probe, Task, TaskView } from "./adapter.ts";
import type { CheckedRule, Submission, ToldNotice } from "./rule.ts";

export interface Submitted {
  readonly task: Task;
  readonly atMs: number;
  /** All that came back, in order: a client that heard nothing asks again. */
  readonly answers: Answer[];
}

export interface Told {
  readonly notice: Notice;
  /** When it was told first, and when the answer to that came; undefined: none came. */
  readonly atMs: number;
  heardAtMs: number | undefined;
}

/** Written by the driver while an execution is played. */
export interface Observed {
  readonly submitted: readonly Submitted[];
  readonly told: readonly Told[];
  /** What the adapter did that no dispatcher may do, such as an answer of the wrong shape. */
  readonly broken: string[];
  /** Calls that rejected: allowed while the disk refuses. */
  readonly threw: string[];
  /** Of the first life, before anything was submitted. */
  first: readonly TaskView[] | undefined;
  /** Of the instance at `elsewhereAtMs`, which was told nothing. */
  elsewhere: readonly TaskView[] | undefined;
  /** Of the instance that is made over the same disk when everything is over. */
  later: readonly TaskView[] | undefined;
  /** Of the look at `looksAtMs`. */
  midway: readonly TaskView[] | undefined;
  /** When that had been answered. */
  midwayAtMs: number | undefined;
  /** Of the last look. */
  views: readonly TaskView[] | undefined;
  readonly histories: (readonly string[])[];
  attempts: Probe["attempts"];
  /** Of the last probe. */
  listedStrangers: Probe["strangers"];
}

export interface Seen extends Observed {
  readonly rule: CheckedRule;
  readonly capabilities: readonly Capability[];
  /** Started by the dispatchers. */
  readonly sessions: readonly Session[];
  /** Started by others. */
  readonly strangers: readonly Session[];
  readonly startMs: number;
  /** How long a session runs, and how it ends. */
  readonly runsForMs: number;
  readonly endsWell: boolean;
  /** Whether a process died. */
  readonly hasDied: boolean;
}

/** Who may, in every rule. */
export const TRUST = { sources: ["board"], reviewers: ["LEAD", "DEV"] } as const;
/** Who accepts ended work: the agent of no task. */
export const REVIEWER = "LEAD";

export function taskOf({ id, text = "Do it.", agent = "DEV", after = [], source = TRUST.sources[0], gate }: Submission): Task {
  return { id, text, revision: revisionOf(text), agent, after, source, ...(gate === undefined ? {} : { gate }) };
}

function noticeOf(notice: ToldNotice, submissions: readonly Submission[]): Notice {
  if (notice.kind !== "edit") return notice;
  const own = submissions.find(({ id }) => id === notice.id);
  if (own === undefined) throw new Error(`a rule edits ${notice.id}, which it does not submit`);
  return { kind: "edit", task: taskOf({ ...own, text: notice.text }) };
}

export function revisionOf(text: string): string {
  const hash = new RunningHash();
  hash.text(text);
  return hash.digits();
}

export function emptyRecord(rule: CheckedRule, epochMs: number): Observed {
  return {
    submitted: rule.play.submissions.map((one) => ({ task: taskOf(one), atMs: epochMs + one.atMs, answers: [] })),
    told: (rule.play.notices ?? []).map(({ atMs, notice }) => ({ notice: noticeOf(notice, rule.play.submissions), atMs: epochMs + atMs, heardAtMs: undefined })),
    broken: [],
    threw: [],
    first: undefined,
    elsewhere: undefined,
    later: undefined,
    midway: undefined,
    midwayAtMs: undefined,
    views: undefined,
    histories: [],
    attempts: undefined,
    listedStrangers: undefined,
  };
}

/** What it took on: a text that it refused is no job of its. */
export function isTaken({ answers }: Submitted): boolean {
  return answers.some((answer) => answer === "accepted" || answer === "duplicate");
}
