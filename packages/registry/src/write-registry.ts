/**
 * Writes one task into a registry. What was not understood is not written back, and what is not the task's own
 * stays as it is, byte for byte. Models writers that look again just before they write. Writes of one process to one file
 * wait for each other; a writer of another process that comes between that look and the rename is not seen, and takes a lock
 * that is not modelled here. Leaves out modes and owners: on a real disk the new file has those that the process gives a new
 * file, so 0600 becomes 0644, mostly. A link would become a plain file, and is refused.
 */
import { CommitError, commitFile, type CommitPorts } from "@casebook/file-commit";
import { type Disk, errorCode, type Ports } from "@casebook/ports";
import { planAfterUnreadableAsEmpty, planWriteBackLoaded } from "./careless-writers.ts";
import type { JsonObject } from "./judge/document.ts";
import { isInstantMs, isTaskId } from "./judge/entry-rules.ts";
import { TASK_FILE_SUFFIX } from "./judge/judge-registry.ts";
import { shown } from "./judge/text.ts";
import {
  planWrite,
  refuse,
  type TaskChange,
  type WriteIntent,
  type WritePlan,
  type WriteRefusal,
} from "./plan-write.ts";
import { inTurn } from "./in-turn.ts";
import type { RegistryLocation } from "./read-registry.ts";
import { isDiskCode, readStableFile, type StableRead } from "./stable-read.ts";

/**
 * `merge-into-read`: changes the task's own values in the text that was read.
 * `write-back-loaded`: writes the tasks in memory. `treat-unreadable-as-empty`: starts anew where reading failed.
 */
export type WriterPolicy = "merge-into-read" | "write-back-loaded" | "treat-unreadable-as-empty";

export type WriteResult =
  | {
      readonly outcome: "written";
      readonly path: string;
      /** What had to be made: nothing where the file was there. A missing directory is made one level deep. */
      readonly made: "nothing" | "file" | "directory-and-file";
    }
  | WriteRefusal
  /** The disk failed: the file is the old or the new one, never a part. `say` says which, where that is known. */
  | { readonly outcome: "failed"; readonly code: "REGISTRY_WRITE_FAILED"; readonly say: string };

export type WriterPorts = CommitPorts & Pick<Ports, "log">;

/** Named moments of a write. */
export const REGISTRY_FAULT_POINTS = ["registry.after-read", "registry.before-commit"] as const;

/** Changes fields of one task. An entry that is invalid may be changed if that makes it valid. */
export async function updateTask(
  ports: WriterPorts,
  location: RegistryLocation,
  id: string,
  change: TaskChange,
  policy: WriterPolicy = "merge-into-read",
): Promise<WriteResult> {
  return write(ports, location, { kind: "update", id, change }, policy);
}

/** Adds a task, last in its list. Makes the file if there is none; an unreadable one is not "none". */
export async function createTask(
  ports: WriterPorts,
  location: RegistryLocation,
  entry: JsonObject & { readonly id: string },
  policy: WriterPolicy = "merge-into-read",
): Promise<WriteResult> {
  return write(ports, location, { kind: "create", id: entry.id, entry }, policy);
}

/** Records that the task ran. `atMs`: milliseconds since 1970. */
export async function stampRun(
  ports: WriterPorts,
  location: RegistryLocation,
  id: string,
  atMs: number,
  policy: WriterPolicy = "merge-into-read",
): Promise<WriteResult> {
  // What is no instant becomes text that no loader takes, and is refused as such.
  const lastRunAt = isInstantMs(atMs) ? new Date(atMs).toISOString() : String(atMs);
  return updateTask(ports, location, id, { lastRunAt }, policy);
}

const PLANNERS = {
  "merge-into-read": planWrite,
  "write-back-loaded": planWriteBackLoaded,
  "treat-unreadable-as-empty": planAfterUnreadableAsEmpty,
} as const satisfies Record<
  WriterPolicy,
  (read: StableRead, shape: RegistryLocation["shape"], intent: WriteIntent) => WritePlan | WriteRefusal
>;

async function write(
  ports: WriterPorts,
  location: RegistryLocation,
  intent: WriteIntent,
  policy: WriterPolicy,
): Promise<WriteResult> {
  const result = isTaskId(intent.id)
    ? await inTurn(ports.disk, pathOf(location, intent.id), (path) => tryWrite(ports, location, path, intent, policy))
    : refuse("TASK_INVALID", `"${shown(intent.id)}" is no task id`);
  const facts = { path: location.path, id: intent.id };
  if (result.outcome === "written") ports.log.write("info", "registry.task-written", facts);
  else ports.log.write("error", `registry.write-${result.outcome}`, { ...facts, code: result.code, say: result.say });
  return result;
}

