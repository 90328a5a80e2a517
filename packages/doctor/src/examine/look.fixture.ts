/** For tests: files in, a report out, as the command line does it, with a morning and a zone that are handed in. */
import { exitCodeFor } from "@casebook/verdict";
import type { DoctorReport } from "../doctor-report.ts";
import { observe } from "../observe/index.ts";
import { FIXTURE_NOW_MS, type Fixture, FIXTURE_ZONE, type FixtureFiles } from "../presets/fixtures/index.ts";
import { PRESETS } from "../presets/index.ts";
import { memoryTree } from "../trees/index.ts";
import { examine } from "./examine.ts";

const DAY_MS = 86_400_000;

export interface Look {
  readonly nowMs?: number;
  readonly sinceMs?: number;
  readonly zone?: string;
  readonly only?: readonly string[];
}

export interface Looked {
  readonly report: DoctorReport;
  /** As the command line would end. */
  readonly exit: number;
  /** Guards that alarmed, sorted, each once. */
  readonly alarms: readonly string[];
}

export async function look({ files, places, presets = PRESETS }: Pick<Fixture, "files" | "places" | "presets">, options: Look = {}): Promise<Looked> {
  const { nowMs = FIXTURE_NOW_MS, zone = FIXTURE_ZONE, only = [] } = options;
  const observation = await observe(memoryTree(files), { places, presets, nowMs, machineZone: zone });
  const report = examine(observation, {
    fromMs: nowMs - (options.sinceMs ?? DAY_MS),
    toMs: nowMs,
    nowMs,
    zone,
    only,
    tool: { name: "casebook doctor", version: "0.0.0" },
    command: "casebook doctor",
  });
  const alarms = report.findings.filter(({ severity }) => severity === "alarm").map(({ guard }) => guard);
  return { report, exit: report.tally.planned === 0 ? 3 : exitCodeFor(report.tally), alarms: [...new Set(alarms)].toSorted() };
}

/** One row as text, counts first. */
export function rowText({ verdict, subject, due, claimed, seen }: DoctorReport["rows"][number]): string {
  return `${verdict} ${subject} ${due ?? "-"} ${claimed ?? "-"} ${seen ?? "-"}`;
}

/** What is wrong with the sums of a report; none when they add up. */
export function sumProblems({ rows, totals, tally }: DoctorReport): string[] {
  const problems: string[] = [];
  for (const [name, counts] of [...rows.map((row) => [row.subject, row] as const), ["totals", totals] as const]) {
    const { due = 0, claimed = 0, seen = 0, withoutTrace, discarded, unjudged } = counts;
    if (due !== seen + withoutTrace + discarded + unjudged) problems.push(`${name}: due ${due} is not ${seen} + ${withoutTrace} + ${discarded} + ${unjudged}`);
    if (claimed > due || seen > due) problems.push(`${name}: due ${due} claimed ${claimed} seen ${seen}`);
  }
  for (const column of ["due", "claimed", "seen", "withoutTrace", "discarded", "unjudged"] as const) {
    const sum = rows.reduce((total, row) => total + (row[column] ?? 0), 0);
    if ((totals[column] ?? 0) !== sum) problems.push(`${column}: the rows have ${sum}, the totals ${totals[column]}`);
  }
  const count = (verdict: string) => rows.filter((row) => row.verdict === verdict).length;
  if (tally.planned !== rows.length || tally.planned !== tally.passed + tally.failed + tally.notRun) problems.push("planned");
  if (tally.passed !== count("PASS") || tally.failed !== count("FAIL") || tally.notRun !== count("NOT RUN")) problems.push("tally");
  return problems;
}

/** The text of a file of a fixture, changed. */
export function edited(files: FixtureFiles, path: string, change: (text: string) => string): FixtureFiles {
  const entry = files[path];
  if (typeof entry !== "object" || !("content" in entry)) throw new TypeError(`${path} is no file with a time. Make it one.`);
  const text = String(entry.content);
  const after = change(text);
  if (after === text) throw new TypeError(`the change of ${path} changed nothing. Look at what it replaces.`);
  return { ...files, [path]: { ...entry, content: after } };
}
