/** What reading a registry answers. Each variant has only what can be true of it. */
import type { Normalised } from "./entry.ts";
import type { EntryProblem } from "./entry-problem.ts";
import type { FileProblem } from "./file-problem.ts";
import type { Task } from "./task.ts";

/**
 * What a reader does with an entry that is invalid.
 * `reject-file`: drops every entry with it. `quarantine-entry`: sets the entry aside and loads the others.
 * `normalise-then-quarantine`: first reads a `fireAt` that is ISO text with an offset as the milliseconds it names.
 */
export type LoaderPolicy = "reject-file" | "quarantine-entry" | "normalise-then-quarantine";

/** How many tasks there should be, counted without asking any loader. */
export interface Population {
  readonly count: number;
  readonly countedBy: "files" | "entries" | "prompt-folders";
}

/** An entry that was set aside, with everything that is wrong with it. */
export interface QuarantinedEntry {
  readonly file: string | undefined;
  readonly pointer: string;
  readonly id: string | undefined;
  readonly problems: readonly [EntryProblem, ...EntryProblem[]];
}

/** The entries were judged one by one; loaded and quarantined add up to the population. */
export interface LoadedReading {
  readonly outcome: "loaded";
  readonly population: Population;
  readonly loaded: readonly Task[];
  readonly quarantined: readonly QuarantinedEntry[];
  readonly normalised: readonly Normalised[];
  readonly dropped: 0;
  /** Worth knowing, cost no task: a byte order mark, keys that are repeated where nobody reads. */
  readonly notices: readonly string[];
  /** Names in the directory that are no `.json` file, sorted; none for a registry that is one file. */
  readonly ignored: readonly string[];
}

/** The file reads well; the loader dropped all of it for what it found inside. */
export interface RejectedReading {
  readonly outcome: "rejected";
  readonly population: Population;
  readonly loaded: readonly [];
  readonly quarantined: readonly [];
  /** What it was rejected for; empty if for the file as such. */
  readonly invalid: readonly QuarantinedEntry[];
  readonly dropped: number;
  readonly problem: FileProblem;
}

/** `unreadable`: there, but no entries could be told apart. `absent`: nothing there at all. Neither is an empty registry. */
export interface FailedReading {
  readonly outcome: "unreadable" | "absent";
  /** From the prompt folders; undefined: how many tasks there should be is not known, and it is not 0. */
  readonly population: Population | undefined;
  readonly loaded: readonly [];
  readonly quarantined: readonly [];
  readonly problem: FileProblem;
}

export type RegistryReading = LoadedReading | RejectedReading | FailedReading;

/** Facts for the parity guard; undefined when the population is not known (the check is NOT RUN, missing-input). */
export function parityFacts(
  reading: RegistryReading,
): { readonly onDisk: number; readonly loaded: number; readonly quarantined: number } | undefined {
  if (reading.population === undefined) return undefined;
  return { onDisk: reading.population.count, loaded: reading.loaded.length, quarantined: reading.quarantined.length };
}

/** How many good entries a loader that judges the list as a whole drops, or would drop, because of the bad ones. */
export function blastRadius(reading: LoadedReading | RejectedReading): number {
  if (reading.outcome === "rejected") return reading.population.count - reading.invalid.length;
  return reading.quarantined.length === 0 ? 0 : reading.loaded.length;
}
