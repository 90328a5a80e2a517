/** The pure reading of a registry: bytes in, tasks and problems out. Never throws for any bytes. */
import { parseDocument, type UnreadableDocument, membersOf, rootRange } from "./document.ts";
import { type EntryProblem, problem, type RawEntry, whatIsWrong, isTaskId } from "./entry-rules.ts";
import { type JudgedEntry, judgeEntry, type Normalised } from "./entry.ts";
import {
  fileProblem,
  type FileProblem,
  type FailedReading,
  type LoadedReading,
  type LoaderPolicy,
  type Population,
  type QuarantinedEntry,
  type RegistryReading,
  type RejectedReading,
} from "./reading.ts";
import { type DocumentShape, findEntries } from "./shape.ts";
import type { Task } from "./task.ts";
import { createPositions, positionAt, shown } from "./text.ts";

/** One file with all entries. */
export function judgeDocument(bytes: Uint8Array, shape: DocumentShape, policy: LoaderPolicy): RegistryReading {
  const document = parseDocument(bytes);
  if (document.outcome === "unreadable") return failedReading(unreadableProblem(document));
  const found = findEntries(document.text, shape);
  if (found.outcome === "not-found") {
    return failedReading(fileProblem(`REGISTRY_${found.code}`, found.say, positionAt(document.text, found.offset)));
  }
  const population: Population = { count: found.entries.length, countedBy: "entries" };
  const notices: string[] = [];
  if (document.byteOrderMark === "utf-8") {
    const what = "the file starts with a UTF-8 byte order mark (EF BB BF)";
    if (policy === "reject-file") {
      const problem = fileProblem("REGISTRY_BYTE_ORDER_MARK", what);
      return {
        outcome: "rejected",
        population,
        loaded: [],
        quarantined: [],
        invalid: [],
        dropped: population.count,
        problem,
      };
    }
    notices.push(`${what}; strict readers fail on it`);
  }
  if (document.duplicateKeyCount > 0) {
    const places = document.duplicateKeys.map((key) => `${shown(key.pointer)} (line ${key.position.line})`);
    notices.push(`${document.duplicateKeyCount} repeated key(s), first ${places[0]}`);
  }
  return judgeEntries(found.entries, [], population, policy, notices, []);
}

/** A file of a directory with one per task: its bytes, or why there are none. */
export interface TaskFile {
  /** Ends in `.json`; what is before it is the id. */
  readonly name: string;
  readonly content: { readonly bytes: Uint8Array } | { readonly problem: FileProblem };
}

/** A directory with one file per task. Every file counts, whatever is in it. */
export function judgeTaskFiles(
  files: readonly TaskFile[],
  ignored: readonly string[],
  policy: LoaderPolicy,
): RegistryReading {
  const raw: RawEntry[] = [];
  const hopeless: QuarantinedEntry[] = [];
  for (const file of [...files].sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const entry = readTaskFile(file);
    if ("problems" in entry) hopeless.push(entry);
    else raw.push(entry);
  }
  return judgeEntries(raw, hopeless, { count: files.length, countedBy: "files" }, policy, [], ignored);
}

export const TASK_FILE_SUFFIX = ".json";

function readTaskFile(file: TaskFile): RawEntry | QuarantinedEntry {
  const name = file.name.slice(0, -TASK_FILE_SUFFIX.length);
  if ("problem" in file.content) return hopelessFile(file, name, file.content.problem);
  const document = parseDocument(file.content.bytes);
  if (document.outcome === "unreadable") return hopelessFile(file, name, unreadableProblem(document));
  const { text } = document;
  return { file: file.name, pointer: "", text, positionAt: createPositions(text), name, ...rootRange(text) };
}

function hopelessFile(file: TaskFile, name: string, reason: FileProblem): QuarantinedEntry {
  const id = isTaskId(name) ? name : undefined;
  const problem: EntryProblem = {
    code: "ENTRY_UNREADABLE",
    file: file.name,
    pointer: "",
    position: reason.position,
    id,
    seen: reason.what,
    wanted: "one task as a JSON object",
    now: reason.now,
    say: `ENTRY_UNREADABLE: ${shown(file.name)} holds no readable task: ${reason.code}, ${reason.what}. A task that is set aside does not fire. ${reason.now}.`,
  };
  return { file: file.name, pointer: "", id, problems: [problem] };
}

