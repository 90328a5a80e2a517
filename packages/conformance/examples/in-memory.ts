/** A dispatcher in thirty lines that keeps everything in memory. What it forgets with its process, the runtime still knows by key. */
import type { DispatcherAdapter, Task, TaskView } from "@casebook/conformance";

export const inMemory: DispatcherAdapter = {
  name: "in-memory",
  version: "1.0.0",
  capabilities: ["after", "one-per-agent", "concurrent-calls"],
  create({ sessions }) {
    const tasks = new Map<string, { task: Task; view: TaskView }>();
    let looking: Promise<void> = Promise.resolve();
    const look = async (): Promise<void> => {
      for (const [id, { task }] of tasks) {
        // Asked before and after: the answer of a start may have been lost, with us or without us.
        const session = await sessions.find(id);
        if (session !== undefined) {
          const state = session.status === "running" ? "running" : session.status === "ended" ? "done" : "failed";
          tasks.set(id, { task, view: { id, state, because: `its session is ${session.status}`, session: session.id } });
          continue;
        }
        const all = [...tasks.values()];
        const missing = task.after.filter((one) => tasks.get(one)?.view.state !== "done");
        const busy = all.find((other) => other.task.agent === task.agent && other.task.id !== id && other.view.state === "running");
        const because = missing.length > 0 ? `waits for ${missing.join(", ")}` : busy === undefined ? "starts" : `${task.agent} is busy with ${busy.task.id}`;
        const state = because === "starts" ? "running" : "waiting";
        tasks.set(id, { task, view: { id, state, because } });
        if (state === "running") await sessions.start({ key: id, task: id, revision: task.revision, agent: task.agent }).catch(() => undefined);
      }
    };
    return {
      submit(task) {
        const known = tasks.get(task.id)?.task;
        if (known !== undefined) return known.revision === task.revision ? "duplicate" : "conflict";
        tasks.set(task.id, { task, view: { id: task.id, state: "waiting", because: "was not looked at yet" } });
        return "accepted";
      },
      // One look after the other: two at once would both find no session.
      tick: () => (looking = looking.then(look)),
      observe: () => [...tasks.values()].map(({ view }) => view),
    };
  },
};
