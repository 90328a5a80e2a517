/**
 * JUnit XML for build servers: a suite per file, NOT RUN as `skipped` with the reason in its message
 * and the evidence inside. JUnit has no third word, so a server shows NOT RUN as skipped: it is the
 * exit code (3) that keeps such a run from being green. Leaves out findings, times and host names.
 */

import { detailLines } from "./evidence-lines.ts";
import { visibleText } from "./visible-text.ts";
import { compareText } from "../compare-text.ts";
import type { Outside, Result, ResultDocument } from "../result-document.ts";

type Entry = Result | Outside;

export function writeJunit(document: ResultDocument): string {
  const { outside, results, tally, tool } = document;
  const entries: readonly Entry[] = [...results, ...outside];
  const suiteOf = ({ location }: Entry) => location?.file ?? tool.name;
  const names = [...new Set(entries.map(suiteOf))].toSorted(compareText);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escapeAttribute(tool.name)}" ${counts(entries)}>`,
    ...names.flatMap((name) =>
      suiteLines(name, entries.filter((entry) => suiteOf(entry) === name)),
    ),
    `  <!-- planned ${tally.planned}, passed ${tally.passed}, failed ${tally.failed}, not run ${tally.notRun} -->`,
    "</testsuites>",
    "",
  ].join("\n");
}

function suiteLines(name: string, entries: readonly Entry[]): string[] {
  return [
    `  <testsuite name="${escapeAttribute(name)}" ${counts(entries)}>`,
    ...entries.toSorted((a, b) => compareText(a.id, b.id)).map((entry) => testcase(name, entry)),
    "  </testsuite>",
  ];
}

function testcase(suite: string, entry: Entry): string {
  const { file, line } = entry.location ?? {};
  const place =
    (file === undefined ? "" : ` file="${escapeAttribute(file)}"`) +
    (line === undefined ? "" : ` line="${line}"`);
  const open = `    <testcase classname="${escapeAttribute(suite)}" name="${escapeAttribute(entry.title)}"${place}`;
  const inside = outcome(entry);
  return inside === undefined ? `${open}/>` : `${open}>${inside}</testcase>`;
}

function outcome(entry: Entry): string | undefined {
  if ("kind" in entry) {
    const note = entry.note === undefined ? "" : `: ${entry.note}`;
    return `<skipped message="${escapeAttribute(entry.kind + note)}"/>`;
  }
  if (entry.verdict === "PASS") return undefined;
  const { message } = entry;
  const note = entry.note === undefined ? [] : [entry.note];
  const body = escapeText([...detailLines(message, entry.evidence), ...note].join("\n"));
  if (entry.verdict === "FAIL") {
    return `<failure message="${escapeAttribute(message)}">${body}</failure>`;
  }
  return `<skipped message="${escapeAttribute(`NOT RUN (${entry.reason}): ${message}`)}">${body}</skipped>`;
}

function counts(entries: readonly Entry[]): string {
  const failures = entries.filter((entry) => "verdict" in entry && entry.verdict === "FAIL").length;
  const skipped = entries.filter((entry) => "kind" in entry || entry.verdict === "NOT RUN").length;
  return `tests="${entries.length}" failures="${failures}" errors="0" skipped="${skipped}"`;
}

function escapeText(text: string): string {
  return visibleText(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Line feeds and tabs as references, or a parser turns them into spaces. */
function escapeAttribute(text: string): string {
  return escapeText(text)
    .replaceAll('"', "&quot;")
    .replaceAll("\n", "&#10;")
    .replaceAll("\t", "&#9;");
}
