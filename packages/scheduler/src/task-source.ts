/**
 * Where a scheduler's tasks come from. The scheduler owns no registry: the caller composes a source from what it has, which
 * may be memory or a registry on disk.
 */
import type { Ports } from "@casebook/ports";
import { type LoaderPolicy, type QuarantinedEntry, readRegistry, type RegistryLocation, stampRun } from "@casebook/registry";
import type { Task } from "@casebook/registry/judge";
import { createSerial } from "./serial.ts";

export interface TaskSource {
  /** Every task that could be loaded, enabled or not. A rejection means "no answer", never "no tasks". */
  list(): Promise<readonly Task[]>;
  /**
   * One task as it is now, or undefined when it is gone. Asked again right before a dispatch. A rejection means that nobody
   * can say: the slot waits for the next pass.
   */
  read(id: string): Promise<Task | undefined>;
  /** Writes `lastRunAtMs`, milliseconds since the epoch. A rejection means that the registry does not say that the task ran. */
  stamp(id: string, atMs: number): Promise<void>;
}

/** A source in memory, with the setters that a person with an editor has. Nothing of it survives its process. */
export interface MemoryTaskSource extends TaskSource {
  put(task: Task): void;
  remove(id: string): void;
}

export function createMemorySource(tasks: readonly Task[]): MemoryTaskSource {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  return {
    async list() {
      return [...byId.values()];
    },
    async read(id) {
      return byId.get(id);
    },
    async stamp(id, atMs) {
      const task = byId.get(id);
      if (task === undefined) throw new Error(`TASK_NOT_FOUND: no task ${JSON.stringify(id)} to stamp; it was removed meanwhile.`);
      byId.set(id, { ...task, lastRunAtMs: atMs });
    },
    put(task) {
      byId.set(task.id, task);
    },
    remove(id) {
      byId.delete(id);
    },
  };
}

/**
 * A task source over a registry on disk. A registry that gives no list is "no answer", never "no tasks".
 * Models one writer: stamps of one process wait for each other, so that none finds the file changed under it.
 *
 * `list` and `read` reject with REGISTRY_REJECTED, REGISTRY_UNREADABLE or REGISTRY_ABSENT when the reading has no entries
 * to offer; `read` with TASK_QUARANTINED when the task is there and set aside, or may be; `stamp` with the code of the
 * refused write.
 */
export function createRegistrySource(
  ports: Pick<Ports, "clock" | "disk" | "ids" | "log" | "faults">,
  location: RegistryLocation,
  loader: LoaderPolicy,
): TaskSource {
  const oneAtATime = createSerial();

  async function load() {
    const reading = await readRegistry(ports, location, loader);
    if (reading.outcome === "loaded") return reading;
    throw coded(`REGISTRY_${reading.outcome.toUpperCase()}`, `${location.path} gave no tasks (${reading.problem.code}).`);
  }

  return {
    async list() {
      return (await load()).loaded;
    },
    async read(id) {
      const { loaded, quarantined } = await load();
      const task = loaded.find((one) => one.id === id);
      // An entry whose id cannot be read may be the one that is asked for: gone would be a guess.
      const aside = quarantined.find((entry) => entry.id === id) ?? quarantined.find((entry) => entry.id === undefined);
      if (task === undefined && aside !== undefined) throw coded("TASK_QUARANTINED", sayAside(id, location.path, aside));
      return task;
    },
    stamp: (id, atMs) =>
      oneAtATime(async () => {
        const result = await stampRun(ports, location, id, atMs);
        if (result.outcome !== "written") throw coded(result.code, result.say);
      }),
  };
}

function sayAside(id: string, path: string, { id: asideId, problems }: QuarantinedEntry): string {
  const name = JSON.stringify(id);
  const what =
    asideId === id
      ? `${name} is in ${path} and set aside, so nobody can say when it is due.`
      : `${name} is not among the tasks of ${path}, and an entry without a readable id is set aside, which may be it.`;
  return `${what} ${problems[0].say} Correct the entry; its slot waits.`;
}

function coded(code: string, say: string): Error {
  return Object.assign(new Error(`${code}: ${say}`), { code });
}
