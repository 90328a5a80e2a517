/**
 * The doctor's answer: one row a task with due, claimed and seen, and the findings behind it. Every printed number comes from
 * here. Extends the result document's words; the published schema is made from `report-schema.ts`.
 */
import type { FindingData, NotRunReason, Tally } from "@casebook/verdict";
import type { Place } from "./observation.ts";

export type FindingConfidence = "measured" | "inferred";

/** One thing that is wrong. Numbers and their population come first in `what`. */
export interface DoctorFinding extends FindingData {
  readonly severity: "alarm" | "warning" | "information";
  readonly where: Place | undefined;
  readonly what: string;
  readonly why: string;
  /** Counts with their sources, such as `registered 35 (scheduled-tasks.json)`. */
  readonly proof: readonly string[];
  /** One step, and its risk. */
  readonly fix: { readonly step: string; readonly risk: string };
  /** A command that goes green when the fix is applied. */
  readonly verify: string;
  readonly case: string | undefined;
  readonly confidence: FindingConfidence;
  /** Tasks it concerns, sorted. */
  readonly tasks: readonly string[];
}

/** `due` is `seen + withoutTrace + discarded + unjudged`, in every row and in the totals; what is undefined counts as 0. */
export interface DoctorCounts {
  /** Undefined prints as `-`: which slots there are is not known. */
  readonly due: number | undefined;
  readonly claimed: number | undefined;
  /** Undefined prints as `-`: nobody could look. */
  readonly seen: number | undefined;
  /** Missed, or claimed and not seen. */
  readonly withoutTrace: number;
  /** Passed while the machine slept, as far as anybody can tell, and dropped as the product says. */
  readonly discarded: number;
  /** Nobody could look. */
  readonly unjudged: number;
}

export interface DoctorRow extends DoctorCounts {
  /**
   * A task id, the layout for what concerns its files and no single task, a place that could not be read whole, or, of `work`, a task
   * that is handed out and has no schedule, or, of `run`, a run of several agents.
   */
  readonly subject: string;
  readonly kind: "task" | "layout" | "place" | "work" | "run";
  readonly layout: string;
  /** Of a task, the registry that it is in; else the first file of its installation. */
  readonly place: string;
  readonly verdict: "PASS" | "FAIL" | "NOT RUN";
  /** The shortest sentence that says why, from the gravest finding. */
  readonly because: string;
  readonly reason: NotRunReason | undefined;
}

/** A task that was handed out: for a person, what is the case, what is to be done, and who may decide it. */
export interface DoctorWork {
  readonly task: string;
  readonly layout: string;
  /** Its file, or the store that it stands in. */
  readonly place: string;
  /** The folder or the status that it is in; `conflict`, `missing`, `unknown`. */
  readonly state: string;
  /** Whose work it is; "" where nobody says. */
  readonly responsible: string;
  readonly fact: string;
  /** `none`: nothing is open. */
  readonly openAction: string;
  readonly mayDecide: string;
  /** Earlier attempts that failed or were refused. */
  readonly failures: readonly string[];
}

/** A run of several agents, as a ledger has it. */
export interface DoctorRun {
  readonly run: string;
  readonly layout: string;
  readonly place: string;
  readonly state: string;
  /** Left out: none is on record. */
  readonly cause?: string;
  /** Who waits for whom, over what, since when. */
  readonly waits: readonly { readonly who: string; readonly forWhom: string; readonly over: string; readonly sinceMs: number }[];
  /** Items in hand, and those whose lease is over. */
  readonly leases: number;
  readonly leasesPastExpiry: number;
  readonly obligations: number;
  readonly obligationsOpen: number;
  readonly items: number;
  readonly itemsDone: number;
  /** Neither done nor failed nor dropped. */
  readonly itemsOpen: number;
  /** All of it, for somebody who has a minute. */
  readonly line: string;
  /** Of its one terminal record, in words: why it stopped, what a run that resumes it would do, and where its rows are kept. Left out: it has none, or it says nothing that can be relied on. */
  readonly record?: { readonly why: string; readonly resume: string; readonly look: string };
}

export interface DoctorReport {
  readonly schemaVersion: 1;
  readonly tool: { readonly name: string; readonly version: string };
  readonly window: { readonly fromMs: number; readonly toMs: number };
  readonly layouts: readonly { readonly id: string; readonly confidence: string; readonly places: readonly string[]; readonly files: number }[];
  /** The sums of the rows. */
  readonly totals: DoctorCounts;
  readonly rows: readonly DoctorRow[];
  readonly findings: readonly DoctorFinding[];
  /** Sorted as its rows. */
  readonly work: readonly DoctorWork[];
  readonly runs: readonly DoctorRun[];
  /** Checks that a recognised layout cannot have, and why: outside the count. */
  readonly outside: readonly { readonly check: string; readonly because: string }[];
  readonly looked: readonly { readonly path: string; readonly found: string }[];
  readonly candidates: readonly { readonly path: string; readonly what: string; readonly tryThis: string }[];
  /** Said whenever nothing proves that the machine was awake. */
  readonly notes: readonly string[];
  readonly tally: Tally;
}
