/** Tells the log what a reading found. In the real incidents this was the only place that knew. */
import type { Log } from "@casebook/ports";
import { sayFileProblem } from "./judge/file-problem.ts";
import type { LoadedReading, RegistryReading } from "./judge/reading.ts";
import { shown } from "./judge/text.ts";

/** Entry problems that get a line of their own; of the others only the number is logged. */
export const MAX_LOGGED_PROBLEMS = 1_000;

export function logReading(log: Log, path: string, reading: RegistryReading): void {
  if (reading.outcome === "loaded") return logLoaded(log, path, reading);
  const { problem } = reading;
  log.write("error", `registry.file-${reading.outcome}`, { path, code: problem.code, say: sayFileProblem(problem) });
}

function logLoaded(log: Log, path: string, reading: LoadedReading): void {
  const problems = reading.quarantined.flatMap((entry) => entry.problems);
  for (const { code, pointer, say } of problems.slice(0, MAX_LOGGED_PROBLEMS)) {
    log.write("error", "registry.entry-quarantined", { path, code, pointer, say });
  }
  const unsaid = problems.length - MAX_LOGGED_PROBLEMS;
  if (unsaid > 0) log.write("error", "registry.problems-unsaid", { path, problems: unsaid });
  for (const { pointer, from, to } of reading.normalised) {
    log.write("warning", "registry.value-normalised", { path, pointer, from: shown(from), to });
  }
  for (const say of reading.notices) log.write("warning", "registry.file-noticed", { path, say });
}
