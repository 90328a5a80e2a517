/** Rows of the report: one a task, one a layout. Every planned thing gets exactly one verdict, so the counts add up. */
import type { DoctorRow } from "../doctor-report.ts";
import type { LayoutObservation, NotRead, TaskObservation } from "../observation.ts";
import type { LayoutLedger } from "./ledger-of-layout.ts";
import type { Raised } from "./raised.ts";

export interface LayoutJudgement {
  readonly layout: LayoutObservation;
  readonly ledger: LayoutLedger;
  readonly raised: readonly Raised[];
  /** Whether checks that need the ledger are among those that were asked for. */
  readonly slotsAsked: boolean;
  readonly filesAsked: boolean;
}

export function rowsOf(judgement: LayoutJudgement): DoctorRow[] {
  return [...judgement.layout.tasks.map((task) => taskRow(task, judgement)), layoutRow(judgement)];
}

function taskRow(task: TaskObservation, { layout, ledger, raised, slotsAsked }: LayoutJudgement): DoctorRow {
  const own = raised.filter((one) => one.tasks.includes(task.id));
  const sum = ledger.ledger.tasks.find(({ taskId }) => taskId === task.id);
  const counts = { due: sum?.due ?? 0, claimed: sum?.claimed ?? 0, seen: sum?.seen };
  const base = { subject: task.id, kind: "task" as const, layout: layout.preset.id, ...counts };
  const gravest = own.find(({ about }) => about.severity === "alarm");
  if (gravest !== undefined) return { ...base, verdict: "FAIL", because: gravest.finding.message, reason: undefined };
  const missing = slotsAsked ? unjudged(task, layout, ledger) : undefined;
  if (missing !== undefined) return { ...base, verdict: "NOT RUN", because: missing.message, reason: missing.reason };
  const noticed = own[0]?.finding.message;
  return { ...base, verdict: "PASS", because: noticed ?? (task.enabled ? "" : "disabled"), reason: undefined };
}

/** Why a task has no verdict, or undefined when everything that was planned for it could be asked. */
function unjudged(task: TaskObservation, layout: LayoutObservation, ledger: LayoutLedger): Pick<NotRead, "reason" | "message"> | undefined {
  const unread = layout.registries.find(({ outcome }) => outcome !== "read" && outcome !== "empty");
  if (task.registries.length === 0 && unread !== undefined) {
    return { reason: "missing-input", message: `its registry could not be read: ${unread.problem?.message ?? unread.outcome}` };
  }
  const sum = ledger.ledger.tasks.find(({ taskId }) => taskId === task.id);
  if (sum === undefined || !task.enabled || sum.due === 0 || layout.preset.artefacts.length === 0) return undefined;
  if (layout.artefacts === undefined) {
    const [first] = layout.notRead;
    return first === undefined
      ? { reason: "missing-input", message: "no trace of any run was found, so nobody can say what ran" }
      : { reason: first.reason, message: first.message };
  }
  if (sum.unjudged === 0) return undefined;
  return { reason: "missing-input", message: `${sum.unjudged} of ${sum.due} slots are older than the oldest trace that is still there` };
}

function layoutRow({ layout, raised, filesAsked }: LayoutJudgement): DoctorRow {
  const base = { subject: layout.preset.id, kind: "layout" as const, layout: layout.preset.id, due: 0, claimed: 0, seen: undefined };
  const own = raised.filter(({ tasks, about }) => tasks.length === 0 && about.severity === "alarm")[0];
  if (own !== undefined) return { ...base, verdict: "FAIL", because: own.finding.message, reason: undefined };
  const [missing] = filesAsked ? layout.notRead : [];
  if (missing !== undefined) return { ...base, verdict: "NOT RUN", because: missing.message, reason: missing.reason };
  return { ...base, verdict: "PASS", because: `${layout.registries.length} registries, ${layout.filesSeen} files`, reason: undefined };
}
