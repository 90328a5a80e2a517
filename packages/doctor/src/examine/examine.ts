/**
 * Judges what was observed: guards over facts, one verdict for each planned thing, counts that add up. Pure. Knows no file,
 * no clock and no product; the observation says all there is.
 */
import { tallyOf } from "@casebook/verdict";
import type { DoctorFinding, DoctorReport } from "../doctor-report.ts";
import type { LayoutObservation, Observation } from "../observation.ts";
import { ADVICE, NO_ADVICE } from "./advice.ts";
import { type ExamineWindow, ledgerOfLayout } from "./ledger-of-layout.ts";
import { GUARD_IDS, isSlotGuard } from "./guard-ids.ts";
import type { Raised } from "./raised.ts";
import { registryAlarms } from "./registry-alarms.ts";
import { type LayoutJudgement, rowsOf } from "./rows.ts";
import { runtimeAlarms } from "./runtime-alarms.ts";
import { scheduleAlarms } from "./schedule-alarms.ts";

export interface ExamineOptions extends ExamineWindow {
  readonly tool: DoctorReport["tool"];
  /** Guard ids; empty: all. */
  readonly only: readonly string[];
  /** The command that a person would type to look again, without `--only`. */
  readonly command: string;
}

export function examine(observation: Observation, options: ExamineOptions): DoctorReport {
  const asked = (id: string) => options.only.length === 0 || options.only.includes(id);
  const judged = observation.layouts.map((layout) => judge(layout, options, asked));
  const rows = judged.flatMap(rowsOf);
  const findings = judged.flatMap(({ raised }) => raised.map((one) => findingOf(one, options.command)));
  return {
    schemaVersion: 1,
    tool: options.tool,
    window: { fromMs: options.fromMs, toMs: options.toMs },
    layouts: observation.layouts.map(({ preset, places, filesSeen }) => ({ id: preset.id, confidence: preset.confidence, places, files: filesSeen })),
    totals: totalsOf(judged),
    rows: rows.toSorted(byVerdictThenName),
    findings: findings.toSorted(bySeverityThenGuard),
    outside: judged.flatMap(({ layout }) => outsideOf(layout)),
    looked: observation.looked.map(({ path, found, message }) => ({ path, found: message === undefined ? found : `${found}, ${message}` })),
    candidates: observation.candidates.map(({ path, pointer, objects, keys, tryThis }) => ({
      path,
      what: `${objects} objects at ${pointer === "" ? "the top" : pointer} with ${keys.join(", ")}`,
      tryThis,
    })),
    notes: notesOf(observation, judged),
    // Verdict by verdict from the rows themselves, so that the line below them cannot disagree.
    tally: tallyOf(rows.map((row) => VERDICTS[row.verdict])),
  };
}

const VERDICTS = {
  PASS: { verdict: "PASS" },
  FAIL: { verdict: "FAIL", message: "" },
  "NOT RUN": { verdict: "NOT RUN", reason: "missing-input", message: "", evidence: {} },
} as const;

function judge(layout: LayoutObservation, options: ExamineOptions, asked: (id: string) => boolean): LayoutJudgement {
  const ledger = ledgerOfLayout(layout, options);
  const all = [
    ...registryAlarms(layout),
    ...ledger.raised,
    ...scheduleAlarms(layout, ledger, options),
    ...runtimeAlarms(layout, options.nowMs),
  ];
  const known = GUARD_IDS.filter(asked);
  return {
    layout,
    ledger,
    raised: all.filter(({ about }) => asked(about.id)).toSorted(byGravity),
    slotsAsked: known.some(isSlotGuard),
    filesAsked: known.some((id) => !isSlotGuard(id)),
  };
}

const SEVERITIES = ["alarm", "warning", "information"] as const;

function byGravity(a: Raised, b: Raised): number {
  return SEVERITIES.indexOf(a.about.severity) - SEVERITIES.indexOf(b.about.severity);
}

function findingOf(raised: Raised, command: string): DoctorFinding {
  const { about, finding, tasks, where, proof, confidence } = raised;
  const advice = ADVICE[about.id] ?? NO_ADVICE;
  return {
    guard: about.id,
    subject: finding.subject,
    message: finding.message,
    counts: finding.counts,
    severity: about.severity,
    where,
    what: finding.message,
    why: advice.why,
    proof,
    fix: { step: raised.step ?? advice.step, risk: advice.risk },
    verify: `${command} --only ${about.id}`,
    case: about.case,
    confidence,
    tasks,
  };
}

function totalsOf(judged: readonly LayoutJudgement[]): DoctorReport["totals"] {
  const sums = judged.map(({ ledger }) => ledger.ledger.fleet);
  const add = (value: (sum: (typeof sums)[number]) => number) => sums.reduce((total, sum) => total + value(sum), 0);
  const isSearched = sums.length > 0 && sums.every((sum) => sum.seen !== undefined);
  const due = add((sum) => sum.due);
  return { due, claimed: add((sum) => sum.claimed), seen: isSearched ? add((sum) => sum.seen ?? 0) : undefined, unjudged: isSearched ? add((sum) => sum.unjudged) : due };
}

/** What a layout cannot have. */
function outsideOf({ preset, promptFolders }: LayoutObservation): { check: string; because: string }[] {
  return [
    ...(preset.artefacts.length === 0 ? [{ check: "seen", because: `${preset.id} has no place where a run leaves a trace, so claims stand alone` }] : []),
    ...(preset.fields.lastRun === undefined ? [{ check: "claimed", because: `${preset.id} keeps no last run` }] : []),
    ...(preset.prompts === undefined && promptFolders === undefined ? [{ check: "prompt folders", because: `${preset.id} has none` }] : []),
  ];
}

function notesOf(observation: Observation, judged: readonly LayoutJudgement[]): string[] {
  const doubt = judged.some(({ ledger, layout }) => layout.awake.length === 0 && ledger.ledger.fleet.due > 0);
  return [
    ...observation.capped.map((cap) => `a limit was reached: ${cap}`),
    ...observation.notRead.map(({ what, reason, message }) => `not read: ${what}: ${message} (${reason})`),
    ...judged.flatMap(({ ledger }) => ledger.capped.map((task) => `${task} has more slots than are looked at; only the first were`)),
    ...judged.flatMap(({ ledger }) => orphanNote(ledger.ledger.orphans.length)),
    ...(doubt ? ["nothing proves that the machine was awake at the slots above, so what is missing may have slept"] : []),
  ];
}

function orphanNote(orphans: number): string[] {
  return orphans === 0 ? [] : [`${orphans} runs belong to no task that is known here, or lie ahead of now`];
}

const ORDER = ["FAIL", "NOT RUN", "PASS"];

function byVerdictThenName(a: DoctorReport["rows"][number], b: DoctorReport["rows"][number]): number {
  return ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict) || compare(a.kind === "layout" ? 0 : 1, b.kind === "layout" ? 0 : 1) || compare(a.subject, b.subject);
}

function bySeverityThenGuard(a: DoctorFinding, b: DoctorFinding): number {
  return SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || compare(a.guard, b.guard) || compare(a.tasks.join(), b.tasks.join());
}

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
