/** The pure reading of a registry: bytes in, tasks and problems out. Never throws for any bytes. */
import { parseDocument, type UnreadableDocument } from "./document.ts";
import type { EntryProblem, RawEntry } from "./entry-problem.ts";
import { fileProblem, type FileProblem } from "./file-problem.ts";
import { judgeEntries } from "./judge-entries.ts";
import { rootRange } from "./members.ts";
import type { FailedReading, LoaderPolicy, Population, QuarantinedEntry, RegistryReading } from "./reading.ts";
import { findEntries, type DocumentShape } from "./shape.ts";
import { createPositions, positionAt, shown } from "./text.ts";
import { isTaskId } from "./entry-schema.ts";

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
      return { outcome: "rejected", population, loaded: [], quarantined: [], invalid: [], dropped: population.count, problem };
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
export function judgeTaskFiles(files: readonly TaskFile[], ignored: readonly string[], policy: LoaderPolicy): RegistryReading {
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
