/**
 * The report for a tired reader: three columns first, what failed first, findings after, counts that add up last. Pure: a
 * report in, text out. No colour; nothing here is told by colour alone.
 */
import { tallyLine } from "@casebook/verdict";
import type { DoctorFinding, DoctorReport } from "../doctor-report.ts";
import { alike } from "./alike.ts";
import { rowLines, unjudgedLines } from "./human-rows.ts";
import { placeText } from "./place-text.ts";
import { redact, redactCommand, type Redaction } from "./redact.ts";
import { runLines } from "./run-lines.ts";
import { workLines } from "./work-lines.ts";
import { wrapped } from "./wrap.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Findings of one guard that are printed whole; more are counted, and `--json` has them all. */
const MAX_FINDINGS_A_GUARD = 10;

export function writeHuman(report: DoctorReport, redaction: Redaction): string {
  const blocks = [
    headLines(report),
    rowLines(report.rows, redaction),
    unjudgedLines(report.rows, redaction),
    ...findingBlocks(report.findings, redaction),
    workLines(report.work, redaction),
    runLines(report.runs, redaction),
    endLines(report, redaction),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => line.trimEnd()).join("\n"))
    .join("\n\n")}\n`;
}

function headLines({ window, totals, layouts }: DoctorReport): string[] {
  const { due, claimed, seen, withoutTrace, discarded, unjudged } = totals;
  const slots = layouts.length === 0 ? "nothing recognised" : `${due === undefined ? "no slots known to be" : count(due, "slot")} due`;
  const head = `casebook doctor   ${spanOf(window)} · ${slots} · read-only, nothing sent`;
  if (layouts.length === 0) return [head];
  const says = [
    ...(seen === undefined ? [] : [`${count(withoutTrace, "slot")} left no trace of a run`]),
    ...(discarded > 0 ? [`${discarded} perhaps dropped after a sleep`] : []),
    ...(unjudged > 0 ? [`${unjudged} could not be judged`] : []),
  ];
  return [head, `  due ${due ?? "-"}   claimed ${claimed ?? "-"}   seen ${seen ?? "-"}     ${says.join(", ")}`];
}

function spanOf({ fromMs, toMs }: DoctorReport["window"]): string {
  const ms = toMs - fromMs;
  if (ms % DAY_MS === 0 && ms > DAY_MS) return `last ${ms / DAY_MS} days`;
  return ms % HOUR_MS === 0 || ms > DAY_MS ? `last ${Math.round(ms / HOUR_MS)} h` : `last ${Math.ceil(ms / MINUTE_MS)} min`;
}

function findingBlocks(findings: readonly DoctorFinding[], redaction: Redaction): string[][] {
  const times = new Map<string, number>();
  const blocks = findings.flatMap((finding) => {
    const before = times.get(finding.guard) ?? 0;
    times.set(finding.guard, before + 1);
    return before < MAX_FINDINGS_A_GUARD ? [findingLines(finding, redaction)] : [];
  });
  const more = [...times].filter(([, all]) => all > MAX_FINDINGS_A_GUARD);
  if (more.length === 0) return blocks;
  return [...blocks, more.map(([guard, all]) => `and ${all - MAX_FINDINGS_A_GUARD} more findings of ${guard}; --json has them all`)];
}

function findingLines(finding: DoctorFinding, redaction: Redaction): string[] {
  const { guard, severity, confidence, what, where, why, proof, fix, verify } = finding;
  const say = (text: string) => redact(text, redaction);
  const doubt = confidence === "inferred" ? ", inferred" : "";
  const text = (name: string, words: string) => wrapped(`  ${name.padEnd(7)} ${words}`, 10);
  return [
    ...wrapped(`${severity} ${guard}${doubt}: ${say(what)}`, 2),
    // Places and commands stay whole, to be copied.
    ...(where === undefined ? [] : [`  where   ${say(placeText(where))}`]),
    ...text("why", why),
    ...(proof.length === 0 ? [] : text("proof", say(proof.join("; ")))),
    ...text("fix", say(`${fix.step} (${fix.risk})`)),
    `  verify  ${redactCommand(verify, redaction)}`,
    ...(finding.case === undefined ? [] : [`  case    ${finding.case}   casebook run ${finding.case}`]),
  ];
}

function endLines(report: DoctorReport, redaction: Redaction): string[] {
  const { layouts, looked, candidates, outside, notes, tally } = report;
  const say = (text: string) => redact(text, redaction);
  const text = (name: string, words: string) => wrapped(`${name.padEnd(8)} ${words}`, 9);
  return [
    ...layouts.flatMap(({ id, confidence, files, places }) => text("read", `${id} (${confidence}), ${count(files, "file")}, recognised by ${say(places.join(", "))}`)),
    ...(layouts.length > 0 ? [] : looked.flatMap(({ path, found }) => text("looked", say(`${path}: ${found}`)))),
    ...candidates.flatMap(({ path, what, tryThis }) => [...text("maybe", say(`${path}: ${what}`)), `  try    ${redactCommand(tryThis, redaction)}`]),
    ...outside.flatMap(({ check, because }) => text("outside", say(`${check}: ${because}`))),
    ...alike(notes, (note) => note).flatMap(({ shown, rest }) => {
      const more = rest[0] === undefined ? [] : text("note", say(`and ${rest.length} more like these: ${rest[0]}`));
      return [...shown.flatMap((note) => text("note", say(note))), ...more];
    }),
    ...(layouts.length > 0 ? [] : text("verdict", nothingText(report))),
    tallyLine(tally),
  ];
}

/** Nothing found is never "nothing wrong". */
function nothingText({ looked, candidates, rows }: DoctorReport): string {
  if (candidates.length > 0) return "none: what is there has a shape that is not known here; describe it as above, or nothing is judged";
  if (rows.length > 0) return "none: what was to be looked at could not be read, so nothing is known of what is in it";
  if (looked.length > 0 && looked.every(({ found }) => found.startsWith("absent"))) return "none: none of these places is there, so nothing was judged";
  return "none: no layout of scheduled tasks was recognised here, so nothing was judged; name the folder that has yours";
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
