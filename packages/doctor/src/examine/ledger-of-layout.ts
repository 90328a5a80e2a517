/**
 * One layout's slots, claims and traces, joined by the ledger, and the guards over its rows. Says which tasks could not
 * be judged and why.
 */
import {
  fleetSilent,
  fleetSilentFacts,
  type LedgerInput,
  type LedgerRow,
  slotDisabledFired,
  slotDuplicate,
  slotGhostSuccess,
  slotInvisibleFire,
  type SlotLedger,
  slotLedger,
  slotMissed,
  slotWrongSlot,
} from "@casebook/guards";
import type { ArtefactObservation, LayoutObservation, TaskObservation } from "../observation.ts";
import { type DueAnswer, dueSlots, type Instants, longestGraceMs } from "./due-slots.ts";
import { type Elsewhere, type Hidden, hiddenRuns, hiddenText, NOTHING_ELSEWHERE } from "./hidden-runs.ts";
import { reachBackOf } from "./reach-back.ts";
import { raise, type Raised } from "./raised.ts";

export interface ExamineWindow {
  readonly fromMs: number;
  readonly toMs: number;
  readonly nowMs: number;
  readonly zone: string;
}

type Run = ArtefactObservation["runs"][number];

export interface LayoutLedger {
  readonly ledger: SlotLedger<Run>;
  readonly raised: readonly Raised[];
  /** Traces that could not be read. */
  readonly hidden: readonly Hidden[];
  /** Why nobody can say whether the whole fleet is silent; undefined: it was asked. */
  readonly fleetUnsaid: string | undefined;
  /** Schedules that give no slots, by task. */
  readonly schedules: ReadonlyMap<string, Exclude<DueAnswer, { outcome: "slots" }>>;
}

/** Nobody's slots: the entry is what is wrong, and registry/entry-invalid says so. */
export const FIELD_LOST = "FIELD_LOST";

const ROW_GUARDS = [slotMissed, slotGhostSuccess, slotInvisibleFire, slotDuplicate, slotDisabledFired, slotWrongSlot] as const;

/** `unread`: whether some of what could hold a trace was not read, so that what is absent may be there. */
export function ledgerOfLayout(
  layout: LayoutObservation,
  window: ExamineWindow,
  unread: "none" | "some",
  elsewhere: Elsewhere = NOTHING_ELSEWHERE,
): LayoutLedger {
  const { preset, artefacts } = layout;
  const dueFromMs = window.fromMs - Math.max(preset.catchUp.lookBackMs, longestGraceMs(preset));
  const known = new Map<string, Instants>();
  const judgedFromMs = preset.catchUp.policy === "each-missed" ? undefined : window.fromMs;
  const answers = layout.tasks
    .filter((task) => task.registries.length > 0)
    .map((task) => [task, lostSlots(task) ?? dueSlots(task, preset, { fromMs: dueFromMs, toMs: window.toMs, zone: window.zone, judgedFromMs, known })] as const);
  const due = answers.flatMap(([, answer]) => (answer.outcome === "slots" ? answer.slots : []));
  const hidden = hiddenRuns(layout, elsewhere);
  const claims = preset.fields.lastRun === undefined ? undefined : claimsOf(layout.tasks);
  const input: LedgerInput<Run> = {
    tasks: answers.map(([task, answer]) => ({
      taskId: task.id,
      enabled: task.enabled,
      slots: answer.outcome === "problem" ? ("unknown" as const) : ("known" as const),
      slotsFromMs: answer.outcome === "slots" ? answer.listedFromMs : undefined,
      claims: task.unreadable?.includes("last-run") === true ? ("unknown" as const) : ("known" as const),
    })),
    due,
    dueFromMs,
    claims,
    artefacts: artefacts?.runs,
    artefactsReachBackToMs: reachBackOf(artefacts, due, claims),
    hidden,
    awake: layout.awake,
    catchUp: preset.catchUp,
    windowFromMs: window.fromMs,
    windowToMs: window.toMs,
    nowMs: window.nowMs,
  };
  const ledger = slotLedger(input);
  const silent = artefacts === undefined ? [] : fleetAlarm(layout, input, ledger, unread);
  const newestMs = fleetSilentFacts(input, ledger)?.newestRunMs ?? Number.NEGATIVE_INFINITY;
  // One run of any task would end the silence, and one of these may be it.
  const perhaps = silent.length === 0 ? [] : hidden.filter(({ toMs }) => toMs > newestMs);
  return {
    ledger,
    raised: artefacts === undefined ? [] : [...rowAlarms(layout, ledger, unread), ...(perhaps.length === 0 ? silent : [])],
    hidden,
    fleetUnsaid: perhaps.length === 0 ? undefined : hiddenText(perhaps),
    schedules: new Map(answers.flatMap(([task, answer]) => (answer.outcome === "slots" ? [] : [[task.id, answer] as const]))),
  };
}

/** Slots of who knows which task, or of a task that may be off or due at another time, are no slots to judge by. */
function lostSlots({ unreadable = [], problems }: TaskObservation): DueAnswer | undefined {
  if (!unreadable.includes("id") && !unreadable.includes("when")) return undefined;
  const what = unreadable.includes("id") ? "its id" : "whether and when it is due";
  return { outcome: "problem", code: FIELD_LOST, message: `${what} could not be read (${problems.map(({ code }) => code)[0] ?? FIELD_LOST})` };
}

