/**
 * Judges what was observed: guards over facts, one verdict for each planned thing, counts that add up. Pure. Knows no file,
 * no clock and no product; the observation says all there is.
 */
import { tallyOf } from "@casebook/verdict";
import type { DoctorCounts, DoctorFinding, DoctorReport, DoctorRow } from "../doctor-report.ts";
import type { LayoutObservation, NotRead, Observation } from "../observation.ts";
import { ADVICE, NO_ADVICE } from "./advice.ts";
import { type ExamineWindow, ledgerOfLayout } from "./ledger-of-layout.ts";
import { GUARD_IDS, isSlotGuard } from "./guard-ids.ts";
import type { Elsewhere } from "./hidden-runs.ts";
import { misshapenTraces, missingFor, sourceOf } from "./needs.ts";
import { notesOf } from "./notes.ts";
import { oneShots } from "./one-shots.ts";
import { placeRows, searchLimitsHit } from "./place-rows.ts";
import { type Raised, severityOf } from "./raised.ts";
import { receiptAlarms } from "./receipt-alarms.ts";
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
  /** `as-if`: `nowMs` is not what the machine's clock says, so that what lies ahead of it is no wrong clock. Default `machine`. */
  readonly clock?: "machine" | "as-if";
}

/** Guards that compare with the machine's clock. */
const CLOCK_GUARDS: ReadonlySet<string> = new Set(["clock/skew", "lock/future-dated"]);

export function examine(observation: Observation, options: ExamineOptions): DoctorReport {
  const isAsIf = options.clock === "as-if";
  const asked = (id: string) => (options.only.length === 0 || options.only.includes(id)) && !(isAsIf && CLOCK_GUARDS.has(id));
  const elsewhere: Elsewhere = {
    notRead: observation.notRead,
    limits: searchLimitsHit(observation.capped),
    places: observation.looked.map(({ path }) => path),
  };
  const isEmpty = observation.layouts.every(({ tasks }) => tasks.length === 0);
  const judged = observation.layouts
    .map((layout) => judge(layout, options, asked, elsewhere))
    .map((one) => (isEmpty && one.slots === "asked" && hasRegistry(one.layout) ? { ...one, missing: [...one.missing, NO_TASK] } : one));
  // Nothing that was asked for can be answered here: then nothing is planned, and nothing passes.
  const isPlanned = GUARD_IDS.some(asked);
  const rows = [...(isPlanned ? judged.flatMap(rowsOf) : []), ...placeRows(observation)];
  const findings = judged.flatMap(({ raised }) => raised.map((one) => findingOf(one, options.command)));
  return {
    schemaVersion: 1,
    tool: options.tool,
    window: { fromMs: options.fromMs, toMs: options.toMs },
    layouts: observation.layouts.map(({ preset, places, filesSeen }) => ({ id: preset.id, confidence: preset.confidence, places, files: filesSeen })),
    totals: totalsOf(rows),
    rows: rows.toSorted(byVerdictThenName),
    findings: findings.toSorted(bySeverityThenGuard),
    outside: [...onceEach(judged.flatMap(({ layout }) => outsideOf(layout))), ...(isAsIf ? AS_IF : [])],
    looked: observation.looked.map(({ path, found, message }) => ({ path, found: message === undefined ? found : `${found}, ${message}` })),
    candidates: observation.candidates.map(({ path, pointer, objects, keys, tryThis }) => ({
      path,
      what: `${objects} objects at ${pointer === "" ? "the top" : pointer} with ${keys.join(", ")}`,
      tryThis,
    })),
    notes: notesOf(observation, judged, rows, options.nowMs),
    // Verdict by verdict from the rows themselves, so that the line below them cannot disagree.
    tally: tallyOf(rows.map((row) => VERDICTS[row.verdict])),
  };
}

const VERDICTS = {
  PASS: { verdict: "PASS" },
  FAIL: { verdict: "FAIL", message: "" },
  "NOT RUN": { verdict: "NOT RUN", reason: "missing-input", message: "", evidence: {} },
} as const;

