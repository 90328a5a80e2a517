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
      return own === undefined ? [] : [{ labels: labelsOf.get(row) ?? {}, value: own }];
    });
  const labelsOf = seriesOf(tasks, label);
  const known = (column: string, value: number | undefined): Sample[] => (value === undefined ? [] : [{ labels: { column }, value }]);
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
    family("casebook_doctor_slots", "Slots in the window. due is seen, without_trace, discarded and unjudged together. A column that is absent is not known.", [
      ...known("due", totals.due),
      ...known("claimed", totals.claimed),
      ...known("seen", totals.seen),
      // Of no slots that are known, none is known to have left no trace.
      ...(totals.due === undefined ? [] : [...known("without_trace", totals.withoutTrace), ...known("discarded", totals.discarded), ...known("unjudged", totals.unjudged)]),
    ]),
    family("casebook_doctor_task_due", "Slots of a task in the window. Absent: not known.", byTask((row) => row.due)),
    family("casebook_doctor_task_claimed", "Of those, how many the registry says ran. Absent: not known.", byTask((row) => row.claimed)),
    family("casebook_doctor_task_seen", "Of those, how many left a trace. Absent: nobody could look.", byTask((row) => row.seen)),
    family("casebook_doctor_task_not_run", "1 for a task without a verdict; no series for one that has a verdict.", byTask((row) => (row.verdict === "NOT RUN" ? 1 : undefined))),
    family("casebook_doctor_task_failed", "1 for a task that failed, 0 for one that passed; no series for one without a verdict.", byTask((row) => FAILED[row.verdict])),
    family("casebook_doctor_findings", "Findings by guard and severity.", findingCounts(findings)),
  ];
  return `${families.filter((lines) => lines.length > 0).join("\n")}\n# EOF\n`;
}

const FAILED: Readonly<Record<DoctorRow["verdict"], number | undefined>> = { PASS: 0, FAIL: 1, "NOT RUN": undefined };

/** Two installations may have a task of one name, and redaction may make two places one: no series may be there twice. */
function seriesOf(tasks: readonly DoctorRow[], label: (text: string) => string): ReadonlyMap<DoctorRow, Readonly<Record<string, string>>> {
  const times = new Map<string, number>();
  return new Map(
    tasks.map((row) => {
      const labels = { layout: row.layout, place: label(row.place), task: label(row.subject) };
      const key = JSON.stringify(labels);
      const time = (times.get(key) ?? 0) + 1;
      times.set(key, time);
      return [row, time === 1 ? labels : { ...labels, copy: String(time) }];
    }),
  );
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
