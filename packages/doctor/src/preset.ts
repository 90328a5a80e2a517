/**
 * A layout as data: how it is recognised, where its records, claims and artefacts are. No code, so that a person who has
 * a layout we never saw can write one. What a layout does not have is left out, and the checks that need it are not planned.
 */

/** How sure we are of a shape: read in the product's own source or documentation, seen by several people, or one report. */
export type Confidence = "source" | "several-reports" | "one-report";

/** Path patterns over whole path segments: `*` is one segment or part of one, `**` any number of segments. */
export type Glob = string;

/** How a moment is written. `iso`: text with Z or an offset. */
export type TimeUnit = "iso" | "epoch-ms" | "epoch-s";

export interface TimeField {
  /** JSON pointer inside a record. */
  readonly pointer: string;
  readonly unit: TimeUnit;
}

/** The first that is present counts. */
export type ScheduleField =
  | {
      readonly kind: "cron";
      readonly pointer: string;
      readonly zonePointer?: string;
      /** A word that is false for a task which is due once: at its first slot after it was created. */
      readonly recurring?: string;
    }
  | { readonly kind: "once"; readonly pointer: string; readonly unit: TimeUnit }
  /** `duration`: text such as 5m or PT15M. */
  | { readonly kind: "every"; readonly pointer: string; readonly unit: "ms" | "minutes" | "duration"; readonly anchor?: TimeField };

export type FieldType = "text" | "number" | "boolean" | "object" | "list" | "any";

export interface RecordFields {
  /** Pointers to try, in order. `key`: the key of an id-keyed map. */
  readonly id: readonly string[] | "key";
  readonly enabled?: { readonly pointer: string; readonly whenAbsent: boolean };
  /** A second word that can switch a record off: `{ pointer: "/state", off: ["paused"] }`. */
  readonly state?: { readonly pointer: string; readonly off: readonly string[] };
  readonly schedules: readonly ScheduleField[];
  /** Where a record says which of them it has, and every word for it that is known. */
  readonly scheduleKind?: { readonly pointer: string; readonly words: Readonly<Record<string, ScheduleField["kind"]>> };
  /** What a record without a schedule is. Default: invalid. */
  readonly withoutSchedule?: "manual" | "invalid";
  /** The registry's claim that it ran. A claim, not evidence. */
  readonly lastRun?: TimeField;
  /** A marker that a run is going on, with its start. */
  readonly running?: TimeField;
  readonly created?: TimeField;
  /**
   * Inline prompt (the first that is there) and display name, for the check that one has replaced the other. Never printed.
   * A record that has one of `promptInstead` set needs no prompt.
   */
  readonly prompt?: readonly string[];
  readonly promptInstead?: readonly string[];
  readonly name?: string;
  readonly repeat?: { readonly times: string; readonly completed: string };
  readonly cwd?: string;
  /** Fields that every record of this layout has. One that is missing is a problem although reading could go on. */
  readonly always?: readonly string[];
  /**
   * Every field that was ever seen in a record, by pointer, with its type; null always may stand there. With it, a field that
   * is read and absent while an unknown one has its type is reported as renamed; without it, nobody can tell.
   */
  readonly known?: Readonly<Record<string, FieldType>>;
}

export interface RegistryPattern {
  readonly glob: Glob;
  /** JSON pointers to the records to try, in order; "" is the whole document. */
  readonly records: readonly string[];
  /** Every key that was ever seen at the top of the document, with its type. */
  readonly topLevel?: Readonly<Record<string, FieldType>>;
  /** Pointer and the values known, such as `{ pointer: "/version", known: [1] }`. */
  readonly version?: { readonly pointer: string; readonly known: readonly (number | string)[] };
  /** A map of id to `{ at, reason }[]`. */
  readonly recordedSkips?: string;
  /** A file beside the registry that holds part of each record, keyed by id; `from` is tried in order, "" is the whole value. */
  readonly sideState?: { readonly file: string; readonly records: string; readonly from: readonly string[]; readonly into: string };
  /** What a UTF-8 byte order mark does to the product's own reader. Default: fatal, as for every strict JSON parser. */
  readonly byteOrderMark?: "fatal" | "harmless";
  /** Whether a registry file is one of several stores of one installation. */
  readonly store?: "account-and-workspace" | "profile";
}

