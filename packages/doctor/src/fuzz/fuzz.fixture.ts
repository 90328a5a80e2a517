/** Many runs, and what is to be said of them. */
import type { Subject } from "./corpus.fixture.ts";
import { problemsOf } from "./oracle.fixture.ts";
import { look, playRun, replayLine, type Played, type Run } from "./run.fixture.ts";

export interface Failure {
  readonly problems: readonly string[];
  readonly line: string;
}

export interface Fuzzed {
  readonly failures: readonly Failure[];
  /** `40 runs, 12 distinct outcomes, 9 alarms`. */
  readonly said: string;
  /** The last one. */
  readonly played: Played | undefined;
}

export async function fuzz(subjects: readonly Subject[], runs: Iterable<Run>): Promise<Fuzzed> {
  const byTitle = new Map(subjects.map((subject) => [subject.title, subject]));
  const untouched = new Map<string, Played>();
  const failures: Failure[] = [];
  const outcomes = new Set<string>();
  let [count, alarms] = [0, 0];
  let last: Played | undefined;
  for (const run of runs) {
    const subject = byTitle.get(run.tree);
    if (subject === undefined) throw new RangeError(`there is no tree "${run.tree}". Give one of: ${[...byTitle.keys()].join(", ")}.`);
    const well = untouched.get(run.tree) ?? (await look(subject, subject.files));
    untouched.set(run.tree, well);
    count += 1;
    try {
      last = await playRun(subject, run);
      const problems = problemsOf(last, well, subject, run.changes);
      if (problems.length > 0) failures.push({ problems, line: replayLine(run) });
      outcomes.add(outcomeOf(last));
      if (last.exit === 1) alarms += 1;
    } catch (thrown) {
      failures.push({ problems: [`threw ${thrown instanceof Error ? thrown.stack : String(thrown)}`], line: replayLine(run) });
    }
  }
  return { failures, said: `${count} runs, ${outcomes.size} distinct outcomes, ${alarms} alarms`, played: last };
}

/** Who said what, without names and numbers. */
function outcomeOf({ exit, report }: Played): string {
  const reasons = report.rows.flatMap(({ reason }) => reason ?? []);
  return JSON.stringify([exit, [...new Set(report.findings.map(({ guard }) => guard))].toSorted(), [...new Set(reasons)].toSorted()]);
}
