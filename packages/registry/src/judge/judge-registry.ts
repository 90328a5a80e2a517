/** The pure reading of a registry: bytes in, tasks and problems out. Never throws for any bytes. */
import { type JsonDocument, parseDocument, type UnreadableDocument, membersOf, rootRange } from "./document.ts";
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
    const what = `the file starts with ${MARK}`;
    if (policy === "reject-file") return rejectForMark(population, what);
    notices.push(`${what}; ${MARK_COST}`);
  }
  if (document.duplicateKeyCount > 0) {
    const places = document.duplicateKeys.map((key) => `${shown(key.pointer)} (line ${key.position.line})`);
    notices.push(`${document.duplicateKeyCount} repeated key(s), first ${places[0]}`);
  }
  return judgeEntries(found.entries, [], population, policy, notices, []);
}

const MARK = "a UTF-8 byte order mark (EF BB BF)";
const MARK_COST = "strict readers fail on it";

function rejectForMark(population: Population, what: string): RejectedReading {
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
  const marked: string[] = [];
  const repeated: string[] = [];
  let repeatedCount = 0;
  for (const file of [...files].sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const read = readTaskFile(file);
    if ("problems" in read) {
      hopeless.push(read);
      continue;
    }
    const { entry, document } = read;
    raw.push(entry);
    if (document.byteOrderMark === "utf-8") marked.push(shown(file.name));
    const [key] = document.duplicateKeys;
    if (key !== undefined) repeated.push(`${shown(file.name)} ${shown(key.pointer)} (line ${key.position.line})`);
    repeatedCount += document.duplicateKeyCount;
  }
  const population: Population = { count: files.length, countedBy: "files" };
  const notices: string[] = [];
  if (marked[0] !== undefined) {
    const what = marked.length === 1 ? `${marked[0]} starts` : `${marked[0]} and ${marked.length - 1} more file(s) start`;
    if (policy === "reject-file") return rejectForMark(population, `${what} with ${MARK}`);
    notices.push(`${what} with ${MARK}; ${MARK_COST}`);
  }
  if (repeated[0] !== undefined) notices.push(`${repeatedCount} repeated key(s), first ${repeated[0]}`);
  return judgeEntries(raw, hopeless, population, policy, notices, ignored);
}

export const TASK_FILE_SUFFIX = ".json";

function readTaskFile(file: TaskFile): { entry: RawEntry; document: JsonDocument } | QuarantinedEntry {
  const name = file.name.slice(0, -TASK_FILE_SUFFIX.length);
  if ("problem" in file.content) return hopelessFile(file, name, file.content.problem);
  const document = parseDocument(file.content.bytes);
  if (document.outcome === "unreadable") return hopelessFile(file, name, unreadableProblem(document));
  const { text } = document;
  const entry = { file: file.name, pointer: "", text, positionAt: createPositions(text), name, ...rootRange(text) };
  return { entry, document };
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
  const twins = groupedBy(judged, (entry) => entry.id);
  const namesakes = groupedBy(judged, (entry) => entry.raw.name);
  const loaded: Task[] = [];
  const normalised: Normalised[] = [];
  const invalid: QuarantinedEntry[] = [...hopeless];
  for (const entry of judged) {
    const [first, ...rest] = [...entry.problems, ...claimedTwice(entry, twins, namesakes)];
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

type Groups = ReadonlyMap<string, readonly JudgedEntry[]>;

/** Also the invalid entries: an id or key that two claim is not settled by one of them being ill. */
function groupedBy(judged: readonly JudgedEntry[], claimOf: (entry: JudgedEntry) => string | undefined): Groups {
  const groups = new Map<string, JudgedEntry[]>();
  for (const entry of judged) {
    const claim = claimOf(entry);
    if (claim === undefined) continue;
    const same = groups.get(claim);
    if (same === undefined) groups.set(claim, [entry]);
    else same.push(entry);
  }
  return groups;
}

/** The key of a map too, because its entries need not say the same id, and a parsed object keeps only the last of them. */
function claimedTwice(entry: JudgedEntry, twins: Groups, namesakes: Groups): EntryProblem[] {
  const problems = duplicateId(entry, twins);
  const same = namesakes.get(entry.raw.name ?? "") ?? [];
  if (problems.length > 0 || entry.raw.name === undefined || same.length < 2) return problems;
  const wanted = `a key that no other entry has, and ${same.length} have it`;
  return [problem(entry.raw, entry.id, "DUPLICATE_KEY", undefined, entry.raw, wanted)];
}

/** Both are set aside: which of them is meant is a guess, and taking the last one is how a task changes without a trace. */
function duplicateId(entry: JudgedEntry, twins: Groups): EntryProblem[] {
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
