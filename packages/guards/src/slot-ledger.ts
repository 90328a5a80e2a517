/**
 * The heart of the doctor as one pure function: due, claimed, seen. Joins what the calendar says, what the registry says and
 * what left a trace, one row for each task and slot. Reads nothing and knows no layout, no cron and no clock.
 *
 * This file fixes the shapes; see the functions for the rules.
 */

/** One slot that a task's schedule has in the window. */
export interface DueSlot {
  readonly taskId: string;
  readonly slotMs: number;
  readonly enabled: boolean;
  /** How long after the slot a run may start and still be its run: jitter, queueing, a slow start. From the task's own cadence. */
  readonly graceMs: number;
}

/** What the registry says about a task's last run. */
export interface Claim {
  readonly taskId: string;
  readonly atMs: number;
}

/** A run that left a trace: a session file, a transcript, an output. */
export interface Artefact {
  readonly taskId: string;
  readonly startedAtMs: number;
  /** `manual`: somebody started it by hand; `unknown`: nothing says which. */
  readonly trigger: "scheduled" | "catch-up" | "manual" | "unknown";
}

/** A stretch of time of which something proves that the machine was awake. Outside all of them nothing is known. */
export interface AwakeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}
