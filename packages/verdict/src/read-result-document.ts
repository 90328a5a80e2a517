/** Reads a result document that someone else wrote. Loads zod on first use, which is why it is async. */

import { RESULT_SCHEMA_VERSION } from "./result-document.ts";
import type { ResultDocument } from "./result-document.ts";

/** 64 Mi characters: about 200,000 results. Larger is a mistake, not a report. */
export const RESULT_DOCUMENT_MAX_CHARACTERS = 64 * 1024 * 1024;
/** A document that is wrong everywhere says so once, not ten thousand times. */
const MAX_PROBLEM_LINES = 5;

export type ReadResult =
  | { readonly document: ResultDocument }
  | { readonly document: undefined; readonly problem: ReadProblem };

export interface ReadProblem {
  readonly code: "TOO_LARGE" | "NOT_JSON" | "UNKNOWN_VERSION" | "NOT_A_RESULT_DOCUMENT";
  /** What, why, and what now. */
  readonly message: string;
}

export async function readResultDocument(text: string): Promise<ReadResult> {
  if (text.length > RESULT_DOCUMENT_MAX_CHARACTERS) {
    return problem(
      "TOO_LARGE",
      `${text.length} characters; at most ${RESULT_DOCUMENT_MAX_CHARACTERS} are read. Split the run.`,
    );
  }
  const parsed = parse(text);
  if ("why" in parsed) {
    return problem("NOT_JSON", `not JSON (${parsed.why}). Was it cut off, or is it another file?`);
  }
  const version = versionOf(parsed.value);
  if (version !== undefined && version !== RESULT_SCHEMA_VERSION) {
    return problem(
      "UNKNOWN_VERSION",
      `schemaVersion is ${JSON.stringify(version)}; this reader knows ${RESULT_SCHEMA_VERSION}. ` +
        "Read it with the version of the tool that wrote it.",
    );
  }
  const { resultDocumentSchema, schemaProblems } = await import("./result-schema.ts");
  const checked = resultDocumentSchema.safeParse(parsed.value);
  if (checked.success) return { document: checked.data };
  const lines = schemaProblems(checked.error, MAX_PROBLEM_LINES);
  return problem("NOT_A_RESULT_DOCUMENT", `not a result document: ${lines.join("; ")}.`);
}

function parse(text: string): { value: unknown } | { why: string } {
  try {
    // A byte order mark is what Windows shells put in front when they redirect.
    return { value: JSON.parse(text.replace(/^\uFEFF/, "")) };
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) };
  }
}

function versionOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && "schemaVersion" in value
    ? value.schemaVersion
    : undefined;
}

function problem(code: ReadProblem["code"], message: string): ReadResult {
  return { document: undefined, problem: { code, message } };
}
