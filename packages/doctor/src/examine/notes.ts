/** What is said beside the verdicts: limits, what was passed over, runs of nobody, and what nobody can know. */
import type { LedgerRow } from "@casebook/guards";
import type { DoctorRow } from "../doctor-report.ts";
import type { LayoutObservation, Observation } from "../observation.ts";
import { perhapsDone } from "./left-behind.ts";
import type { LayoutJudgement } from "./rows.ts";

/** More of one kind are counted. */
const MAX_NOTES_A_KIND = 20;

/** Tasks named in one note. */
const MAX_NAMED = 3;

export function notesOf(observation: Observation, judged: readonly LayoutJudgement[], rows: readonly DoctorRow[], nowMs: number): string[] {
  const absent = judged.flatMap(({ ledger }) => ledger.ledger.rows.filter((row) => row.due && row.enabled && row.seen === 0));
  const doubtful = absent.filter(({ reading, confidence }) => confidence === "inferred" && (reading === "missed" || reading === "discarded")).length;
  const said = rows.map(({ because }) => because);
  const unread = [...observation.notRead, ...judged.flatMap(({ layout }) => layout.notRead)].filter(({ message }) => !said.some((text) => text.includes(message)));
  return [
    ...observation.capped.filter((cap) => !said.some((text) => text.includes(cap))).map((cap) => `a limit was reached: ${cap}`),
    ...unread.slice(0, MAX_NOTES_A_KIND).map(({ what, reason, message }) => `not read: ${message.includes(what) ? "" : `${what}: `}${message} (${reason})`),
    ...(unread.length > MAX_NOTES_A_KIND ? [`not read: ${unread.length - MAX_NOTES_A_KIND} more`] : []),
    ...judged.flatMap(({ layout }) => passedOverNote(layout)),
    ...judged.flatMap(({ layout }) => perhapsDone(layout, nowMs) ?? []),
    ...judged.flatMap(parkedNote),
    ...judged.flatMap(({ ledger }) => orphanNote(ledger.ledger.orphans.length)),
    ...judged.flatMap(({ ledger }) => byHandNote(ledger.ledger.rows)),
    ...(doubtful === 0 ? [] : [`nothing proves that the machine was awake at ${doubtful} slots that left nothing, so it may have slept`]),
  ];
}

function passedOverNote({ preset, artefacts }: LayoutObservation): string[] {
  const { unparseable = 0, otherKind = 0, wrongShape = 0 } = artefacts?.passedOver ?? {};
  if (unparseable + wrongShape === 0) return [];
  return [
    `run logs of ${preset.id}: a reader that only wants finished runs passes over ${unparseable} lines that are no JSON, ` +
      `${wrongShape} of another shape and ${otherKind} of another kind without a word`,
  ];
}

/** A run that nothing says the start of, minutes after the run of its slot. */
function byHandNote(rows: readonly LedgerRow[]): string[] {
  const ids = [...new Set(rows.filter(({ reading, confidence }) => reading === "manual" && confidence === "inferred").map(({ taskId }) => taskId))].toSorted();
  return ids.length === 0 ? [] : [`runs at no slot or second runs of one, which may have been started by hand: ${fewOf(ids)}`];
}

/** Enabled, it would be an alarm. */
function parkedNote({ layout, ledger }: LayoutJudgement): string[] {
  const ids = layout.tasks.filter(({ id, enabled }) => !enabled && ledger.schedules.get(id)?.outcome === "never").map(({ id }) => id);
  const many = ids.length === 1 ? "1 disabled task has a schedule that never comes due" : `${ids.length} disabled tasks have schedules that never come due`;
  return ids.length === 0 ? [] : [`${many}: ${fewOf(ids)}`];
}

function fewOf(ids: readonly string[]): string {
  return `${ids.slice(0, MAX_NAMED).join(", ")}${ids.length > MAX_NAMED ? `, and ${ids.length - MAX_NAMED} more` : ""}`;
}

function orphanNote(orphans: number): string[] {
  return orphans === 0 ? [] : [`${orphans} ${orphans === 1 ? "run belongs" : "runs belong"} to no task that is known here, or began ahead of now`];
}
