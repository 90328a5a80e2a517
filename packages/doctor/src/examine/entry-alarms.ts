/**
 * Entries that are not what their list wants. What breaks a loader that judges the list as a whole is told apart from what
 * such a loader takes and then reads otherwise than was meant: only the first has a blast radius.
 */
import { encodingGraded, type Finding, registryEntryInvalid } from "@casebook/guards";
import type { FieldProblem, LayoutObservation, RegistryObservation, TaskObservation } from "../observation.ts";
import { placeText } from "../report/place-text.ts";
import { TIME_CODES } from "./moment-facts.ts";
import { raise, type Raised } from "./raised.ts";

/** A prompt file's bytes, and how grave they are for its reader. */
const PROMPT_GRADES: ReadonlyMap<string, "fatal" | "harmless"> = new Map([
  ["PROMPT_NOT_UTF8", "fatal"],
  ["PROMPT_BYTE_ORDER_MARK", "harmless"],
]);

/** Problems that have a guard of their own. */
const GUARDED_ELSEWHERE: ReadonlySet<string> = new Set([...TIME_CODES, ...PROMPT_GRADES.keys(), "DUPLICATE_ID", "STORES_DISAGREE"]);

/** A loader takes the entry and does with it something else than was meant. */
const LOADS_OTHERWISE: ReadonlySet<string> = new Set([
  "FIELD_RENAMED",
  "SCHEDULE_AMBIGUOUS",
  "SCHEDULE_UNANCHORED",
  "SCHEDULE_KIND_UNKNOWN",
  "FRONT_MATTER_NOT_YAML",
  "FRONT_MATTER_NOT_MAP",
  "FRONT_MATTER_DUPLICATE_KEY",
  "FRONT_MATTER_NOT_TEXT",
]);

/** Read by its own program, as far as anybody knows, and not here. */
const PERHAPS_NEW: ReadonlySet<string> = new Set(["SCHEDULE_KIND_UNKNOWN"]);

const MAX_VALUES = 10;

/** An entry is named by its first few problems. */
const MAX_NAMED = 3;

export interface TaskProblem {
  readonly task: TaskObservation;
  readonly problem: FieldProblem;
}

/** Those of this registry: one in a file that is no registry is counted with the first registry that has the task. */
export function problemsOf({ tasks, registries }: LayoutObservation, path: string): TaskProblem[] {
  const paths = new Set(registries.map((one) => one.path));
  return tasks
    .filter((task) => task.registries.includes(path))
    .flatMap((task) => {
      const isOwn = (at: string) => at === path || (!paths.has(at) && task.registries[0] === path);
      return task.problems.filter(({ place }) => isOwn(place.path)).map((problem) => ({ task, problem }));
    });
}

export function entryAlarms(layout: LayoutObservation, registry: RegistryObservation): Raised[] {
  const { path, entries = 0 } = registry;
  const all = problemsOf(layout, path).filter(({ problem }) => !GUARDED_ELSEWHERE.has(problem.code));
  const broken = all.filter(({ problem }) => !LOADS_OTHERWISE.has(problem.code));
  const bad = new Set(broken.map(({ task }) => task.id));
  const otherwise = all.filter(({ task, problem }) => LOADS_OTHERWISE.has(problem.code) && !bad.has(task.id));
  const said = all.filter(({ task }) => bad.has(task.id));
  const step = stepFor(broken);
  return [
    ...raise(
      registryEntryInvalid,
      { registry: path, entries, invalid: said.map(({ task, problem }) => ({ entry: task.id, problem: sayProblem(problem) })) },
      {
        tasks: [...bad].toSorted(),
        where: broken[0]?.problem.place,
        proof: [`entries ${entries} (${path})`, `invalid ${bad.size}`, `loadable by a whole-list loader 0, entry by entry ${entries - bad.size}`, ...valuesToWrite(broken)],
        confidence: "measured",
        ...(step === undefined ? {} : { step }),
        briefs: new Map(broken.toReversed().map(({ task, problem }) => [task.id, `${briefly(problem)}; a whole-list loader drops all ${entries}`])),
      },
    ),
    ...[true, false].flatMap((isNew) => {
      const some = otherwise.filter(({ problem }) => PERHAPS_NEW.has(problem.code) === isNew);
      return some.length === 0 ? [] : [readOtherwise(path, entries, some)];
    }),
    ...documentFields(registry),
  ];
}

function readOtherwise(path: string, entries: number, problems: readonly TaskProblem[]): Raised {
  const ids = [...new Set(problems.map(({ task }) => task.id))];
  const named = firstFew(problems.map(({ task, problem }) => `${task.id} (${sayProblem(problem)})`));
  const isNew = problems.every(({ problem }) => PERHAPS_NEW.has(problem.code));
  const what = isNew ? "have words that are not known here" : "load, and not as they were meant";
  const said = finding(ids.length === 1 ? (ids[0] as string) : path, `${ids.length} of ${entries} entries ${what}: ${named}`, { entries, otherwise: ids.length });
  return {
    about: registryEntryInvalid.about,
    finding: isNew ? { ...said, severity: "warning" } : said,
    tasks: ids.toSorted(),
    where: problems[0]?.problem.place,
    proof: [`entries ${entries} (${path})`],
    confidence: "measured",
    briefs: new Map(problems.toReversed().map(({ task, problem }) => [task.id, sayProblem(problem)])),
  };
}

