/**
 * What reading a layout gave: plain data, made by `observe`, judged by `examine`. No prompt text, no payload and no secret
 * is ever in here. What could not be read is in here too, with its reason, because it is not nothing.
 */
import type { Artefact, AwakeSpan } from "@casebook/guards";
import type { LogSurvey } from "@casebook/receipt-reader/judge";
import type { Schedule } from "@casebook/registry/judge";
import type { Evidence, NotRunReason } from "@casebook/verdict";
import type { Preset } from "./preset.ts";

/** Where something stands. Lines and columns count from 1; the path is as the tree knows it (redaction comes when it is printed). */
export interface Place {
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
  readonly pointer?: string;
  readonly byteOffset?: number;
}

/** Something that should have been read and was not. */
export interface NotRead {
  readonly what: string;
  readonly reason: NotRunReason;
  readonly message: string;
  readonly evidence: Evidence;
}

export interface TimeClaim {
  readonly atMs: number;
  readonly place: Place;
}

/** A field that is not what the layout says it is. */
export interface FieldProblem {
  /** Upper case and stable, such as FIRE_AT_INVALID or TIME_UNIT. */
  readonly code: string;
  readonly place: Place;
  /** Type and clipped value, or the type alone where the value could be private. */
  readonly seen: string;
  readonly wanted: string;
  /** The value to write instead, where it is unambiguous. */
  readonly instead?: string;
}

export type PromptState = "present" | "missing" | "empty" | "placeholder" | "is-its-name" | "unreadable" | "inline";

export interface TaskObservation {
  readonly id: string;
  /** The entry, or the prompt folder of a task that is in no registry. */
  readonly place: Place;
  /** Registries whose list has this id; empty: a prompt folder without an entry. */
  readonly registries: readonly string[];
  readonly enabled: boolean;
  readonly schedule: Schedule | { readonly kind: "every"; readonly everyMs: number; readonly anchorMs: number | undefined } | undefined;
  readonly lastRun: TimeClaim | undefined;
  readonly running: TimeClaim | undefined;
  readonly createdAtMs: number | undefined;
  readonly prompt: PromptState;
  readonly repeat: { readonly times: number; readonly completed: number } | undefined;
  readonly problems: readonly FieldProblem[];
  /**
   * What it says in a form that could not be read: its `id`, `when` it is due, its `last-run`. Nothing is concluded from their
   * absence. Default: none.
   */
  readonly unreadable?: readonly Unreadable[];
}

export type Unreadable = "id" | "when" | "last-run";

export interface RegistryObservation {
  readonly path: string;
  readonly modifiedAtMs: number;
  readonly outcome: "read" | "unreadable" | "unstable" | "empty" | "unknown-shape" | "unsupported-version";
  /** Entries in the list, valid or not; undefined when they could not be told apart. */
  readonly entries: number | undefined;
  readonly invalid: number;
  /** Other top-level lists and how many objects each holds. */
  readonly otherLists: readonly { readonly pointer: string; readonly entries: number }[];
  readonly duplicateIds: readonly { readonly id: string; readonly places: readonly Place[] }[];
  readonly duplicateKeys: readonly { readonly key: string; readonly place: Place }[];
  readonly encoding: readonly { readonly code: string; readonly place: Place; readonly grade: "fatal" | "harmless" }[];
  readonly version: { readonly seen: string; readonly known: readonly string[]; readonly place: Place } | undefined;
  /** Skips that the product recorded, by task and reason, with their instants. */
  readonly skips: readonly { readonly taskId: string; readonly reason: string; readonly atMs: readonly number[] }[];
  readonly problem: { readonly code: string; readonly message: string; readonly place: Place } | undefined;
  /** Fields of the document itself, outside its records, that are not what the layout says. */
  readonly fieldProblems?: readonly FieldProblem[];
}

export interface MarkerObservation {
  readonly kind: "lock" | "heartbeat" | "last-success";
  readonly path: string;
  readonly atMs: number;
  readonly staleAfterMs: number;
}

export interface UnknownWord {
  readonly taskId: string;
  readonly atMs: number;
  readonly place: Place;
  /** The word, or its length where it could be private. */
  readonly seen: string;
}

/** Runs that left a trace, and what was searched for them. */
export interface ArtefactObservation {
  readonly runs: readonly (Artefact & { readonly place: Place })[];
  /** Files and lines that were looked at. */
  readonly searched: { readonly files: number; readonly lines: number };
  /**
   * Lines that a reader which only wants finished runs passes over without a word: no JSON, another kind of line, JSON of the
   * wrong shape. Only where the layout has run logs.
   */
  readonly passedOver?: { readonly unparseable: number; readonly otherKind: number; readonly wrongShape: number };
  /** Lines or files that could not be read as what they should be: torn tail, glued, NUL run, wrong shape. */
  readonly damaged: readonly {
    readonly code: string;
    readonly place: Place;
    readonly goodLinesAfter: number;
    /** Lines that this one stands for, where a file has more than are listed. Default 1. */
    readonly times?: number;
  }[];
  /** Lines about a task with a word that the layout is not known to have: each may be a run. Default: none. */
  readonly unknownWords?: readonly UnknownWord[];
  /** The oldest trace that is still there; before it nothing can be said. */
  readonly reachesBackToMs: number | undefined;
}

/** A log of command receipts, as a whole. */
export interface ReceiptLogObservation {
  /** Of the generation that was read. */
  readonly path: string;
  readonly survey: LogSurvey;
  readonly mayTakeMs: number;
  /** Of lines that a finding may be about: byte offset to number of the line, from 1. */
  readonly lines: ReadonlyMap<number, number>;
}

export interface LayoutObservation {
  readonly preset: Preset;
  readonly places: readonly string[];
  readonly registries: readonly RegistryObservation[];
  /** Folders that refused, and links and the like named as a registry: what is listed there is not known. */
  readonly hiddenRegistries?: readonly string[];
  readonly tasks: readonly TaskObservation[];
  /** Prompt folders counted; undefined where the layout has none. */
  readonly promptFolders: number | undefined;
  /** Undefined: the layout keeps no traces, or none could be read (then it is in `notRead`). */
  readonly artefacts: ArtefactObservation | undefined;
  readonly markers: readonly MarkerObservation[];
  /** Left out: the layout has none. */
  readonly receiptLogs?: readonly ReceiptLogObservation[];
  readonly residue: readonly string[];
  readonly awake: readonly AwakeSpan[];
  readonly notRead: readonly NotRead[];
  readonly filesSeen: number;
}

/** Something that looks like a list of tasks in a shape that no preset knows. */
export interface Candidate {
  readonly path: string;
  readonly pointer: string;
  readonly objects: number;
  /** Keys that look like an id, a schedule, a last run. */
  readonly keys: readonly string[];
  /** The command line that would read it, or why there is none. */
  readonly tryThis: string;
}

export interface Observation {
  readonly layouts: readonly LayoutObservation[];
  readonly candidates: readonly Candidate[];
  /** Where was looked, found or not. */
  readonly looked: readonly { readonly path: string; readonly found: "layout" | "nothing" | "candidate" | "absent" | "unreadable"; readonly message?: string }[];
  readonly notRead: readonly NotRead[];
  /** Caps that were hit, by name. */
  readonly capped: readonly string[];
}
