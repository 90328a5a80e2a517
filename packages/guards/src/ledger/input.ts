/** What the slot ledger is handed and what it answers. Plain data, instants in milliseconds since the epoch. */
import type { Reading, SlotRow } from "../slot-row.ts";

export type { Reading };

/** One slot that a task's schedule has. */
export interface DueSlot {
  readonly taskId: string;
  readonly slotMs: number;
  /** As the registry has it now. */
  readonly enabled: boolean;
  /** How long after the slot a run may start and still be its run: jitter, queueing, a slow start. From the task's own cadence. */
  readonly graceMs: number;
  /** Default `recurring`. */
  readonly kind?: "once" | "recurring";
  /** The other slot of the same time, in a night in which the clocks go back: engines differ on whether that is one slot or two, so that one run will do. */
  readonly twinMs?: number | undefined;
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

/** A stretch of time whose traces could not all be read. */
export interface HiddenRuns {
  /** Undefined: any task's. */
  readonly taskId: string | undefined;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface LedgerTask {
  readonly taskId: string;
  /** As the registry has it now. */
  readonly enabled: boolean;
  /** An instant since which it is known to have been disabled, such as the registry's last change. */
  readonly disabledSinceMs?: number | undefined;
  /** `unknown`: its schedule could not be read, so that its runs cannot be judged. Default `known`. */
  readonly slots?: "known" | "unknown";
  /** `unknown`: the registry may say when it last ran, in a form that nobody can read. Default `known`. */
  readonly claims?: "known" | "unknown";
  /** Its slots are listed from here on only, so that its older runs are not judged. Default `dueFromMs`. */
  readonly slotsFromMs?: number | undefined;
}

export interface LedgerInput<Run extends Artefact = Artefact> {
  /** Every task there is, enabled or not. A run of any other task is an orphan. */
  readonly tasks: readonly LedgerTask[];
  /** All slots of all tasks from `dueFromMs` to `windowToMs`, disabled tasks' too. */
  readonly due: readonly DueSlot[];
  /** The window's start less the look-back, so that a catch-up run finds its slot. Runs before it are not judged. */
  readonly dueFromMs: number;
  /** Undefined: this layout keeps none, so nothing can be a ghost or invisible. */
  readonly claims: readonly Claim[] | undefined;
  /** Undefined: nobody could look, so nothing is judged. */
  readonly artefacts: readonly Run[] | undefined;
  /** The oldest trace that is still there: before it nothing is judged. Undefined: nothing is. -Infinity: no trace is ever removed. */
  readonly artefactsReachBackToMs: number | undefined;
  /** Traces that are there and could not be read: a slot without a trace is not judged where one of them may be its. Default: none. */
  readonly hidden?: readonly HiddenRuns[];
  /** Of which something proves that the machine was awake. Undefined or empty: nothing does. Never guess wider: a slot in it is missed. */
  readonly awake: readonly AwakeSpan[] | undefined;
  /** Of which something proves that it slept or was off. */
  readonly asleep?: readonly AwakeSpan[] | undefined;
  /** What the product says it does with slots that passed while nothing ran. */
  readonly catchUp: { readonly policy: "none" | "latest-once" | "each-missed"; readonly lookBackMs: number };
  readonly windowFromMs: number;
  readonly windowToMs: number;
  readonly nowMs: number;
}

export interface LedgerRow<Run extends Artefact = Artefact> extends SlotRow {
  readonly reading: Reading;
  /** `inferred`: some other reading would fit what is known too, such as a sleeping machine or a run by hand. */
  readonly confidence: "measured" | "inferred";
  readonly kind: "once" | "recurring";
  /** Sorted by start. `seen` is their number. */
  readonly runs: readonly Run[];
  /** Of the first run; undefined without one, and for a run that has no slot. */
  readonly lateMs: number | undefined;
}

/** Counts of slots, but for `runs`. `due` is `seen + withoutTrace + discarded + unjudged`. */
export interface LedgerSum {
  /** Slots of enabled tasks whose grace has ended or that were seen. */
  readonly due: number;
  readonly claimed: number;
  /** Due slots with a run, however many. Undefined: nobody could look. */
  readonly seen: number | undefined;
  /** Missed and ghost successes. */
  readonly withoutTrace: number;
  readonly discarded: number;
  readonly unjudged: number;
  /** Not yet due. */
  readonly pending: number;
  /** All of them, with those at no slot. */
  readonly runs: number;
}

/** A run that is in no row. */
export interface Orphan<Run extends Artefact = Artefact> {
  readonly artefact: Run;
  readonly because: "unknown-task" | "in-the-future" | "no-instant";
}

export interface SlotLedger<Run extends Artefact = Artefact> {
  /** Whose slot, or one of whose runs, is in the window, or that are without a run and whose grace ended in it. */
  readonly rows: readonly LedgerRow<Run>[];
  readonly outsideWindow: readonly LedgerRow<Run>[];
  readonly orphans: readonly Orphan<Run>[];
  /** One for every task, sorted by id. */
  readonly tasks: readonly (LedgerSum & { readonly taskId: string })[];
  readonly fleet: LedgerSum;
}
