/** Rows of the report: one a task, one a layout. Every planned thing gets exactly one verdict, so the counts add up. */
import type { DoctorCounts, DoctorRow } from "../doctor-report.ts";
import type { LayoutObservation, NotRead, TaskObservation } from "../observation.ts";
import type { LayoutLedger } from "./ledger-of-layout.ts";
import { hiddenFor, hiddenText } from "./hidden-runs.ts";
import { sourceOf } from "./needs.ts";
import { movedTo } from "./registry-alarms.ts";
import { placeText } from "../report/place-text.ts";
import { type Raised, severityOf } from "./raised.ts";

export interface LayoutJudgement {
  readonly layout: LayoutObservation;
  readonly ledger: LayoutLedger;
  /** Gravest first. */
  readonly raised: readonly Raised[];
  /** One-shots of which nobody can say whether they are stuck, and why. */
  readonly heldBack: ReadonlyMap<string, Missing>;
  /** Whether checks that need the ledger are among those that were asked for. */
  readonly slots: "asked" | "not-asked";
  /** What the checks that were asked for needed and did not get. */
  readonly missing: readonly NotRead[];
}

export const NO_COUNTS: DoctorCounts = { due: undefined, claimed: undefined, seen: undefined, withoutTrace: 0, discarded: 0, unjudged: 0 };

export function rowsOf(judgement: LayoutJudgement): DoctorRow[] {
  return [...judgement.layout.tasks.map((task) => taskRow(task, judgement)), layoutRow(judgement)];
}

function taskRow(task: TaskObservation, { layout, ledger, raised, slots, heldBack }: LayoutJudgement): DoctorRow {
  const own = raised.filter((one) => one.tasks.includes(task.id));
  const counts = countsOf(task, layout, ledger);
  const base = { subject: task.id, kind: "task" as const, layout: layout.preset.id, place: task.registries[0] ?? layout.places[0] ?? "", ...counts };
  const gravest = own.find((one) => severityOf(one) === "alarm");
  if (gravest !== undefined) return { ...base, verdict: "FAIL", because: briefOf(gravest, task), reason: undefined };
  const missing = heldBack.get(task.id) ?? (slots === "asked" ? unjudged(task, counts, layout, ledger) : undefined);
  if (missing !== undefined) return { ...base, verdict: "NOT RUN", because: missing.message, reason: missing.reason };
  const noticed = own[0] === undefined ? undefined : briefOf(own[0], task);
  return { ...base, verdict: "PASS", because: noticed ?? quietly(task, counts), reason: undefined };
}

function briefOf(raised: Raised, task: TaskObservation): string {
  return raised.briefs?.get(task.id) ?? raised.finding.message;
}

/** What a passing row has to say for itself, so that its numbers do not look like a mistake. */
function quietly({ enabled, schedule, registries }: TaskObservation, { discarded }: DoctorCounts): string {
  if (registries.length === 0) return "in no registry";
  if (!enabled) return "disabled";
  if (schedule === undefined) return "no schedule, started by hand";
  return discarded === 0 ? "" : `${discarded} dropped after a sleep, as far as anybody can tell`;
}

function countsOf(task: TaskObservation, layout: LayoutObservation, { ledger, schedules }: LayoutLedger): DoctorCounts {
  const sum = ledger.tasks.find(({ taskId }) => taskId === task.id);
  if (sum === undefined || (schedules.get(task.id)?.outcome === "problem" && !isManual(task, layout))) return NO_COUNTS;
  const { due, withoutTrace, discarded, unjudged: dark } = sum;
  const claimed = task.unreadable?.includes("last-run") === true ? undefined : sum.claimed;
  // Where every slot is too old for the traces that are left, nobody looked: that is no zero.
  const seen = due > 0 && dark === due ? undefined : sum.seen;
  return { due, claimed, seen, withoutTrace, discarded, unjudged: dark };
}

/** Without a schedule on purpose. What is wrong with its prompt says nothing about that. */
function isManual({ schedule, problems }: TaskObservation, { preset }: LayoutObservation): boolean {
  return schedule === undefined && preset.fields.withoutSchedule === "manual" && problems.every(({ code }) => /^(PROMPT|FRONT_MATTER)_/.test(code));
}

type Missing = Pick<NotRead, "reason" | "message">;

