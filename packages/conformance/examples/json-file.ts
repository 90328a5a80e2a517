/**
 * A dispatcher that keeps its list in one JSON file: written aside, synced, renamed over the old one, and the folder synced. What is
 * accepted is on the disk before the answer. One process; what it started before a crash it finds at the runtime, by key.
 */
import type { AdapterPorts, DispatcherAdapter, Task, TaskView } from "@casebook/conformance";

interface Entry {
  readonly task: Task;
  readonly state: TaskView["state"];
  readonly because: string;
  readonly session?: string | undefined;
}

const PATH = "/tasks.json";
/** Refusals of a replace that are waited for; a scanner or a reader holds a file no longer. */
const MOST_TRIES = 5;

export const jsonFile: DispatcherAdapter = {
  name: "json-file",
  version: "1.0.0",
  capabilities: ["durable", "power-loss", "replaces-files", "after", "one-per-agent"],
  async create({ disk, clock, sessions }) {
    const entries = new Map((await load(disk)).map((entry) => [entry.task.id, entry]));

    async function put(id: string, entry: Entry): Promise<void> {
      const known = entries.get(id);
      if (JSON.stringify(known) === JSON.stringify(entry)) return;
      entries.set(id, entry);
      try {
        await save({ disk, clock }, [...entries.values()]);
      } catch (failure) {
        // Nobody was told of it, and nobody will be.
        if (known === undefined) entries.delete(id);
        else entries.set(id, known);
        throw failure;
      }
    }

    async function look(task: Task): Promise<void> {
      const { id, revision, agent } = task;
      if (sessions.keys === "none") return put(id, { task, state: "needs-human", because: "this runtime forgets keys" });
      // Asked first, every time: the answer of a start may have been lost, with us or without us.
      const session = await sessions.find(id);
      if (session !== undefined) {
        const state = session.status === "running" ? "running" : session.status === "ended" ? "done" : "failed";
        return put(id, { task, state, because: `its session is ${session.status}`, session: session.id });
      }
      const missing = task.after.filter((one) => entries.get(one)?.state !== "done");
      const busy = [...entries.values()].find((other) => other.task.agent === agent && other.task.id !== id && other.state === "running");
      if (missing.length > 0) return put(id, { task, state: "waiting", because: `waits for ${missing.join(", ")}` });
      if (busy !== undefined) return put(id, { task, state: "waiting", because: `${agent} is busy with ${busy.task.id}` });
      await put(id, { task, state: "running", because: "is being started" });
      await sessions.start({ key: id, task: id, revision, agent }).catch(() => undefined);
    }

    return {
      async submit(task) {
        const known = entries.get(task.id)?.task;
        if (known !== undefined) return known.revision === task.revision ? "duplicate" : "conflict";
        await put(task.id, { task, state: "waiting", because: "was not looked at yet" });
        return "accepted";
      },
      async tick() {
        for (const { task } of [...entries.values()]) await look(task);
      },
      observe: () => [...entries.values()].map(({ task, state, because, session }) => ({ id: task.id, state, because, session })),
    };
  },
};

async function load(disk: AdapterPorts["disk"]): Promise<Entry[]> {
  const file = await disk.open(PATH, "r").catch((failure: { code?: string }) => {
    if (failure.code === "ENOENT") return undefined;
    throw failure;
  });
  if (file === undefined) return [];
  const { size } = await file.stat();
  const bytes = await file.read(size, 0);
  await file.close();
  return JSON.parse(new TextDecoder().decode(bytes)) as Entry[];
}

async function save({ disk, clock }: Pick<AdapterPorts, "disk" | "clock">, entries: readonly Entry[]): Promise<void> {
  const bytes = new TextEncoder().encode(JSON.stringify(entries));
  const file = await disk.open(`${PATH}.new`, "w");
  for (let written = 0; written < bytes.length; ) written += await file.write(bytes.subarray(written), written);
  await file.sync();
  await file.close();
  for (let tries = 1; ; tries += 1) {
    try {
      await disk.rename(`${PATH}.new`, PATH);
      break;
    } catch (failure) {
      if (tries === MOST_TRIES) throw failure;
      await clock.sleep(100);
    }
  }
  await disk.syncDirectory("/");
}
