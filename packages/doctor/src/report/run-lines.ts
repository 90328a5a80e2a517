/** Of each run that ended and left work: why it stopped, and what can be resumed. A run that is done is counted. */
import type { DoctorRun } from "../doctor-report.ts";
import { redact, type Redaction } from "./redact.ts";
import { wrapped } from "./wrap.ts";

/** Runs that are printed whole; more are counted, and `--json` has them all. */
const MAX_SHOWN = 12;

export function runLines(runs: readonly DoctorRun[], redaction: Redaction): string[] {
  const ended = runs.flatMap(({ run, state, itemsDone, items, record }) => (record === undefined ? [] : [{ run, state, record, isDone: state === "completed" && itemsDone === items }]));
  const stopped = ended.filter(({ isDone }) => !isDone);
  const say = (name: string, text: string) => wrapped(`  ${name.padEnd(7)} ${redact(text, redaction)}`, 10);
  const more = stopped.length - MAX_SHOWN;
  const done = ended.length - stopped.length;
  return [
    ...stopped.slice(0, MAX_SHOWN).flatMap(({ run, state, record }) => [...wrapped(redact(`run      ${run}, ${state}`, redaction), 9), ...say("why", record.why), ...say("resume", record.resume), ...say("look", record.look)]),
    ...(more > 0 ? [`run      ${more} more stopped before they were done; --json has them all`] : []),
    ...(done > 0 ? [`run      nothing is left to do in ${done} of ${ended.length} runs that have ended`] : []),
  ];
}
