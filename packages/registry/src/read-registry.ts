/**
 * Reads a registry from disk. Always an answer, never a write; every problem goes once to the log and nowhere else
 * by itself, which is how the real ones fail in silence. Leaves out links and locks.
 */
import type { Disk, DirectoryEntry, Log, Ports } from "@casebook/ports";
import {
  failedReading,
  fileProblem,
  judgeDocument,
  judgeTaskFiles,
  sayFileProblem,
  TASK_FILE_SUFFIX,
  type LoaderPolicy,
  type Population,
  type RegistryReading,
  type RegistryShape,
  type TaskFile,
} from "./judge/index.ts";
import { diskProblem, readStableFile } from "./stable-read.ts";

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
  const reading =
    location.shape.kind === "file-per-task"
      ? await readDirectory(ports.disk, location, policy)
      : await readOneFile(ports.disk, location, location.shape, policy);
  logProblems(ports.log, location, reading);
  return reading;
}

async function readOneFile(
  disk: Disk,
  location: RegistryLocation,
  shape: Exclude<RegistryShape, { kind: "file-per-task" }>,
  policy: LoaderPolicy,
): Promise<RegistryReading> {
  const read = await readStableFile(disk, location.path);
  const prompts = await countPrompts(disk, location.promptsPath);
  return "problem" in read ? failedReading(read.problem, prompts) : judgeDocument(read.bytes, shape, policy, prompts);
}

async function readDirectory(disk: Disk, location: RegistryLocation, policy: LoaderPolicy): Promise<RegistryReading> {
  const listed = await listDirectory(disk, location.path);
  if ("problem" in listed) return failedReading(listed.problem, await countPrompts(disk, location.promptsPath));
  const names = listed.entries.map((entry) => entry.name);
  const isTaskFile = (name: string): boolean => name.endsWith(TASK_FILE_SUFFIX) && name.length > TASK_FILE_SUFFIX.length;
  const taskNames = names.filter(isTaskFile).sort();
  if (taskNames.length > MAX_TASK_FILES) {
    const what = `${location.path} holds ${taskNames.length} files, more than the limit of ${MAX_TASK_FILES}`;
    return failedReading(fileProblem("REGISTRY_TOO_MANY_FILES", what), { count: taskNames.length, countedBy: "files" });
  }
  const files: TaskFile[] = [];
  for (const name of taskNames) files.push({ name, content: await readStableFile(disk, `${location.path}/${name}`) });
  return judgeTaskFiles(files, names.filter((name) => !isTaskFile(name)).sort(), policy);
}

type Listing = { entries: DirectoryEntry[] } | { problem: ReturnType<typeof diskProblem> };

async function listDirectory(disk: Disk, path: string): Promise<Listing> {
  try {
    const { kind } = await disk.stat(path);
    if (kind !== "directory") return { problem: fileProblem("REGISTRY_NOT_DIRECTORY", `${path} is not a directory`) };
    return { entries: await disk.readdir(path) };
  } catch (refusal) {
    return { problem: diskProblem(refusal, path) };
  }
}

/** Folders that hold a prompt. Undefined when there is no such directory to count in: that is not zero prompts. */
async function countPrompts(disk: Disk, path: string | undefined): Promise<Population | undefined> {
  if (path === undefined) return undefined;
  const listed = await listDirectory(disk, path);
  if ("problem" in listed) return undefined;
  let count = 0;
  for (const entry of listed.entries) {
    if (entry.kind !== "directory") continue;
    const inside = await listDirectory(disk, `${path}/${entry.name}`);
    if ("entries" in inside && inside.entries.some((file) => file.name === "SKILL.md" && file.kind === "file")) count += 1;
  }
  return { count, countedBy: "prompt-folders" };
}

function logProblems(log: Log, location: RegistryLocation, reading: RegistryReading): void {
  const path = location.path;
  if (reading.outcome !== "loaded") {
    log.write("error", `registry.file-${reading.outcome}`, { path, code: reading.problem.code, say: sayFileProblem(reading.problem) });
    return;
  }
  for (const entry of reading.quarantined) {
    for (const problem of entry.problems) {
      log.write("error", "registry.entry-quarantined", { path, code: problem.code, pointer: problem.pointer, say: problem.say });
    }
  }
  for (const change of reading.normalised) {
    log.write("warning", "registry.value-normalised", { path, pointer: change.pointer, from: change.from, to: change.to });
  }
  for (const notice of reading.notices) log.write("warning", "registry.file-noticed", { path, say: notice });
}
