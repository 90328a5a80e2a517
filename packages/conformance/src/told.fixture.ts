/**
 * A dispatcher in memory, by hand, that is told everything: what others submit, wake, hold, approve, accept and edit. Each of its
 * protections can be taken out. Leaves out durability, and whatever the example beside it shows.
 */
import type { AdapterPorts, Capability, DispatcherAdapter, DispatcherUnderTest, Notice, Task, TaskView } from "./index.ts";

export const PROTECTIONS = [
  "sources are checked",
  "gates are asked",
  "approvals are checked",
  "holds are asked",
  "holds are released",
  "reviewers are checked",
  "workers do not count",
  "reports do not count",
  "edits are noticed",
  "wakes are in turn",
  "wakes look",
  "sessions are found by key",
  "earlier sessions are found by key",
  "others are left to run",
  "others are listed",
] as const;

export type Protection = (typeof PROTECTIONS)[number];

interface Entry {
  task: Task;
  readonly accepted: string;
  isHeld: boolean;
  isAccepted: boolean;
  view: TaskView;
}

const CAPABILITIES: readonly Capability[] = ["concurrent-calls", "sources", "gates", "holds", "reviews", "wakes", "edits", "shared-runtime"];

export function toldInMemory(without?: Protection): DispatcherAdapter {
  return { name: without === undefined ? "told" : `told, but not: ${without}`, version: "1.0.0", capabilities: CAPABILITIES, create: (ports) => create(ports, (protection) => protection !== without) };
}

function create({ sessions, trust }: AdapterPorts, has: (protection: Protection) => boolean): DispatcherUnderTest {
  const entries = new Map<string, Entry>();
  const approved = new Set<string>();
  let strangers: string[] = [];
  let turn: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => (turn = turn.then(work));
  const mayReview = (from: string): boolean => !has("reviewers are checked") || trust.reviewers.includes(from);

  async function look(only?: string): Promise<void> {
    for (const [id, entry] of entries) if (only === undefined || id === only) await lookAt(id, entry);
    const others = (await sessions.list()).filter(({ key }) => !entries.has(key));
    if (has("others are listed")) strangers = others.map((one) => one.id);
    if (!has("others are left to run")) for (const { id } of others) await sessions.cancel(id);
  }

  async function lookAt(id: string, entry: Entry): Promise<void> {
    const { task } = entry;
    const stand = (state: TaskView["state"], because: string, session?: string): void => void (entry.view = { id, state, because, session });
    const found = await sessions.find(id);
    const ofTask = (await sessions.list()).filter((one) => one.task === id);
    const session = (has("sessions are found by key") ? undefined : ofTask.at(-1)) ?? (has("earlier sessions are found by key") ? undefined : ofTask[0]) ?? found;
    if (session?.status === "running") return stand("running", "it runs", session.id);
    if (session?.status === "ended") return stand(entry.isAccepted ? "done" : "review", "it has ended", session.id);
    if (session !== undefined) return stand("failed", `it is ${session.status}`, session.id);
    if (has("edits are noticed") && task.revision !== entry.accepted) return stand("conflict", "its text was changed after it was accepted");
    if (entry.isHeld) return stand("waiting", "it is held");
    if (has("gates are asked") && task.gate !== undefined && !approved.has(task.gate)) return stand("waiting", `${task.gate} is not approved`);
    await sessions.start({ key: id, task: id, revision: task.revision, agent: task.agent }).catch(() => undefined);
    stand("running", "it was started");
  }

  function tell(notice: Notice): Promise<void> | void {
    const entry = "task" in notice && typeof notice.task === "string" ? entries.get(notice.task) : undefined;
    switch (notice.kind) {
      case "wake":
        if (!has("wakes look")) return;
        return has("wakes are in turn") ? inTurn(() => look(notice.task)) : look(notice.task);
      case "hold":
        if (entry !== undefined) entry.isHeld = has("holds are asked");
        return;
      case "release":
        if (entry !== undefined) entry.isHeld = !has("holds are released");
        return;
      case "approve":
        if (!has("approvals are checked") || trust.reviewers.includes(notice.from)) approved.add(notice.gate);
        return;
      case "report":
        if (entry !== undefined && !has("reports do not count")) entry.isAccepted = true;
        return;
      case "accept":
        if (entry !== undefined && mayReview(notice.from) && (!has("workers do not count") || notice.from !== entry.task.agent)) entry.isAccepted = true;
        return;
      case "edit": {
        const edited = entries.get(notice.task.id);
        if (edited !== undefined) edited.task = notice.task;
      }
    }
  }

  return {
    submit(task) {
      if (has("sources are checked") && !trust.sources.includes(task.source)) return "rejected";
      const known = entries.get(task.id);
      if (known !== undefined) return known.accepted === task.revision ? "duplicate" : "conflict";
      entries.set(task.id, { task, accepted: task.revision, isHeld: false, isAccepted: false, view: { id: task.id, state: "waiting", because: "was not looked at yet" } });
      return "accepted";
    },
    tick: () => inTurn(() => look()),
    tell,
    observe: () => [...entries.values()].map(({ view }) => view),
    probe: () => ({ strangers }),
  };
}
