/**
 * Reads a registry from disk. Always an answer, never a write; every problem goes once to the log and nowhere else
 * by itself, which is how the real ones fail in silence. Leaves out links and locks.
 */
import type { Disk, Ports } from "@casebook/ports";
import { countPromptFolders, listDirectory } from "./count-prompt-folders.ts";
import { fileProblem } from "./judge/file-problem.ts";
import { failedReading, judgeDocument, judgeTaskFiles, TASK_FILE_SUFFIX, type TaskFile } from "./judge/judge-registry.ts";
import type { LoaderPolicy, RegistryReading } from "./judge/reading.ts";
import type { RegistryShape } from "./judge/shape.ts";
import { logReading } from "./log-reading.ts";
import { MAX_REGISTRY_BYTES, readStableFile } from "./stable-read.ts";

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

async function readShape(disk: Disk, { path, shape, promptsPath }: RegistryLocation, policy: LoaderPolicy): Promise<RegistryReading> {
  const reading =
    shape.kind === "file-per-task" ? await readTaskFiles(disk, path, policy) : await readOneFile(disk, path, shape, policy);
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
  return judgeTaskFiles(files, names.filter((name) => !isTaskFile(name)), policy);
}

function isTaskFile(name: string): boolean {
  return name.endsWith(TASK_FILE_SUFFIX) && name.length > TASK_FILE_SUFFIX.length;
}
