/**
 * A dispatcher over a journal: a line for each task, appended and synced before the answer, read again by each life. Each protection
 * can be taken out. Models one process; says nothing about power loss.
 */
import type { AdapterPorts, DispatcherAdapter, DispatcherUnderTest, Task, TaskView } from "../index.ts";

export const JOURNAL_PROTECTIONS = ["a start that nobody heard is made again", "a write that took a part is finished", "a torn end is cut off"] as const;
export type JournalProtection = (typeof JOURNAL_PROTECTIONS)[number];

const PATH = "/journal.jsonl";

export function journalled(without?: JournalProtection): DispatcherAdapter {
  return { name: "journal", version: "1.0.0", capabilities: ["durable"], create: (ports) => create(ports, (protection) => protection !== without) };
}

async function create({ disk, sessions }: AdapterPorts, has: (protection: JournalProtection) => boolean): Promise<DispatcherUnderTest> {
  const file = await disk.open(PATH, "a+");
  const text = new TextDecoder().decode(await file.read((await file.stat()).size, 0));
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (whole !== text && has("a torn end is cut off")) await file.truncate(new TextEncoder().encode(whole).length);
  const tasks = new Map(whole.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line) as Task).map((task) => [task.id, task]));
  const views = new Map<string, TaskView>();

  async function append(task: Task): Promise<void> {
    let rest = new TextEncoder().encode(`${JSON.stringify(task)}\n`);
    do rest = rest.slice(await file.write(rest));
    while (rest.length > 0 && has("a write that took a part is finished"));
    await file.sync();
  }

  async function look({ id, revision, agent }: Task): Promise<void> {
    const session = await sessions.find(id);
    if (session !== undefined) {
      const state = session.status === "running" ? "running" : session.status === "ended" ? "done" : "failed";
      return void views.set(id, { id, state, because: `its session is ${session.status}`, session: session.id });
    }
    if (views.get(id)?.state === "running" && !has("a start that nobody heard is made again")) return;
    views.set(id, { id, state: "running", because: "is being started" });
    await sessions.start({ key: id, task: id, revision, agent }).catch(() => undefined);
  }

  return {
    async submit(task) {
      const known = tasks.get(task.id);
      if (known !== undefined) return known.revision === task.revision ? "duplicate" : "conflict";
      await append(task);
      tasks.set(task.id, task);
      return "accepted";
    },
    async tick() {
      for (const task of tasks.values()) await look(task);
    },
    observe: () => [...tasks.keys()].map((id) => views.get(id) ?? { id, state: "waiting", because: "was not looked at yet" }),
  };
}