/** A reading that found no entries to judge, and knows the population only if it was counted elsewhere. */
export function failedReading(problem: FileProblem, population: Population | undefined = undefined): FailedReading {
  const outcome = problem.code === "REGISTRY_MISSING" ? "absent" : "unreadable";
  return { outcome, population, loaded: [], quarantined: [], problem };
}

function unreadableProblem(document: UnreadableDocument): FileProblem {
  return fileProblem(`REGISTRY_${document.code}`, document.say, document.position);
}

/**
 * From judged entries to a reading: duplicate ids, and what each loader policy makes of the bad ones.
 * `hopeless` are entries that are files of their own and could not even be parsed; they count like the others.
 */
export function judgeEntries(
  raw: readonly RawEntry[],
  hopeless: readonly QuarantinedEntry[],
  population: Population,
  policy: LoaderPolicy,
  notices: readonly string[],
  ignored: readonly string[],
): LoadedReading | RejectedReading {
  const fireAtReading = policy === "normalise-then-quarantine" ? "instant-text-to-epoch-ms" : "as-written";
  const judged = raw.map((entry) => judgeEntry(entry, fireAtReading));
  const twins = twinsOf(judged);
  const loaded: Task[] = [];
  const normalised: Normalised[] = [];
  const invalid: QuarantinedEntry[] = [...hopeless];
  for (const entry of judged) {
    const [first, ...rest] = [...entry.problems, ...duplicateId(entry, twins)];
    if (first === undefined) {
      loaded.push(entry.task as Task);
      normalised.push(...entry.normalised);
    } else invalid.push({ file: entry.raw.file, pointer: entry.raw.pointer, id: entry.id, problems: [first, ...rest] });
  }
  const [worst] = invalid;
  if (policy === "reject-file" && worst !== undefined) return reject(population, invalid, worst);
  return { outcome: "loaded", population, loaded, quarantined: invalid, normalised, dropped: 0, notices, ignored };
}

function reject(
  population: Population,
  invalid: readonly QuarantinedEntry[],
  worst: QuarantinedEntry,
): RejectedReading {
  const [reason] = worst.problems;
  const what = `${invalid.length} of ${population.count} entries invalid, first ${reason.code}: ${whatIsWrong(reason, "")}`;
  return {
    outcome: "rejected",
    population,
    loaded: [],
    quarantined: [],
    invalid,
    dropped: population.count,
    problem: fileProblem("REGISTRY_ENTRY_INVALID", what, reason.position),
  };
}

/** Entries by id, also the invalid ones: an id that two entries claim is not settled by one of them being ill. */
function twinsOf(judged: readonly JudgedEntry[]): ReadonlyMap<string, readonly JudgedEntry[]> {
  const byId = new Map<string, JudgedEntry[]>();
  for (const entry of judged) {
    if (entry.id === undefined) continue;
    const same = byId.get(entry.id);
    if (same === undefined) byId.set(entry.id, [entry]);
    else same.push(entry);
  }
  return byId;
}

/** Both are set aside: which of them is meant is a guess, and taking the last one is how a task changes without a trace. */
function duplicateId(entry: JudgedEntry, twins: ReadonlyMap<string, readonly JudgedEntry[]>): EntryProblem[] {
  if (entry.id === undefined) return [];
  const same = twins.get(entry.id) ?? [];
  const other = same[0] === entry ? same[1] : same[0];
  if (other === undefined) return [];
  const elsewhere = `${other.raw.file ?? ""}${other.raw.pointer}`;
  const more = same.length > 2 ? ` and ${same.length - 2} more place(s)` : "";
  const own = membersOf(entry.raw.text, entry.raw).find((member) => member.key === "id");
  const field = own === undefined ? undefined : "id";
  return [
    problem(
      entry.raw,
      entry.id,
      "DUPLICATE_ID",
      field,
      own ?? entry.raw,
      `an id that ${elsewhere}${more} does not have`,
    ),
  ];
}
