import type { ResultDocument } from "../result-document.ts";

/** The document itself, indented, with a line feed at the end. */
export function writeJson(document: ResultDocument): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
