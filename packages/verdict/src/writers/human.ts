/**
 * The document for a person: one line per result, what is behind it indented below, the tally last.
 * No colour: the words carry it. A tool with a table of its own (the doctor) prints that instead.
 */

import { detailLines } from "./evidence-lines.ts";
import { visibleText } from "./visible-text.ts";
import type { Outside, Result, ResultDocument } from "../result-document.ts";
import { notRunLine, tallyLine } from "../words/index.ts";

const WORD_WIDTH = "NOT RUN".length;
const INDENT = " ".repeat(WORD_WIDTH + 2);

export function writeHuman(document: ResultDocument): string {
  const { findings, outside, results, tally } = document;
  return [
    ...results.flatMap(resultLines),
    ...outside.map(outsideLine),
    ...findings.map(({ guard, subject, message }) =>
      visibleText(`finding  ${guard}  ${subject}: ${message}`),
    ),
    ...(tally.notRun > 0 ? [notRunLine(results)] : []),
    tallyLine(tally),
    "",
  ].join("\n");
}

function resultLines(result: Result): string[] {
  const word = result.verdict.padEnd(WORD_WIDTH);
  const reason = result.verdict === "NOT RUN" ? ` (${result.reason})` : "";
  const below = [
    ...(result.verdict === "PASS" ? [] : detailLines(result.message, result.evidence)),
    ...(result.verdict === "FAIL" && result.annotation ? [`annotation: ${result.annotation}`] : []),
    ...(result.note === undefined ? [] : [`note: ${result.note}`]),
  ];
  // An id usually ends in the title; then once is enough.
  const title = result.id.endsWith(result.title) ? "" : `  ${result.title}`;
  return [
    visibleText(`${word}  ${result.id}${title}${reason}`).replaceAll("\n", " "),
    ...below.map((line) => INDENT + visibleText(line)),
  ];
}

function outsideLine({ id, kind, note }: Outside): string {
  return visibleText(`${kind.padEnd(WORD_WIDTH)}  ${id}${note ? `: ${note}` : ""}`);
}
