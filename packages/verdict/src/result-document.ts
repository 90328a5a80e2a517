/**
 * The result document: what one run of one tool has to say, for machines. Plain data, versioned.
 * A reader ignores keys it does not know; a new required key or a changed meaning is a new version.
 * Leaves out when it was written: two equal runs give two equal documents.
 */

import { compareText } from "./compare-text.ts";
import { tallyOf, type Tally, type Verdict } from "./words/index.ts";

export const RESULT_SCHEMA_VERSION = 1;

/** Where to look. `line` and `column` count from 1. */
export interface Location {
  /** Relative to the root of what was examined, with forward slashes. */
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/** One planned thing and its verdict. */
export type Result = Verdict & {
  /** Stable between runs and unique in the document. */
  readonly id: string;
  readonly title: string;
  readonly note?: string;
  readonly location?: Location;
};

/** Something met on the way that was never planned, so that no count holds it. */
export interface Outside {
  readonly id: string;
  readonly title: string;
  readonly kind: "skipped" | "todo" | "unsupported";
  readonly note?: string;
  readonly location?: Location;
}

/** What a guard found, as plain data. Tools may add keys. */
export interface FindingData {
  readonly guard: string;
  readonly subject: string;
  readonly message: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly [key: string]: unknown;
}

export interface ResultDocument {
  readonly schemaVersion: typeof RESULT_SCHEMA_VERSION;
  readonly tool: { readonly name: string; readonly version: string };
  /** What was asked for, as it was typed. Empty: everything. */
  readonly selection: readonly string[];
  readonly results: readonly Result[];
  readonly tally: Tally;
  readonly outside: readonly Outside[];
  readonly findings: readonly FindingData[];
}

/** Sorts, and counts the tally from the results, so that a document cannot disagree with itself. */
export function createResultDocument(parts: {
  readonly tool: ResultDocument["tool"];
  readonly selection: readonly string[];
  readonly results: readonly Result[];
  readonly outside?: readonly Outside[];
  readonly findings?: readonly FindingData[];
}): ResultDocument {
  return {
    schemaVersion: RESULT_SCHEMA_VERSION,
    tool: parts.tool,
    selection: parts.selection,
    results: parts.results.toSorted((a, b) => compareText(a.id, b.id)),
    tally: tallyOf(parts.results),
    outside: (parts.outside ?? []).toSorted((a, b) => compareText(a.id, b.id)),
    findings: (parts.findings ?? []).toSorted(
      (a, b) => compareText(a.guard, b.guard) || compareText(a.subject, b.subject),
    ),
  };
}
