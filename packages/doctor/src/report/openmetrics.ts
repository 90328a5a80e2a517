/**
 * The report as a node_exporter textfile: no timestamps, NOT RUN as a series of its own and never as 0. Whoever calls
 * writes it to a temporary name and renames; this only makes the text.
 */
import type { DoctorReport, DoctorRow } from "../doctor-report.ts";
import { redact, type Redaction } from "./redact.ts";

interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export function writeOpenMetrics(report: DoctorReport, redaction: Redaction): string {
  const { totals, tally, rows, findings, window } = report;
  const tasks = rows.filter((row) => row.kind === "task");
  const label = (text: string) => redact(text, redaction);
  const byTask = (value: (row: DoctorRow) => number | undefined): Sample[] =>
    tasks.flatMap((row) => {
      const own = value(row);
      return own === undefined ? [] : [{ labels: { layout: row.layout, task: label(row.subject) }, value: own }];
    });
  const families = [
    family("casebook_doctor_planned", "Tasks and layouts that were to be judged.", [{ labels: {}, value: tally.planned }]),
    family("casebook_doctor_verdicts", "Of those, by verdict; the three add up to planned.", [
      { labels: { verdict: "pass" }, value: tally.passed },
      { labels: { verdict: "fail" }, value: tally.failed },
      { labels: { verdict: "not_run" }, value: tally.notRun },
    ]),
    family("casebook_doctor_window_seconds", "Length of the window that was looked at.", [
      { labels: {}, value: (window.toMs - window.fromMs) / 1000 },
    ]),
    family("casebook_doctor_slots", "Slots in the window: due, claimed by the registry, seen by a trace. No seen: nobody could look.", [
      { labels: { column: "due" }, value: totals.due },
      { labels: { column: "claimed" }, value: totals.claimed },
      ...(totals.seen === undefined ? [] : [{ labels: { column: "seen" }, value: totals.seen }]),
    ]),
    family("casebook_doctor_slots_unjudged", "Slots about which nothing can be said.", [{ labels: {}, value: totals.unjudged }]),
    family("casebook_doctor_task_due", "Slots of a task in the window.", byTask((row) => row.due)),
    family("casebook_doctor_task_claimed", "Of those, how many the registry says ran.", byTask((row) => row.claimed)),
    family("casebook_doctor_task_seen", "Of those, how many left a trace. Absent: nobody could look.", byTask((row) => row.seen)),
    family("casebook_doctor_task_not_run", "1 for a task without a verdict.", byTask((row) => (row.verdict === "NOT RUN" ? 1 : undefined))),
    family("casebook_doctor_findings", "Findings by guard and severity.", findingCounts(findings)),
  ];
  return `${families.filter((lines) => lines.length > 0).join("\n")}\n# EOF\n`;
}

function findingCounts(findings: DoctorReport["findings"]): Sample[] {
  const keys = [...new Set(findings.map(({ guard, severity }) => `${guard} ${severity}`))].toSorted();
  return keys.map((key) => {
    const [guard = "", severity = ""] = key.split(" ");
    return { labels: { guard, severity }, value: findings.filter((one) => `${one.guard} ${one.severity}` === key).length };
  });
}

function family(name: string, help: string, samples: readonly Sample[]): string {
  if (samples.length === 0) return "";
  const lines = samples.map(({ labels, value }) => {
    const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escapeLabel(text)}"`);
    return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}`;
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...lines].join("\n");
}

function escapeLabel(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
