/**
 * Finds slots that passed without a claim or a trace. Says which of its three forms each task has: a one-shot that is stuck,
 * a task that is frozen (none of its slots ran), a task that is overdue (its newest slot did not run). What is left missed some.
 */
import { defineGuard } from "./finding.ts";
import type { LedgerRow } from "./slot-ledger.ts";
import { namesOf, subjectOf } from "./slot-row.ts";

/** One slot without a run is late; two in a row and none that ran is frozen. */
const MIN_FROZEN_SLOTS = 2;

/** Tasks that a message names for each form; the counts always have all of them. */
const MAX_NAMED = 3;

type Form = "stuck one-shot" | "frozen" | "overdue" | "gaps";
const FORMS: readonly Form[] = ["stuck one-shot", "frozen", "overdue", "gaps"];

export const slotMissed = defineGuard<readonly LedgerRow[]>(
  {
    id: "slot/missed",
    needs: ["the rows of the slot ledger, with traces"],
    severity: "alarm",
    text: "A slot of an enabled task passed, with its grace, and nothing ran.",
    case: undefined,
  },
  (rows) => {
    const judged = rows.filter(({ due, enabled, reading }) => due && enabled && reading !== "unjudged" && reading !== "pending");
    const missed = judged.filter(({ reading }) => reading === "missed");
    if (missed.length === 0) return undefined;
    const inferred = missed.filter(({ confidence }) => confidence === "inferred").length;
    const doubt = inferred === 0 ? "" : `; nothing proves that the machine was awake at ${inferred} of them`;
    return {
      subject: subjectOf(missed),
      message: `${missed.length} of ${judged.length} due slots left neither a claim nor a trace: ${namesOf(missed)}; ${formsOf(judged)}${doubt}`,
      counts: { slots: judged.length, missed: missed.length, inferred },
    };
  },
);

function formsOf(judged: readonly LedgerRow[]): string {
  const byTask = new Map<string, LedgerRow[]>();
  for (const row of judged) {
    const rows = byTask.get(row.taskId);
    if (rows === undefined) byTask.set(row.taskId, [row]);
    else rows.push(row);
  }
  const forms = new Map<Form, string[]>(FORMS.map((form) => [form, []]));
  for (const [taskId, rows] of [...byTask].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const form = formOf(rows);
    if (form === undefined) continue;
    const missed = rows.filter(({ reading }) => reading === "missed").length;
    forms.get(form)?.push(`${taskId} (${missed} of ${rows.length})`);
  }
  return [...forms].flatMap(([form, tasks]) => (tasks.length === 0 ? [] : [`${form}: ${clipped(tasks)}`])).join("; ");
}

function formOf(rows: readonly LedgerRow[]): Form | undefined {
  const missed = rows.filter(({ reading }) => reading === "missed");
  if (missed.length === 0) return undefined;
  if (missed.some(({ kind }) => kind === "once")) return "stuck one-shot";
  if (rows.every(({ seen }) => seen === 0) && missed.length >= MIN_FROZEN_SLOTS) return "frozen";
  const newest = rows.reduce((a, b) => (b.slotMs > a.slotMs ? b : a));
  return newest.reading === "missed" ? "overdue" : "gaps";
}

function clipped(tasks: readonly string[]): string {
  const rest = tasks.length - MAX_NAMED;
  return rest > 0 ? `${tasks.slice(0, MAX_NAMED).join(", ")} and ${rest} more` : tasks.join(", ");
}
