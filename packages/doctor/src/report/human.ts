/**
 * The report for a tired reader: three columns first, what failed first, findings after, counts that add up last. Pure: a
 * report in, text out. No colour; nothing here is told by colour alone.
 */
import { tallyLine } from "@casebook/verdict";
import type { DoctorFinding, DoctorReport, DoctorRow } from "../doctor-report.ts";
import { placeText } from "./place-text.ts";
import { redact, type Redaction } from "./redact.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Rows that pass are listed up to here; more are counted. */
const MAX_PASSING_ROWS = 12;

export function writeHuman(report: DoctorReport, redaction: Redaction): string {
  const say = (text: string) => redact(text, redaction);
  const blocks = [
    headLines(report),
    rowLines(report.rows, say),
    ...report.findings.map((finding) => findingLines(finding, say)),
    endLines(report, say),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function headLines({ window, totals, layouts }: DoctorReport): string[] {
  const { due, claimed, seen, unjudged } = totals;
  const head = `casebook doctor   ${spanOf(window)} · ${count(due, "slot")} due · read-only, nothing sent`;
  if (layouts.length === 0) return [head];
  const missing = seen === undefined ? undefined : Math.max(0, due - seen - unjudged);
  const says = [
    ...(missing === undefined ? [] : [`${count(missing, "slot")} left no trace of a run`]),
    ...(unjudged > 0 ? [`${unjudged} could not be judged`] : []),
  ];
  return [head, `  due ${due}   claimed ${claimed}   seen ${seen ?? "-"}     ${says.join(", ")}`.trimEnd()];
}

function spanOf({ fromMs, toMs }: DoctorReport["window"]): string {
  const ms = toMs - fromMs;
  return ms % DAY_MS === 0 && ms > DAY_MS ? `last ${ms / DAY_MS} days` : `last ${Math.round(ms / HOUR_MS)} h`;
}

const ORDER = ["FAIL", "NOT RUN", "PASS"] as const;

function rowLines(rows: readonly DoctorRow[], say: (text: string) => string): string[] {
  const sorted = ORDER.flatMap((verdict) => rows.filter((row) => row.verdict === verdict));
  const passing = sorted.filter((row) => row.verdict === "PASS");
  const shown = sorted.filter((row) => row.verdict !== "PASS" || passing.indexOf(row) < MAX_PASSING_ROWS);
  const names = shown.map((row) => say(row.kind === "layout" ? `files of ${row.subject}` : row.subject));
  const width = Math.min(40, Math.max(12, ...names.map((name) => name.length)));
  const lines = shown.map((row, index) => {
    const counts = row.kind === "layout" ? " ".repeat(31) : `due ${pad(row.due)} claimed ${pad(row.claimed)} seen ${pad(row.seen ?? "-")}`;
    return `  ${row.verdict.padEnd(8)} ${(names[index] ?? "").padEnd(width)}  ${counts}  ${say(row.because)}`.trimEnd();
  });
  const rest = passing.length - MAX_PASSING_ROWS;
  return rest > 0 ? [...lines, `  PASS     and ${rest} more that pass`] : lines;
}

function pad(value: number | string): string {
  return String(value).padEnd(4);
}

function findingLines(finding: DoctorFinding, say: (text: string) => string): string[] {
  const { guard, severity, confidence, what, where, why, proof, fix, verify } = finding;
  const doubt = confidence === "inferred" ? ", inferred" : "";
  const rows: (readonly [string, string])[] = [
    ...(where === undefined ? [] : [["where", placeText(where)] as const]),
    ["why", why],
    ...(proof.length === 0 ? [] : [["proof", proof.join("; ")] as const]),
    ["fix", `${fix.step} (${fix.risk})`],
    ["verify", verify],
    ...(finding.case === undefined ? [] : [["case", `${finding.case}   casebook run ${finding.case}`] as const]),
  ];
  return [`${severity} ${guard}${doubt}: ${say(what)}`, ...rows.map(([name, text]) => `  ${name.padEnd(7)} ${say(text)}`)];
}

function endLines(report: DoctorReport, say: (text: string) => string): string[] {
  const { layouts, looked, candidates, outside, notes, tally } = report;
  return [
    ...layouts.map(({ id, confidence, files, places }) => `read     ${id} (${confidence}), ${count(files, "file")} below ${say(places.join(", "))}`),
    ...(layouts.length > 0 ? [] : looked.map(({ path, found }) => `looked   ${say(path)}: ${found}`)),
    ...candidates.map(({ path, what, tryThis }) => `maybe    ${say(path)}: ${say(what)}; try: ${say(tryThis)}`),
    ...outside.map(({ check, because }) => `outside  ${check}: ${because}`),
    ...notes.map((note) => `note     ${say(note)}`),
    tallyLine(tally),
  ];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