/** Fields of the document beside its records: what they held is not read, and the tasks are. */
function documentFields({ path, fieldProblems = [] }: RegistryObservation): Raised[] {
  const first = fieldProblems.find((one) => !isPerhapsNew(one)) ?? fieldProblems[0];
  if (first === undefined) return [];
  const many = `${fieldProblems.length} ${fieldProblems.length === 1 ? "field" : "fields"}`;
  const message = `${many} beside the list of entries not as the layout has them: ${firstFew(fieldProblems.map(sayProblem))}`;
  const all = finding(path, message, { fields: fieldProblems.length });
  const said = fieldProblems.every(isPerhapsNew) ? { ...all, severity: "warning" as const } : all;
  return [{ about: registryEntryInvalid.about, finding: said, tasks: [], where: first.place, proof: [], confidence: "measured" }];
}

/** A key in the place of one that a document need not have, and not named alike, may as well be a new one. */
function isPerhapsNew({ code }: FieldProblem): boolean {
  return code === "FIELD_UNKNOWN";
}

function finding(subject: string, message: string, counts: Record<string, number>): Finding {
  return { guard: registryEntryInvalid.about.id, subject, message, counts };
}

/** Prompt files are text for their reader; one that is not says nothing to it. */
export function promptEncoding(layout: LayoutObservation): Raised[] {
  const faults = layout.tasks.flatMap((task) =>
    task.problems.flatMap((problem) => {
      const grade = PROMPT_GRADES.get(problem.code);
      return grade === undefined ? [] : [{ task, problem, grade }];
    }),
  );
  const worst = faults.find(({ grade }) => grade === "fatal") ?? faults[0];
  return raise(
    encodingGraded,
    { files: layout.promptFolders ?? 0, faults: faults.map(({ problem, grade }) => ({ path: problem.place.path, code: problem.code, grade })) },
    {
      tasks: [...new Set(faults.map(({ task }) => task.id))].toSorted(),
      where: worst?.problem.place,
      proof: [`prompt folders ${layout.promptFolders ?? 0}`],
      confidence: "measured",
      step: "Save the prompt as UTF-8 without a byte order mark",
      briefs: new Map(faults.map(({ task, problem }) => [task.id, `its prompt has ${problem.seen}`])),
    },
  );
}

/** The value to write, where it is unambiguous. */
export function stepFor(problems: readonly TaskProblem[]): string | undefined {
  const known = problems.filter(({ problem }) => problem.instead !== undefined);
  const [first] = known;
  if (first === undefined) return undefined;
  const { place, seen, instead } = first.problem;
  const at = place.line === undefined ? "" : ` at line ${place.line}`;
  const rest = known.length - 1;
  return `Replace ${seen}${at} by ${instead}${rest === 0 ? "" : `; ${rest} more ${rest === 1 ? "value is" : "values are"} under proof`}`;
}

/** The values to write besides the first, one line each. */
function valuesToWrite(problems: readonly TaskProblem[]): string[] {
  const known = problems.filter(({ problem }) => problem.instead !== undefined).slice(1);
  const rest = known.length - MAX_VALUES;
  const lines = known.slice(0, MAX_VALUES).map(({ problem }) => `${placeText(problem.place)}: ${problem.seen}, write ${problem.instead}`);
  return rest > 0 ? [...lines, `and ${rest} more`] : lines;
}

export function sayProblem(problem: FieldProblem): string {
  return `${inWords(problem, problem.seen)}, wanted ${problem.wanted}`;
}

/** `fireAt is text at line 412`: without the value, which stands in the finding. */
function briefly(problem: FieldProblem): string {
  return inWords(problem, /^(text|number) /.exec(problem.seen)?.[1] ?? problem.seen);
}

function inWords({ code, place, seen }: FieldProblem, shown: string): string {
  const name = code === "ENTRY_NOT_OBJECT" ? "the entry" : place.pointer?.split("/").at(-1) || "the entry";
  // Some problems name their field themselves: `no /enabled`, `/cron is a number`.
  const said = /^(no |\/|both |another )/.test(seen) ? shown : `${name} is ${shown}`;
  return `${said}${place.line === undefined ? "" : ` at line ${place.line}`}`;
}

function firstFew(names: readonly string[]): string {
  const rest = names.length - MAX_NAMED;
  return rest > 0 ? `${names.slice(0, MAX_NAMED).join(", ")} and ${rest} more` : names.join(", ");
}
