/**
 * Reads a registry from disk. Always an answer, never a write; every problem goes once to the log and nowhere else
 * by itself, which is how the real ones fail in silence. Leaves out links and locks.
 */
import type { DirectoryEntry, Disk, Log, Ports } from "@casebook/ports";
import {
  fileProblem,
  type FileProblem,
  sayFileProblem,
  type LoadedReading,
  type LoaderPolicy,
  type Population,
  type RegistryReading,
} from "./judge/reading.ts";
import {
  failedReading,
  judgeDocument,
  judgeTaskFiles,
  TASK_FILE_SUFFIX,
  type TaskFile,
} from "./judge/judge-registry.ts";
import type { RegistryShape } from "./judge/shape.ts";
import { shown } from "./judge/text.ts";
import { diskProblem, MAX_REGISTRY_BYTES, readStableFile } from "./stable-read.ts";

export interface RegistryLocation {
  /** A file, or for `file-per-task` a directory. Absolute, with `/`. */
  readonly path: string;
  readonly shape: RegistryShape;
  /** Directory with a folder per task that holds `SKILL.md`: the count that is left when the registry gives none. */
  readonly promptsPath?: string | undefined;
}

/** Files of a directory with one per task. */
export const MAX_TASK_FILES = 10_000;

export async function readRegistry(
  ports: Pick<Ports, "disk" | "log">,
  location: RegistryLocation,
  policy: LoaderPolicy,
): Promise<RegistryReading> {
  const reading = await readShape(ports.disk, location, policy);
  logReading(ports.log, location.path, reading);
  return reading;
}

async function readShape(
  disk: Disk,
  { path, shape, promptsPath }: RegistryLocation,
  policy: LoaderPolicy,
): Promise<RegistryReading> {
  const reading =
    shape.kind === "file-per-task"
      ? await readTaskFiles(disk, path, policy)
      : await readOneFile(disk, path, shape, policy);
  if (reading.outcome === "loaded" || reading.outcome === "rejected") return reading;
  if (reading.population !== undefined || promptsPath === undefined) return reading;
  return { ...reading, population: await countPromptFolders(disk, promptsPath) };
}

async function readOneFile(
  disk: Disk,
  path: string,
  shape: Exclude<RegistryShape, { kind: "file-per-task" }>,
  policy: LoaderPolicy,
): Promise<RegistryReading> {
  const read = await readStableFile(disk, path);
  return "problem" in read ? failedReading(read.problem) : judgeDocument(read.bytes, shape, policy);
}

/** Reads what it may of every file: one that cannot be read counts, is named, and stops none of the others. */
async function readTaskFiles(disk: Disk, path: string, policy: LoaderPolicy): Promise<RegistryReading> {
  const listed = await listDirectory(disk, path);
  if ("problem" in listed) return failedReading(listed.problem);
  const names = listed.entries.map((entry) => entry.name).sort();
  const taskNames = names.filter(isTaskFile);
  if (taskNames.length > MAX_TASK_FILES) {
    const what = `${path} holds ${taskNames.length} task files, more than the limit of ${MAX_TASK_FILES}`;
    return failedReading(fileProblem("REGISTRY_TOO_MANY_FILES", what), { count: taskNames.length, countedBy: "files" });
  }
  const files: TaskFile[] = [];
  let budget = MAX_REGISTRY_BYTES;
  for (const name of taskNames) {
    const content = await readStableFile(disk, `${path}/${name}`, budget);
    if ("bytes" in content) budget -= content.bytes.length;
    files.push({ name, content });
  }
  return judgeTaskFiles(
    files,
    names.filter((name) => !isTaskFile(name)),
    policy,
  );
}

function isTaskFile(name: string): boolean {
  return name.endsWith(TASK_FILE_SUFFIX) && name.length > TASK_FILE_SUFFIX.length;
}

const PROMPT_FILE = "SKILL.md";

/**
 * Counts tasks where no loader looks: one folder with a prompt for each. Undefined where any of it cannot be listed: a part
 * of a count is a wrong count.
 */
async function countPromptFolders(disk: Disk, path: string): Promise<Population | undefined> {
  const names = await listPromptFolders(disk, path);
  return names && { count: names.length, countedBy: "prompt-folders" };
}

/** Names of the folders that hold a prompt, sorted. Undefined where any of it cannot be listed. */
export async function listPromptFolders(disk: Disk, path: string): Promise<string[] | undefined> {
  const listed = await listDirectory(disk, path);
  if ("problem" in listed) return undefined;
  const names: string[] = [];
  for (const folder of listed.entries.filter((entry) => entry.kind === "directory")) {
    const inside = await listDirectory(disk, `${path}/${folder.name}`);
    if ("problem" in inside) return undefined;
    if (inside.entries.some((file) => file.name === PROMPT_FILE && file.kind === "file")) names.push(folder.name);
  }
  return names.sort();
}

export type Listing = { readonly entries: readonly DirectoryEntry[] } | { readonly problem: FileProblem };

export async function listDirectory(disk: Disk, path: string): Promise<Listing> {
  try {
    const { kind } = await disk.stat(path);
    if (kind !== "directory") return { problem: fileProblem("REGISTRY_NOT_DIRECTORY", `${path} is not a directory`) };
    return { entries: await disk.readdir(path) };
  } catch (refusal) {
    return { problem: diskProblem(refusal, path) };
  }
}

/** Entry problems that get a line of their own; of the others only the number is logged. */
export const MAX_LOGGED_PROBLEMS = 1_000;

/** Tells the log what a reading found. In the real incidents this was the only place that knew. */
function logReading(log: Log, path: string, reading: RegistryReading): void {
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