/** Proof that a run happened, from somewhere other than the registry. */
export type ArtefactPattern =
  /**
   * One JSON file a run; its start is the first that is there. A file without `taskId` is nobody's run, but a trace.
   * `session`: the name that a transcript of the same run has, so that two traces of one run count once.
   */
  | {
      readonly kind: "json-file";
      readonly glob: Glob;
      readonly taskId: string;
      readonly startedAt: readonly (TimeField | "file-birth")[];
      readonly session?: string;
    }
  /** One JSON line a run. `pathTaskId`: the task is named by the file, the first `*` of the glob. */
  | {
      readonly kind: "json-line";
      readonly glob: Glob;
      readonly taskId: string | "path";
      readonly startedAt: readonly TimeField[];
      /** Only lines whose field has one of these values are runs. */
      readonly only?: { readonly pointer: string; readonly values: readonly string[] };
      /** Words for a run that took place, well or not, and for one that did not. What a line with another word is, nobody knows. */
      readonly status?: { readonly pointer: string; readonly ran: readonly string[]; readonly didNot: readonly string[] };
    }
  /**
   * One JSONL transcript a run, named by its session. `taskMarker` is the text in its first lines that stands before the
   * task's id; the id ends at the next quote or `<`.
   */
  | { readonly kind: "transcript"; readonly glob: Glob; readonly taskMarker: string; readonly startedAt: TimeField }
  /** One output file a run, in a folder named by the task; its start is in its name or its birth. */
  | { readonly kind: "output-file"; readonly glob: Glob; readonly taskId: "path"; readonly startedAt: "file-birth" | "file-name" }
  /** A ring of runs inside the record itself. */
  | {
      readonly kind: "in-record";
      readonly pointer: string;
      readonly at: TimeField;
      /** Whose value is one of the words of `Artefact.trigger`. */
      readonly trigger?: string;
      /** A run that has one of these set did not happen. */
      readonly unless?: readonly string[];
      /** The ring keeps this many; a full one says nothing about what came before it. */
      readonly keeps: number;
    };

export interface MarkerPattern {
  readonly kind: "lock" | "heartbeat" | "last-success";
  readonly glob: Glob;
  /** Where the moment stands: the file's time, the whole text as epoch seconds, or a field of JSON. */
  readonly at: "file-time" | "text-epoch-s" | TimeField;
  readonly staleAfterMs: number;
}

/** A log of command receipts, in the shape that `@casebook/receipt-reader` has. Of a log that was repaired, the newest generation is read. */
export interface ReceiptLogPattern {
  readonly glob: Glob;
  /** How long a command may be open. */
  readonly mayTakeMs: number;
}

export interface Preset {
  readonly id: string;
  readonly title: string;
  readonly confidence: Confidence;
  /** What the shape was read from, and when. */
  readonly seen: readonly string[];
  readonly registries: readonly RegistryPattern[];
  readonly fields: RecordFields;
  /** One folder a task, whose name is the id: the last `*` of the glob. */
  readonly prompts?: { readonly glob: Glob };
  readonly artefacts: readonly ArtefactPattern[];
  readonly markers?: readonly MarkerPattern[];
  readonly receipts?: readonly ReceiptLogPattern[];
  /** Leftovers of writers, such as `*.tmp`. */
  readonly residue?: readonly Glob[];
  /** The zone that schedules without one are read in: the machine's (handed in), or a fixed one. */
  readonly zone: "machine" | "UTC";
  /** What the product says it does with slots that passed while nothing ran. */
  readonly catchUp: { readonly policy: "none" | "latest-once" | "each-missed"; readonly lookBackMs: number };
  /** Upper bound of the delay that the product adds to a slot, as a share of the period and in milliseconds. */
  readonly jitter: { readonly shareOfPeriod: number; readonly atMostMs: number };
  /** One-shots that may start at one instant; more are at risk. */
  readonly concurrentAtOnce?: number;
  /** Where the files are, relative to home (`~`), on each system. The places that are looked in without arguments. */
  readonly places: Readonly<Record<"linux" | "darwin" | "win32", readonly string[]>>;
}