function claimsOf(tasks: readonly TaskObservation[]): { taskId: string; atMs: number }[] {
  return tasks.flatMap(({ id, lastRun }) => (lastRun === undefined ? [] : [{ taskId: id, atMs: lastRun.atMs }]));
}

type Row = LedgerRow<Run>;

/** One finding a task and guard: a fleet-wide sentence would name three of forty. */
function rowAlarms(layout: LayoutObservation, { rows }: SlotLedger<Run>, unread: "none" | "some"): Raised[] {
  const byTask = new Map<string, Row[]>();
  for (const row of rows) {
    const own = byTask.get(row.taskId);
    if (own === undefined) byTask.set(row.taskId, [row]);
    else own.push(row);
  }
  return [...byTask].flatMap(([taskId, own]) =>
    ROW_GUARDS.flatMap((guard) => {
      const concerned = own.filter(CONCERNS[guard.about.id] ?? (() => true));
      return raise(guard, own, {
        tasks: [taskId],
        where: whereOf(layout, taskId, concerned),
        proof: proofOf(layout, own),
        confidence: concerned.some((row) => isDoubtful(row, layout, unread)) ? "inferred" : "measured",
        briefs: new Map([[taskId, briefOf(guard.about.id, layout, taskId, own, concerned)]]),
      });
    }),
  );
}

/** Which rows of a task a guard's alarm is about. */
const CONCERNS: Readonly<Record<string, (row: Row) => boolean>> = {
  "slot/missed": (row) => row.reading === "missed",
  "slot/ghost-success": (row) => row.reading === "ghost-success",
  "slot/invisible-fire": (row) => row.seen > 0 && !row.claimed,
  "slot/duplicate": (row) => row.seen > 1,
  "slot/disabled-fired": (row) => row.reading === "disabled-fired",
  "slot/wrong-slot": (row) => row.reading === "wrong-slot",
};

/** Something absent may stand where nobody looked; something seen was seen. */
function isDoubtful(row: Row, { artefacts }: LayoutObservation, unread: "none" | "some"): boolean {
  if (row.confidence === "inferred") return true;
  return row.seen === 0 && (unread === "some" || row.slotMs < (artefacts?.reachesBackToMs ?? Number.NEGATIVE_INFINITY));
}

/** A surplus run is at its trace, a missing one at the task's entry. */
function whereOf(layout: LayoutObservation, taskId: string, concerned: readonly Row[]) {
  const newest = concerned.flatMap((row) => row.runs).toSorted((a, b) => b.startedAtMs - a.startedAtMs)[0];
  const task = layout.tasks.find((one) => one.id === taskId);
  return newest?.place ?? task?.lastRun?.place ?? task?.place;
}

function briefOf(guard: string, layout: LayoutObservation, taskId: string, own: readonly Row[], concerned: readonly Row[]): string {
  const due = own.filter((row) => row.due && row.enabled && row.reading !== "pending").length;
  const newest = concerned.at(-1);
  const stamp = layout.tasks.find(({ id }) => id === taskId)?.lastRun?.atMs;
  const at = newest === undefined ? "" : `, last ${minuteOf(newest.slotMs)}`;
  const runs = concerned.reduce((sum, row) => sum + row.seen, 0);
  switch (guard) {
    case "slot/missed":
      return `${concerned.length} of ${due} left no trace${at}`;
    case "slot/ghost-success":
      return `stamped ${stamp === undefined ? "as run" : `${new Date(stamp).toISOString().slice(0, 19)}Z`}, no trace of a run`;
    case "slot/duplicate":
      return `${runs} runs for ${concerned.length === 1 ? "one slot" : `${concerned.length} slots`}${at}`;
    case "slot/invisible-fire":
      return `${runs} ${runs === 1 ? "run" : "runs"} that the registry does not know${at}`;
    case "slot/disabled-fired":
      return `${runs} ${runs === 1 ? "run" : "runs"} although disabled${at}`;
    default:
      return `${runs} ${runs === 1 ? "run" : "runs"} at no slot of its schedule${at}`;
  }
}

function minuteOf(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 16)}Z`;
}

function proofOf({ artefacts }: LayoutObservation, rows: readonly LedgerRow<Run>[]): string[] {
  const runs = rows.reduce((sum, row) => sum + row.seen, 0);
  const claimed = rows.filter((row) => row.claimed).length;
  const due = rows.filter((row) => row.due && row.enabled && row.reading !== "pending").length;
  const { files = 0, lines = 0 } = artefacts?.searched ?? {};
  return [`due ${due} (schedule)`, `claimed ${claimed} (registry)`, `runs ${runs} (${files} files and ${lines} lines searched)`];
}

/** Silence is measured when something proves that the machine was awake at a slot of it; else it may have slept. */
function fleetAlarm(layout: LayoutObservation, input: LedgerInput<Run>, ledger: SlotLedger<Run>, unread: "none" | "some"): Raised[] {
  const facts = fleetSilentFacts(input, ledger);
  if (facts === undefined) return [];
  const sinceMs = facts.newestRunMs ?? facts.watchedFromMs;
  const isProven = [...ledger.rows, ...ledger.outsideWindow].some(
    ({ slotMs, reading, confidence }) => slotMs > sinceMs && reading === "missed" && confidence === "measured",
  );
  return raise(fleetSilent, facts, {
    tasks: [],
    where: undefined,
    proof: [`enabled ${facts.enabledTasks} (registry)`, `runs 0 since then (${layout.artefacts?.searched.files ?? 0} files searched)`],
    confidence: isProven && unread === "none" ? "measured" : "inferred",
  });
}
