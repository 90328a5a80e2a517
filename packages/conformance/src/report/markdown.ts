/** A report for people. Says first what was not looked at, and never that something conforms. */
import { printable } from "@casebook/explore";
import type { ConformanceReport, RuleResult } from "./report.ts";

/** Characters: of a sentence, and of what is looked at for it. */
const LONGEST_LINE = 500;
const LONGEST_READ = 5_000;

export function reportMarkdown(report: ConformanceReport): string {
  const { subject, planned, passed, failed, notRun, unsupported, notChecked, rules, seed, share, selected } = report;
  const failures = rules.filter(({ verdict }) => verdict === "FAIL");
  return [
    `# ${plain(subject.name)} ${plain(subject.version)}`,
    "",
    `planned ${planned}, passed ${passed}, failed ${failed}, not run ${notRun}; outside of that: unsupported ${unsupported}, not checked ${notChecked}`,
    "",
    floor(report),
    "",
    `Declares: ${subject.capabilities.length === 0 ? "nothing" : subject.capabilities.join(", ")}. Rules: ${selected}. Seed ${seed}, ${share === 1 ? "the budget as written" : `${share} of the budget`}.`,
    "",
    "| rule | level | | sentence | seen |",
    "| --- | --- | --- | --- | --- |",
    ...rules.map(row),
    ...failures.flatMap(failureLines),
    "",
  ].join("\n");
}

/** For a terminal: the count, what it is not, what has no verdict and why, and every failure. */
export function reportText(report: ConformanceReport): string {
  const { subject, planned, passed, failed, notRun, unsupported, notChecked, rules } = report;
  return [
    `${oneLine(subject.name)} ${oneLine(subject.version)}: planned ${planned}, passed ${passed}, failed ${failed}, not run ${notRun}`,
    `outside of that: unsupported ${unsupported}, not checked ${notChecked}`,
    floor(report),
    // Each is shown with a diagram, and many of them are more than anybody reads.
    ...(failed === 0 ? [] : [`failed: ${rules.filter(({ verdict }) => verdict === "FAIL").map(({ number }) => number).join(", ")}`]),
    ...rules.filter(({ verdict }) => verdict === "NOT RUN").map(({ number, reason = "", says = "" }) => `${number}: NOT RUN (${reason}) ${oneLine(says)}`),
    ...rules.flatMap(({ failures = [] }) => failureTexts(failures).flatMap((text) => ["", text.trimEnd()])),
  ].join("\n");
}

export function floor({ planned, distance }: ConformanceReport): string {
  const schedule = distance === "json-lines" ? " The clock, the messages and the disk were the kit's; what the program does between two calls was not, so a failure may not play again." : "";
  return `${planned} ${planned === 1 ? "scenario is" : "scenarios are"} a floor and no certificate: few tasks, one fault at a time, schedules by sample.${schedule}`;
}

function row({ number, level, verdict, sentence, played, reason, says, failures }: RuleResult): string {
  const seen = failures?.[0]?.seen ?? (reason === undefined ? says : `(${reason}) ${says ?? ""}`) ?? (played === undefined ? "" : extentText(played));
  return `| ${number} | ${level} | ${verdict} | ${plain(sentence)} | ${plain(seen)} |`;
}

export function extentText({ executions, faultSets, faultSetsOf }: NonNullable<RuleResult["played"]>): string {
  const faults = faultSetsOf <= 1 ? "" : `, ${faultSets === faultSetsOf ? `${faultSets}` : `${faultSets} of ${faultSetsOf}`} places of the fault`;
  return `${executions} ${executions === 1 ? "execution" : "executions"}${faults}`;
}

function failureLines({ number, sentence, failures = [] }: RuleResult): string[] {
  return ["", `## ${number}: ${plain(sentence)}`, ...failureTexts(failures).flatMap((text) => ["", "```text", ...text.trimEnd().split("\n"), "```"])];
}

type Failure = NonNullable<RuleResult["failures"]>[number];

/** Those of one rule: the steps of an execution are shown once, and what else fails in it names where. */
export function failureTexts(failures: readonly Failure[]): string[] {
  return failures.map((failure, at) => failureText(failure, failures.slice(0, at).find(({ replay }) => replay === failure.replay)?.check));
}

/** One failure as it is printed everywhere. `shownWith`: the check with which its steps are shown already. */
export function failureText({ check, sentence, seen, under, partsAtStep, diagram, replay, case: shownBy }: Failure, shownWith?: string): string {
  const lines = [
    `${check}: ${sentence}`,
    `  seen    ${oneLine(seen)}`,
    `  under   ${under.length === 0 ? "no fault" : under.join(" and ")}`,
    `  parts   ${partsAtStep === undefined ? "at the end: what should have happened did not, or was not said" : `at step ${partsAtStep}`}`,
    ...(shownWith === undefined ? diagram.trimEnd().split("\n").map((line) => `  ${line}`) : [`  steps   those of ${shownWith}, above`]),
    `  replay  ${replay}`,
    `  case    ${shownBy}: casebook explain ${shownBy}`,
  ];
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

function plain(text: string): string {
  return oneLine(text).replaceAll("|", "\\|");
}

/** What an adapter calls itself and throws may be anything: it ends no block, moves no cursor, and is cut where nobody would read on. */
function oneLine(text: string): string {
  const line = printable(text.slice(0, LONGEST_READ).replaceAll(/\s+/g, " "));
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE - 1)}…` : line;
}
