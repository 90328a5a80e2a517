/** Of each task that was handed out and has something open: the fact, the action, and who may decide. What has nothing open is counted. */
import type { DoctorWork } from "../doctor-report.ts";
import { redact, type Redaction } from "./redact.ts";
import { wrapped } from "./wrap.ts";

/** Tasks that are printed whole; more are counted, and `--json` has them all. */
const MAX_SHOWN = 12;
const NONE = "none";

export function workLines(work: readonly DoctorWork[], redaction: Redaction): string[] {
  const open = work.filter(({ openAction }) => openAction !== NONE);
  const say = (name: string, text: string) => wrapped(`  ${name.padEnd(7)} ${redact(text, redaction)}`, 10);
  const blocks = open.slice(0, MAX_SHOWN).flatMap(({ task, state, responsible, fact, openAction, mayDecide, failures }) => [
    ...wrapped(redact(`work     ${task}, ${state}${responsible === "" ? "" : `, for ${responsible}`}`, redaction), 9),
    ...say("fact", fact),
    ...(failures.length === 0 ? [] : say("before", failures.join("; "))),
    ...say("open", openAction),
    ...say("decides", mayDecide),
  ]);
  const more = open.length - MAX_SHOWN;
  const quiet = work.length - open.length;
  return [
    ...blocks,
    ...(more > 0 ? [`work     something is open in ${more} more tasks; --json has them all`] : []),
    ...(quiet > 0 ? [`work     nothing is open in ${quiet} of ${work.length} tasks`] : []),
  ];
}
