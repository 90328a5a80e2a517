/** What was seen in one execution: by the client, by the runtime, and in the answers of the dispatcher. Plain facts for the guards. */
import type { Session } from "@casebook/ports";
import { RunningHash } from "@casebook/sim/kernel";
import type { Answer, Capability, Probe, Task, TaskView } from "./adapter.ts";
import type { CheckedRule } from "./rule.ts";

export interface Submitted {
  readonly task: Task;
  readonly atMs: number;
  /** All that came back, in order: a client that heard nothing asks again. */
  readonly answers: Answer[];
}

/** Written by the driver while an execution is played. */
export interface Observed {
  readonly submitted: readonly Submitted[];
  /** What the adapter did that no dispatcher may do, such as an answer of the wrong shape. */
  readonly broken: string[];
  /** Calls that rejected: allowed while the disk refuses. */
  readonly threw: string[];
  /** Of the first life, before anything was submitted. */
  first: readonly TaskView[] | undefined;
  /** Of the last look. */
  views: readonly TaskView[] | undefined;
  readonly histories: (readonly string[])[];
  attempts: Probe["attempts"];
}

export interface Seen extends Observed {
  readonly rule: CheckedRule;
  readonly capabilities: readonly Capability[];
  readonly sessions: readonly Session[];
  /** How long a session runs, and how it ends. */
  readonly runsForMs: number;
  readonly endsWell: boolean;
  /** Whether a process died. */
  readonly hasDied: boolean;
}

export function taskOf({ id, text = "Do it.", agent = "DEV", after = [] }: CheckedRule["play"]["submissions"][number]): Task {
  return { id, text, revision: revisionOf(text), agent, after };
}

export function revisionOf(text: string): string {
  const hash = new RunningHash();
  hash.text(text);
  return hash.digits();
}

export function emptyRecord(rule: CheckedRule, epochMs: number): Observed {
  return {
    submitted: rule.play.submissions.map((one) => ({ task: taskOf(one), atMs: epochMs + one.atMs, answers: [] })),
    broken: [],
    threw: [],
    first: undefined,
    views: undefined,
    histories: [],
    attempts: undefined,
  };
}

/** What it took on: a text that it refused is no job of its. */
export function isTaken({ answers }: Submitted): boolean {
  return answers.some((answer) => answer === "accepted" || answer === "duplicate");
}