/** Only for an id that is one: any other is a path of its own. */
function pathOf({ path, shape }: RegistryLocation, id: string): string {
  return shape.kind === "file-per-task" ? `${path}/${id}${TASK_FILE_SUFFIX}` : path;
}

async function tryWrite(
  ports: WriterPorts,
  location: RegistryLocation,
  path: string,
  intent: WriteIntent,
  policy: WriterPolicy,
): Promise<WriteResult> {
  const read = await readStableFile(ports.disk, path);
  const plan = PLANNERS[policy](read, location.shape, intent);
  if (plan.outcome === "refused") return plan;
  const link = await refuseLink(ports.disk, path);
  if (link !== undefined) return link;
  await ports.faults.reach("registry.after-read");

  if (policy === "merge-into-read" && !isSame(read, await readStableFile(ports.disk, path))) {
    return refuse(
      "REGISTRY_CHANGED",
      `${path} was changed by someone else since it was read. Nothing was written. Read it again and repeat the change`,
    );
  }
  await ports.faults.reach("registry.before-commit");
  return commit(ports, location, path, plan, "problem" in read);
}

async function commit(
  ports: WriterPorts,
  location: RegistryLocation,
  path: string,
  plan: WritePlan,
  isNew: boolean,
): Promise<WriteResult> {
  try {
    const made = location.shape.kind === "file-per-task" && isNew && (await makeDirectory(ports, location.path));
    await commitFile(ports, path, plan.bytes);
    return { outcome: "written", path, made: made ? "directory-and-file" : isNew ? "file" : "nothing" };
  } catch (failure) {
    const code = errorCode(failure);
    if (failure instanceof CommitError) return { outcome: "failed", code: "REGISTRY_WRITE_FAILED", say: `REGISTRY_WRITE_FAILED: ${failure.message}` };
    if (!isDiskCode(code) && code !== "SHORT_WRITE") throw failure;
    return { outcome: "failed", code: "REGISTRY_WRITE_FAILED", say: await whyFailed(ports.disk, code, location, path) };
  }
}

async function whyFailed(disk: Disk, code: string, { path, shape }: RegistryLocation, file: string): Promise<string> {
  // A directory that holds task files is made; the one above it is not.
  const directory = parentOf(shape.kind === "file-per-task" ? path : file);
  if (code === "ENOENT" && (await isMissing(disk, directory))) {
    return `REGISTRY_WRITE_FAILED: there is no directory ${directory}, so nothing was written. Make it, or check the path`;
  }
  if (code === "ENAMETOOLONG") {
    return (
      `REGISTRY_WRITE_FAILED: ${file} with the ending of its temporary file is a name or path too long for this disk, ` +
      "so nothing was written. Choose a shorter id or path"
    );
  }
  return `REGISTRY_WRITE_FAILED: the disk answered ${code} while writing ${file}. It holds the old or the new version. Read it to know which`;
}

async function isMissing(disk: Disk, path: string): Promise<boolean> {
  return disk.stat(path).then(
    () => false,
    (refusal) => errorCode(refusal) === "ENOENT",
  );
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

/** The disk port follows links, and only a listing tells one from the file it leads to. */
async function refuseLink(disk: Disk, path: string): Promise<WriteRefusal | undefined> {
  try {
    const entries = await disk.readdir(parentOf(path));
    if (!entries.some((entry) => entry.kind === "other" && path.endsWith(`/${entry.name}`))) return undefined;
    const what = `${path} is a link, and a write would put a plain file in its place. Give the path that the link leads to`;
    return refuse("REGISTRY_WRITE_REFUSED", what);
  } catch (refusal) {
    const code = errorCode(refusal);
    if (!isDiskCode(code)) throw refusal;
    // Nothing can be a link in a directory that is not there; the write makes it, or says so.
    if (code === "ENOENT") return undefined;
    const what = `whether ${path} is a link cannot be told, because the disk refuses to list its directory: ${code}. Check permissions`;
    return refuse("REGISTRY_WRITE_REFUSED", what);
  }
}

/** Whether the directory had to be made. */
async function makeDirectory({ disk }: WriterPorts, path: string): Promise<boolean> {
  try {
    await disk.mkdir(path);
  } catch (refusal) {
    if (errorCode(refusal) === "EEXIST") return false;
    throw refusal;
  }
  await disk.syncDirectory(parentOf(path));
  return true;
}

function isSame(before: StableRead, after: StableRead): boolean {
  if ("problem" in before || "problem" in after) {
    return "problem" in before && "problem" in after && before.problem.code === after.problem.code;
  }
  return before.bytes.length === after.bytes.length && before.bytes.every((byte, index) => byte === after.bytes[index]);
}