function judge(layout: LayoutObservation, options: ExamineOptions, asked: (id: string) => boolean, elsewhere: Elsewhere): LayoutJudgement {
  const isWhole = elsewhere.notRead.length + elsewhere.limits.length === 0 && layout.notRead.every((one) => sourceOf(one, layout) !== "traces");
  const ledger = ledgerOfLayout(layout, options, isWhole ? "none" : "some", elsewhere);
  const once = oneShots(layout, ledger.hidden, options.nowMs);
  const all = [
    ...registryAlarms(layout, options.nowMs),
    ...ledger.raised,
    ...once.raised,
    ...scheduleAlarms(layout, ledger, options),
    ...runtimeAlarms(layout, ledger, options.nowMs),
    ...receiptAlarms(layout, options.nowMs),
  ];
  const guards = GUARD_IDS.filter(asked);
  return {
    layout,
    ledger,
    raised: all.filter(({ about }) => asked(about.id)).toSorted(byGravity),
    heldBack: guards.includes("schedule/one-shot-stuck") ? once.heldBack : new Map(),
    slots: guards.some(isSlotGuard) ? "asked" : "not-asked",
    missing: [...missingFor(guards, layout), ...misshapenTraces(guards, layout), ...(guards.includes("fleet/silent") ? fleetUnsaid(ledger.fleetUnsaid) : [])],
  };
}

/** A layout that is a log of receipts and nothing else has no task, and no slot that could be missed. */
function hasRegistry({ preset }: LayoutObservation): boolean {
  return preset.registries.length > 0;
}

/** Nobody's night was judged, so that it was no good one. */
const NO_TASK: NotRead = { what: "tasks", reason: "missing-input", message: "no task is listed in anything that was read, so nothing was judged", evidence: {} };

function fleetUnsaid(message: string | undefined): NotRead[] {
  return message === undefined ? [] : [{ what: "fleet/silent", reason: "missing-input", message, evidence: {} }];
}

const SEVERITIES = ["alarm", "warning", "information"] as const;

function byGravity(a: Raised, b: Raised): number {
  return SEVERITIES.indexOf(severityOf(a)) - SEVERITIES.indexOf(severityOf(b));
}

function findingOf(raised: Raised, command: string): DoctorFinding {
  const { about, finding, tasks, where, proof, confidence } = raised;
  const advice = ADVICE[about.id] ?? NO_ADVICE;
  return {
    guard: about.id,
    subject: finding.subject,
    message: finding.message,
    counts: finding.counts,
    severity: severityOf(raised),
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

/** Sums of the rows, so that they cannot disagree. Undefined: of those that had something due, nobody knows any. */
function totalsOf(rows: readonly DoctorRow[]): DoctorCounts {
  const add = (value: (row: DoctorRow) => number | undefined) => rows.reduce((total, row) => total + (value(row) ?? 0), 0);
  const known = (column: "due" | "claimed" | "seen") => {
    const tasks = rows.filter(({ kind }) => kind === "task");
    const isAnswered = tasks.some((row) => row[column] !== undefined && row.due !== 0);
    // A zero of tasks that had nothing due is no answer about those that had, or may have had.
    const isOpen = tasks.some((row) => row[column] === undefined && row.due !== 0);
    return !isAnswered && (isOpen || tasks.every((row) => row[column] === undefined)) ? undefined : add((row) => row[column]);
  };
  return {
    due: known("due"),
    claimed: known("claimed"),
    seen: known("seen"),
    withoutTrace: add((row) => row.withoutTrace),
    discarded: add((row) => row.discarded),
    unjudged: add((row) => row.unjudged),
  };
}

const AS_IF = [{ check: [...CLOCK_GUARDS].join(", "), because: "not asked with --now: what lies after that time need not be a wrong clock" }];

/** What a layout cannot have. */
function outsideOf(layout: LayoutObservation): { check: string; because: string }[] {
  const { preset, promptFolders } = layout;
  if (!hasRegistry(layout)) return [{ check: "due, claimed, seen", because: `${preset.id} has no registry here, so nothing is known to be due` }];
  return [
    ...(preset.artefacts.length === 0 ? [{ check: "seen", because: `${preset.id} has no place where a run leaves a trace, so claims stand alone` }] : []),
    ...(preset.fields.lastRun === undefined ? [{ check: "claimed", because: `${preset.id} keeps no last run` }] : []),
    ...(preset.prompts === undefined && promptFolders === undefined ? [{ check: "prompt folders", because: `${preset.id} has none` }] : []),
  ];
}

function onceEach(outside: DoctorReport["outside"]): DoctorReport["outside"] {
  return [...new Map(outside.map((one) => [`${one.check} ${one.because}`, one])).values()];
}

const ORDER = ["FAIL", "NOT RUN", "PASS"];
const KINDS = ["place", "layout", "task"];

function byVerdictThenName(a: DoctorReport["rows"][number], b: DoctorReport["rows"][number]): number {
  return (
    ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict) ||
    KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) ||
    compare(a.subject, b.subject) ||
    compare(a.place, b.place)
  );
}

function bySeverityThenGuard(a: DoctorFinding, b: DoctorFinding): number {
  return SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || compare(a.guard, b.guard) || compare(a.tasks.join(), b.tasks.join());
}

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
