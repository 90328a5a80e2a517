/**
 * A dispatcher: looks at lifecycle folders, starts a session for each task that may, and knows after a restart what it had begun. The
 * same file runs in the simulated world and on a real disk. Leaves out what sessions do, and who may write into the folders.
 */
import { type DispatcherOptions, type DispatcherPorts, readOptions } from "./config.ts";
import type { Desk } from "./desk.ts";
import { type DispatchAnswer, dispatchTask } from "./dispatch-task.ts";
import { inTime } from "./in-time.ts";
import { findObject, taskOf } from "./judge/index.ts";
import { createLedger } from "./ledger.ts";
import { scan, type ScanReport } from "./scan.ts";
import { lookAtTree } from "./tree.ts";

export interface Dispatcher {
  /** Looks at everything. Scans of one dispatcher go one after the other. Rejects with a LedgerError where nothing can be said. */
  scan(): Promise<ScanReport>;
  /** A watcher saw something at this path, below the root: written down. It is a reason to look, and no fact. */
  hear(path: string): Promise<void>;
  /** Hears it, and looks. */
  observe(path: string): Promise<void>;
  /** Explicitly, with the key of the command that asks. */
  wake(task: string, because: string, key?: string): Promise<DispatchAnswer>;
  /** Nothing starts until it is released. The first holder stays. */
  hold(task: string, because: string): Promise<"held" | "already-held">;
  /** Ends the hold, and asks for the task. */
  release(task: string, because: string): Promise<DispatchAnswer>;
}

export function createDispatcher(ports: DispatcherPorts, options: DispatcherOptions): Dispatcher {
  const config = readOptions(options);
  const desk: Desk = { ports, config, ledger: createLedger(ports, config), mine: new Map(), late: new Map() };
  const turns = new Map<string, Promise<unknown>>();
  const wake = (task: string, because: string, key?: string): Promise<DispatchAnswer> => inTurn(task, () => dispatchTask(desk, { task, because, key }));

  async function hear(path: string): Promise<void> {
    ports.log.write("info", "dispatcher.observed", { path });
    if (config.policies.events === "dispatch") await startWhatItNames(desk, path);
  }

  function inTurn<T>(task: string, work: () => Promise<T>): Promise<T> {
    if (config.policies.turns === "none") return work();
    return after(turns, task, work);
  }

  return {
    scan: () => after(turns, "", () => scan(desk, inTurn)),
    wake,
    hear,
    async observe(path) {
      await hear(path);
      if (config.policies.events === "read-again") await after(turns, "", () => scan(desk, inTurn));
    },
    async hold(task, because) {
      const held = await desk.ledger.append((now) => (taskOf(now, task).hold === undefined ? { kind: "held", task, because } : { refused: "already-held" }));
      return "refused" in held ? "already-held" : "held";
    },
    async release(task, because) {
      await desk.ledger.append((now) => (taskOf(now, task).hold === undefined ? { refused: "not-held" } : { kind: "hold-released", task, because }));
      return wake(task, `released: ${because}`);
    },
  };
}

/** One after the other for each key; a failure of one is no failure of the next. No task is called "". */
function after<T>(turns: Map<string, Promise<unknown>>, key: string, work: () => Promise<T>): Promise<T> {
  const mine = (turns.get(key) ?? Promise.resolve()).then(work);
  const settled = mine.catch(() => undefined).then(() => {
    if (turns.get(key) === settled) turns.delete(key);
  });
  turns.set(key, settled);
  return mine;
}

/** What takes an event for a fact: the file is there, so its task is started. */
async function startWhatItNames(desk: Desk, path: string): Promise<void> {
  const { ports, config } = desk;
  const look = await lookAtTree(ports, config);
  if (look.outcome === "unstable") return;
  const named = look.reading.sources.find((source) => nameOf(source.path) === nameOf(path))?.object.id ?? path;
  const found = findObject(look.reading, named);
  if (found.found !== "one" || found.source.object.kind !== "TASK") return;
  const { id: task, revision, to: agent } = found.source.object;
  ports.log.write("info", "dispatcher.entered", { task, because: "event" });
  await inTime(desk, () => ports.sessions.start({ key: ports.ids.next("event"), task, revision, agent, attempt: "", epoch: 0 }));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
