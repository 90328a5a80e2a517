/**
 * Writes one task into a registry. What was not understood is not written back, and what is not the task's own
 * stays as it is, byte for byte. Models writers that look again just before they write; a writer that comes between
 * that look and the rename is not seen, and takes a lock that is not modelled here.
 */
import { commitFile } from "@casebook/file-commit";
import { errorCode, type Ports } from "@casebook/ports";
import { planAfterUnreadableAsEmpty, planWriteBackLoaded } from "./careless-writers.ts";
import type { JsonObject } from "./judge/document.ts";
import { isInstantMs } from "./judge/entry-rules.ts";
import { TASK_FILE_SUFFIX } from "./judge/judge-registry.ts";
import {
  planWrite,
  refuse,
  type TaskChange,
  type WriteIntent,
  type WritePlan,
  type WriteRefusal,
} from "./plan-write.ts";
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
  /** The disk failed in the middle: the file is the old or the new one, never a part. Read it to know which. */
  | { readonly outcome: "failed"; readonly code: "REGISTRY_WRITE_FAILED"; readonly say: string };

export type WriterPorts = Pick<Ports, "disk" | "ids" | "log" | "faults">;

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
  const result = await tryWrite(ports, location, intent, policy);
  const facts = { path: location.path, id: intent.id };
  if (result.outcome === "written") ports.log.write("info", "registry.task-written", facts);
  else ports.log.write("error", `registry.write-${result.outcome}`, { ...facts, code: result.code, say: result.say });
  return result;
}

async function tryWrite(
  ports: WriterPorts,
  location: RegistryLocation,
  intent: WriteIntent,
  policy: WriterPolicy,
): Promise<WriteResult> {
  const path =
    location.shape.kind === "file-per-task" ? `${location.path}/${intent.id}${TASK_FILE_SUFFIX}` : location.path;
  const read = await readStableFile(ports.disk, path);
  const plan = PLANNERS[policy](read, location.shape, intent);
  if (plan.outcome === "refused") return plan;
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
    if (!isDiskCode(errorCode(failure))) throw failure;
    const say = `REGISTRY_WRITE_FAILED: the disk answered ${errorCode(failure)} while writing ${path}. It holds the old or the new version. Read it to know which`;
    return { outcome: "failed", code: "REGISTRY_WRITE_FAILED", say };
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
  await disk.syncDirectory(path.slice(0, path.lastIndexOf("/")) || "/");
  return true;
}

function isSame(before: StableRead, after: StableRead): boolean {
  if ("problem" in before || "problem" in after) {
    return "problem" in before && "problem" in after && before.problem.code === after.problem.code;
  }
  return before.bytes.length === after.bytes.length && before.bytes.every((byte, index) => byte === after.bytes[index]);
}
