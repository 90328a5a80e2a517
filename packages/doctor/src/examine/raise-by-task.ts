/** Asks a guard about all, and then about the rows of each task alone, so that each row of the report says what is its own. */
import type { Finding, GuardAbout } from "@casebook/guards";
import type { Place } from "../observation.ts";
import { raise, type Raised } from "./raised.ts";

export interface ByTask<Row, Facts> {
  readonly rows: readonly Row[];
  readonly taskOf: (row: Row) => string;
  readonly factsOf: (rows: readonly Row[]) => Facts;
  /** Where what is said of all is not true of one: a number that is missing between all records. Default: as of all. */
  readonly factsOfOne?: (rows: readonly Row[]) => Facts;
  /** Of the first task that it concerns. */
  readonly whereOf: (task: string) => Place | undefined;
  readonly proof: readonly string[];
  readonly within: string;
}

export function raiseByTask<Row, Facts>(guard: { (facts: Facts): Finding | undefined; readonly about: GuardAbout }, asked: ByTask<Row, Facts>): Raised[] {
  const { rows, taskOf, factsOf, factsOfOne = factsOf, whereOf, proof, within } = asked;
  // Most of the time nobody is concerned, and then nobody is asked alone.
  if (guard(factsOf(rows)) === undefined) return [];
  const byTask = new Map<string, Row[]>();
  for (const row of rows) byTask.set(taskOf(row), [...(byTask.get(taskOf(row)) ?? []), row]);
  const briefs = new Map<string, string>();
  for (const [task, own] of byTask) {
    const finding = guard(factsOfOne(own));
    if (finding !== undefined) briefs.set(task, briefOf(finding.message, task));
  }
  const tasks = [...briefs.keys()].toSorted();
  return raise(guard, factsOf(rows), { tasks, where: tasks[0] === undefined ? { path: within } : whereOf(tasks[0]), proof, confidence: "measured", briefs, within });
}

/** What the sentence says of the task, without how many of how many, and without its name. */
function briefOf(message: string, task: string): string {
  const said = message.slice(message.indexOf(": ") + 2);
  if (!said.startsWith(`${task} `)) return said;
  const rest = said.slice(task.length + 1);
  return rest.startsWith("(") && rest.endsWith(")") && rest.indexOf(")") === rest.length - 1 ? rest.slice(1, -1) : rest;
}
