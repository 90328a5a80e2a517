/** What the reporter says, as lines. Plain text of its own; only vitest's rendering of an error has colour. */

import type { TestProject } from "vitest/node";

import { locationText, type ErrorLike } from "./error-text.ts";
import type { Judged, JudgedModule } from "./judge-module.ts";
import { compareText } from "../compare-text.ts";
import type { Outside, Result } from "../result-document.ts";
import { tallyOf } from "../words/index.ts";
import { detailLines } from "../writers/evidence-lines.ts";
import { visibleText } from "../writers/visible-text.ts";

type NotRunResult = Extract<Result, { verdict: "NOT RUN" }>;

const WORD_WIDTH = "NOT RUN".length;

/** `PASS     src/a.test.ts  12 passed`: one line when a file has ended. */
export function fileLine(file: string, { judged, notSelected, outside }: JudgedModule): string {
  const { failed, notRun, passed } = tallyOf(judged.map(({ result }) => result));
  const word = failed > 0 ? "FAIL" : notRun > 0 ? "NOT RUN" : passed > 0 ? "PASS" : "-";
  const counts = [
    [failed, "failed"],
    [notRun, "not run"],
    [passed, "passed"],
    [outside.length, "skipped"],
    [notSelected, "not selected"],
  ] as const;
  const text = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return visibleText(`${word.padEnd(WORD_WIDTH)}  ${file}  ${text.join(", ") || "no tests"}`);
}

/** One block per NOT RUN; tests that share a cause (one hook, one worker) share a block, each named. */
export function notRunBlocks(judged: readonly Judged[]): string[] {
  const groups = new Map<string, NotRunResult[]>();
  for (const { result } of judged) {
    if (result.verdict !== "NOT RUN") continue;
    const cause = JSON.stringify([result.reason, result.message, result.evidence]);
    groups.set(cause, [...(groups.get(cause) ?? []), result]);
  }
  return [...groups.values()].flatMap((results) => {
    const [first] = results;
    if (first === undefined) return [];
    return [
      "",
      ...results.map(({ id, reason }) => visibleText(`NOT RUN  ${id} (${reason})`)),
      ...detailLines(first.message, first.evidence).map(indented),
    ];
  });
}

/** One block per FAIL. `render` draws an error with its diff and source, or nothing when someone else does. */
export function failBlocks(
  judged: readonly Judged[],
  render: ((error: ErrorLike, project: TestProject | undefined) => string) | undefined,
): string[] {
  return judged.flatMap(({ errors, project, result }) => {
    if (result.verdict !== "FAIL") return [];
    const place = result.location === undefined ? "" : `  ${locationText(result.location)}`;
    const drawn = errors.map((error) => render?.(error, project) ?? "").join("");
    const body = drawn === "" ? result.message.split("\n").map(indented) : [drawn.trimEnd()];
    return ["", visibleText(`FAIL  ${result.id}${place}`), ...body];
  });
}

export function skippedLines(outside: readonly Outside[]): string[] {
  if (outside.length === 0) return [];
  const sorted = outside.toSorted((a, b) => compareText(a.id, b.id));
  return [
    "",
    ...sorted.map(({ id, kind, note }) =>
      visibleText(`${kind.padEnd(WORD_WIDTH)}  ${id}${note === undefined ? "" : `: ${note}`}`),
    ),
  ];
}

/** Why nothing was planned, for whoever expected otherwise. */
export function nothingSelectedLine(facts: {
  readonly files: number;
  readonly notSelected: number;
  readonly skipped: number;
  readonly selection: readonly string[];
}): string {
  const { files, notSelected, selection, skipped } = facts;
  const asked = selection.length === 0 ? "the configuration" : selection.join(" ");
  let what = `${files} files hold no tests`;
  if (files === 0) what = `${asked} matches no test file`;
  else if (skipped > 0) what = `all ${skipped} tests it selects are skipped`;
  else if (notSelected > 0) what = `${asked} matches none of ${notSelected} tests in ${files} files`;
  return `nothing selected: ${what}. That is not a pass (exit code 2).`;
}

export function neverPlannedLine(): string {
  return "nothing selected: vitest stopped before it planned a test; its own error says why. That is not a pass (exit code 2).";
}

function indented(line: string): string {
  return `  ${visibleText(line)}`;
}
