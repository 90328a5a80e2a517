/** A terminal record in words, for somebody who has nothing else: why the run stopped, what can be resumed, where to look. */
import type { TerminalRecord } from "./terminal-record.ts";

export interface RecordInWords {
  readonly why: string;
  readonly resume: string;
  readonly look: string;
}

/** Longer lists are cut, with the number of what was left out. */
const MAX_NAMES = 5;

export function describeRecord(record: TerminalRecord): RecordInWords {
  const { run, state, trace, writtenBy } = record;
  const ended = state === "cancelled" ? "was cancelled" : state;
  return {
    why: `${run} ${ended} ${secondsBetween(record)} s after it began: ${reasonOf(record)}. Written by ${writtenBy}.`,
    resume: resumeOf(record),
    look: trace === null ? "No rows were kept: this record is all there is beside the ledger." : `Its rows as they stood are in the artefact store at ${trace}.`,
  };
}

function reasonOf(record: TerminalRecord): string {
  const { cause, done, failed, used, exhaustedCounter, cycle } = record;
  switch (cause) {
    case "completed":
      return `${done.length === 1 ? "its one item is" : `all of its ${done.length} items are`} done`;
    case "failed":
      return `nothing is left to try, and ${names(failed)} failed for good`;
    case "cancelled_by_operator":
      return `an operator ended it${stuck(record)}`;
    case "deadline":
      return `its time was over${stuck(record)}`;
    case "deadlock":
      return `its agents waited for each other, ${[...cycle, cycle[0]].join(" for ")}`;
    case "unclassified":
      return "nobody could find out why, because the ledger did not answer in time";
    default:
      return `its budget of ${COUNTERS_IN_WORDS[exhaustedCounter ?? "agents"]} was exhausted, ${used[exhaustedCounter ?? "agents"]} were used${stuck(record)}`;
  }
}

const COUNTERS_IN_WORDS = { tokens: "tokens", toolCalls: "tool calls", agents: "agents" } as const;

function stuck({ stuckAgent, stuckItem }: TerminalRecord): string {
  return stuckAgent === null ? "; nobody held an item then" : `; ${stuckAgent} had held ${stuckItem} for the longest time`;
}

function resumeOf({ done, failed, notFinished }: TerminalRecord): string {
  if (notFinished.length === 0) return "Nothing is left to resume.";
  const begun = notFinished.filter(({ attempts }) => attempts > 0);
  const started = begun.length === 0 ? "none of them was started" : `${names(begun)} had been started`;
  const kept = `what is done stays done (${done.length})`;
  return `A run that resumes it has ${notFinished.length} ${notFinished.length === 1 ? "item" : "items"} to do (${started}); ${kept}${failed.length === 0 ? "" : `, and ${names(failed)} failed for good`}.`;
}

function names(items: readonly { readonly item: string }[]): string {
  const shown = items.slice(0, MAX_NAMES).map(({ item }) => item);
  const more = items.length - shown.length;
  return `${shown.join(", ")}${more === 0 ? "" : ` and ${more} more`}`;
}

function secondsBetween({ startedAtMs, atMs }: TerminalRecord): number {
  return Math.round((atMs - startedAtMs) / 1_000);
}