/** Why a task has no verdict, or undefined when everything that was planned for it could be asked. */
function unjudged(task: TaskObservation, counts: DoctorCounts, layout: LayoutObservation, { ledger, schedules, hidden }: LayoutLedger): Missing | undefined {
  const unread = layout.registries.find(({ outcome }) => outcome !== "read" && outcome !== "empty");
  if (task.registries.length === 0) {
    const hidden = layout.hiddenRegistries?.[0];
    if (hidden !== undefined) return { reason: "missing-input", message: `a registry may be where nobody could look (${hidden}), so nobody can say when it is due` };
    if (layout.registries.length === 0) return { reason: "missing-input", message: "no registry was in the places looked in, so nobody can say when it is due" };
    if (unread === undefined) return unnamedEntry(layout);
    return { reason: "missing-input", message: `its registry could not be read: ${unread.problem?.message ?? unread.outcome}` };
  }
  if (!task.enabled || isManual(task, layout)) return undefined;
  const schedule = schedules.get(task.id);
  if (schedule?.outcome === "problem") {
    return { reason: schedule.code === "TOO_MANY_SLOTS" ? "timed-out" : "unsupported", message: `its slots are not known: ${schedule.message}` };
  }
  if (counts.due === undefined || counts.due === 0) return undefined;
  if (layout.preset.artefacts.length === 0) return unclaimed(task, layout, ledger);
  const own = hiddenFor(hidden, task.id);
  if (layout.artefacts === undefined) {
    if (own[0] !== undefined) return { reason: own[0].reason, message: `${counts.due} of ${counts.due} slots: ${hiddenText(own)}` };
    const first = layout.notRead.find((one) => sourceOf(one, layout) === "traces");
    return first ?? { reason: "missing-input", message: "no trace of any run was found, so nobody can say what ran" };
  }
  if (counts.unjudged === 0) return undefined;
  if (own[0] !== undefined) return { reason: own[0].reason, message: `${counts.unjudged} of ${counts.due} slots: ${hiddenText(own)}` };
  return { reason: "missing-input", message: `${counts.unjudged} of ${counts.due} slots are older than the oldest trace that is still there` };
}

/** An entry whose id nobody can read may be that of any prompt folder. */
function unnamedEntry(layout: LayoutObservation): Missing | undefined {
  const moved = movedTo(layout);
  if (moved !== undefined) return { reason: "unsupported", message: `its entry may stand in a list that is not read: ${placeText(moved)}` };
  const unnamed = layout.tasks.find(({ unreadable = [] }) => unreadable.includes("id"));
  return unnamed && { reason: "unsupported", message: `an entry has no id that could be read and may be this one: ${placeText(unnamed.place)}` };
}

/** Where no run leaves a trace, a claim is all there can be; without one for the newest slot nobody can say that it ran. */
function unclaimed({ id }: TaskObservation, { preset }: LayoutObservation, ledger: LayoutLedger["ledger"]): Missing | undefined {
  const due = ledger.rows.filter((row) => row.taskId === id && row.due && row.enabled && row.reading !== "pending");
  const newest = due.at(-1);
  if (newest === undefined || newest.claimed) return undefined;
  const at = new Date(newest.slotMs).toISOString();
  const claims = preset.fields.lastRun === undefined ? "the registry keeps no last run" : `the registry claims no run for its newest slot (${at})`;
  return { reason: "missing-input", message: `${claims}, and ${preset.id} leaves no trace to look at` };
}

function layoutRow({ layout, raised, missing }: LayoutJudgement): DoctorRow {
  const base = { subject: layout.preset.id, kind: "layout" as const, layout: layout.preset.id, place: layout.places[0] ?? "", ...NO_COUNTS };
  const known = new Set(layout.tasks.map(({ id }) => id));
  // An alarm about tasks that have no row is the layout's, or no row would fail.
  const own = raised.find((one) => severityOf(one) === "alarm" && !one.tasks.some((id) => known.has(id)));
  if (own !== undefined) return { ...base, verdict: "FAIL", because: own.finding.message, reason: undefined };
  const [first] = missing;
  if (first !== undefined) {
    const because = missing.length === 1 ? first.message : `${missing.length} things could not be read, such as: ${first.message}`;
    return { ...base, verdict: "NOT RUN", because, reason: first.reason };
  }
  return { ...base, verdict: "PASS", because: wellText(layout), reason: undefined };
}

function wellText({ preset, tasks, registries, filesSeen, receiptLogs = [] }: LayoutObservation): string {
  const sum = (value: (one: (typeof receiptLogs)[number]["survey"]) => number) => receiptLogs.reduce((total, { survey }) => total + value(survey), 0);
  const receipts = `${count(sum((one) => one.receipts), "receipt")} of ${count(sum(({ keys }) => keys.length), "command")}`;
  return [
    ...(preset.registries.length === 0 ? [] : [count(tasks.length, "task"), registriesText(registries.length)]),
    ...(receiptLogs.length === 0 ? [] : [receipts]),
    count(filesSeen, "file"),
  ].join(", ");
}

function registriesText(registries: number): string {
  return registries === 1 ? "1 registry" : `${registries} registries`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
