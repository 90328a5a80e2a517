/** Where a scheduler's tasks come from. The scheduler owns no registry: the caller composes one from what it has. */
import type { Task } from "@casebook/registry/judge";

export interface TaskSource {
  /** Every task that could be loaded, enabled or not. A rejection means "no answer", never "no tasks". */
  list(): Promise<readonly Task[]>;
  /** One task as it is now, or undefined when it is gone. Asked again right before a dispatch. */
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
