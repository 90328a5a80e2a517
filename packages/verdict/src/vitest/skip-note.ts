import { isNotRunReason, type NotRunReason } from "../words/index.ts";

/**
 * Reads the note of `context.skip(note)`. `NOT RUN: no redis on 127.0.0.1` is missing-dependency,
 * `NOT RUN (missing-input): no dump` names its own reason; any other note is a plain skip.
 * An unknown reason stays in the message, so that a typing error is read and not lost.
 */
export function notRunNote(note: string): { reason: NotRunReason; message: string } | undefined {
  const match = /^\s*NOT RUN\b\s*(?:\(([^)]*)\))?\s*:?\s*([\s\S]*)$/.exec(note);
  if (match === null) return undefined;
  const word = match[1]?.trim();
  const rest = match[2]?.trim() || "the note says no more";
  if (word === undefined) return { reason: "missing-dependency", message: rest };
  if (isNotRunReason(word)) return { reason: word, message: rest };
  return { reason: "missing-dependency", message: `(${word}) ${rest}` };
}
