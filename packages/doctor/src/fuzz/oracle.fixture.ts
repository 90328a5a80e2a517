/** What must hold of every answer, whatever was done to the files. None of it knows what was done. */
import { sumProblems } from "../examine/look.fixture.ts";
import { reportShape } from "../report/report-schema.ts";
import { CANARY, type Subject } from "./corpus.fixture.ts";
import { contentOf } from "./tree-changes.fixture.ts";
import type { Played } from "./run.fixture.ts";

/** Reading again what changes and looking into what was not recognised costs a few times as much, and never without end. */
const MAX_TIMES_THE_CALLS = 8;

/** Everything that is wrong with an answer; none when it is well. `well`: of the same tree, untouched. */
export function problemsOf(played: Played, well: Played, { places }: Subject, changes: readonly string[] = []): string[] {
  const { report, human, json, metrics, calls } = played;
  const problems = sumProblems(report);
  const shape = reportShape.safeParse(JSON.parse(json));
  if (!shape.success) problems.push(`the JSON is not of its schema: ${shape.error.issues[0]?.path.join("/")} ${shape.error.issues[0]?.message}`);
  for (const [name, text] of Object.entries({ human, json, metrics })) {
    if (!isOut(played) && text.includes(CANARY)) problems.push(`${name} holds a private text: ${around(text, text.indexOf(CANARY))}`);
    const hidden = HIDDEN.exec(text);
    if (hidden !== null) problems.push(`${name} holds a character that nobody sees: ${JSON.stringify(around(text, hidden.index))}`);
    if (text.includes("/home/ada/")) problems.push(`${name} names the home: ${around(text, text.indexOf("/home/ada/"))}`);
  }
  if (!metrics.endsWith("\n# EOF\n")) problems.push("the metrics do not end");
  problems.push(...seriesProblems(metrics));
  const outside = calls.map((call) => call.slice(call.indexOf(" ") + 1)).find((path) => !places.some((place) => path === place || path.startsWith(`${place}/`)));
  if (outside !== undefined) problems.push(`${outside} was asked for, which is below no place`);
  if (calls.length > MAX_TIMES_THE_CALLS * well.calls.length + 100) problems.push(`${calls.length} calls of the tree, untouched ${well.calls.length}`);
  problems.push(...zeroProblems(played, well, changes), ...blameProblems(played, well, changes));
  return problems;
}

/** Everything but a line feed, and what reorders or hides a line. */
const HIDDEN = /[^\P{C}\n]|[\p{Zl}\p{Zp}]/u;

/** Changes after which a registry may well list fewer tasks and be in order. */
const MAY_REMOVE: ReadonlySet<string> = new Set([
  ...["lose a range", "move a range", "lose a member", "change a type", "move a list", "make a map of a list", "empty it", "swap two values", "two files are swapped"],
]);

/** Clean and no task is a wrong zero, and so is clean and fewer after what removes no task from a list. */
function zeroProblems({ report, exit }: Played, well: Played, changes: readonly string[]): string[] {
  const tasks = tasksOf(report);
  const before = tasksOf(well.report);
  const isWrong = tasks === 0 ? before > 0 : tasks < before && changes.every((change) => !MAY_REMOVE.has(change));
  return exit === 0 && isWrong ? [`clean, with ${tasks} tasks where there were ${before}`] : [];
}

/** After these something is there and could not be read. */
const HIDES: ReadonlySet<string> = new Set([
  ...["a file refuses", "a folder refuses", "a call is refused", "a file grows while it is read", "a file shrinks while it is read", "a file changes while it is read", "a file becomes something else", "a file vanishes while it is read"],
]);

/** What could not be read is no run that did not happen, no registry that is empty and no prompt that nobody wants. */
function blameProblems({ report }: Played, well: Played, changes: readonly string[]): string[] {
  if (well.exit !== 0 || changes.length === 0 || changes.some((change) => !HIDES.has(change))) return [];
  const blamed = report.findings.filter(({ severity, guard }) => severity === "alarm" && /^(slot|fleet)\/|wiped|orphan|missing-prompt/.test(guard));
  return blamed.map(({ guard, message }) => `blamed for what could not be read: ${guard} ${message}`);
}

export function tasksOf(report: Played["report"]): number {
  return report.rows.filter(({ kind }) => kind === "task").length;
}

/** A series that is there twice makes the whole file unreadable for its reader. */
function seriesProblems(metrics: string): string[] {
  const series = metrics.split("\n").filter((line) => line !== "" && !line.startsWith("#")).map((line) => line.slice(0, line.lastIndexOf(" ")));
  const again = series.find((one, index) => series.indexOf(one) !== index);
  return again === undefined ? [] : [`a series is there twice: ${again}`];
}

/** Whether the private text was moved to where a name or a schedule belongs: then it is no longer private. */
function isOut({ files }: Played): boolean {
  return Object.entries(files).some(([path, entry]) => {
    const content = contentOf(entry);
    const text = typeof content === "string" ? content : new TextDecoder().decode(content);
    return path.includes(CANARY) || [...text.matchAll(SAID)].some(([, key = ""]) => !PRIVATE_KEYS.test(key)) || text.includes(`${CANARY}"]`);
  });
}

declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

/** The key before the text, up to whatever begins the value. */
const SAID = new RegExp(`"((?:[^"\\\\]|\\\\.)*)"\\s*:\\s*"[^"]*${CANARY}`, "g");
const PRIVATE_KEYS = /prompt|message|content|text|apiKey|description/i;

function around(text: string, at: number): string {
  return text.slice(Math.max(0, at - 40), at + 40);
}
