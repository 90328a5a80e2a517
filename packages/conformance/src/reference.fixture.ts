/**
 * Our own dispatcher behind the adapter: tasks are files in its inbox, what is told is a call of it or a file beside them. Any of its
 * known-bad policies fits in the place of the reference.
 */
import { createDispatcher, type DispatcherPolicies } from "@casebook/dispatcher";
import { attemptsOf, findObject, FOLDERS, fingerprint, LEDGER, LIFECYCLE, readLedger, readLifecycle, RECORD_FILE, recordText, type Source, taskOf, type TreeFile } from "@casebook/dispatcher/judge";
import { commitFile } from "@casebook/file-commit";
import type { Disk } from "@casebook/ports";
import { type AdapterPorts, CAPABILITIES, type Capability, type DispatcherAdapter, type DispatcherUnderTest, type Notice, type Task, type TaskView } from "./index.ts";

declare const TextEncoder: new () => { encode(text: string): Uint8Array };
declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

const ROOT = "/desk";

export function reference(policies: Partial<DispatcherPolicies> = {}, name = "reference"): DispatcherAdapter {
  return {
    name,
    version: "0.1.0",
    capabilities: Object.keys(CAPABILITIES) as Capability[],
    limits: { leaseMs: 30_000 },
    create: (ports) => create(ports, policies),
  };
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const header = (fields: Readonly<Record<string, string>>, body: string): string => ["---", ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`), "---", body, ""].join("\n");
const textOf = ({ id, agent, after, text, source, gate = "", revision }: Task): Uint8Array =>
  encode(header({ id, kind: "TASK", from: "PM", to: agent, source, after: `[${after.join(", ")}]`, gate, revision }, text));

async function create(ports: AdapterPorts, policies: Partial<DispatcherPolicies>): Promise<DispatcherUnderTest> {
  const { clock, disk, ids, log, faults, sessions, name, trust } = ports;
  for (const folder of ["", `/${LIFECYCLE}`, ...FOLDERS.map((one) => `/${LIFECYCLE}/${one}`)]) await makeDirectory(disk, `${ROOT}${folder}`);
  /** The revision that the kit gave a text, which is in its header, by the one that our dispatcher gives its file. */
  const revisions = new Map<string, string>();
  const dispatcher = createDispatcher(
    {
      clock,
      disk,
      ids,
      log,
      faults,
      sessions: {
        ...sessions,
        async start(request) {
          if (!revisions.has(request.revision)) await readTasks();
          return sessions.start({ ...request, revision: revisions.get(request.revision) ?? request.revision });
        },
      },
    },
    { root: ROOT, name, trust: { routes: trust.sources, reviewers: trust.reviewers }, leaseMs: 30_000, settleMs: 0, policies },
  );
  let hasLooked = false;
  const kept: Kept = new Map();

  async function readTasks(): Promise<TreeFile[]> {
    const files = await readTree(disk, [LIFECYCLE]);
    for (const { bytes } of files) {
      const revision = /^revision: ([0-9a-f]{16})$/m.exec(new TextDecoder().decode(bytes))?.[1];
      if (revision !== undefined) revisions.set(fingerprint(bytes), revision);
    }
    return files;
  }

  const sourcesOf = async (id: string): Promise<Source[]> => readLifecycle(await readTasks()).sources.filter(({ object }) => object.id === id);
  const commit = (path: string, text: Uint8Array): Promise<unknown> => commitFile(ports, `${ROOT}/${path}`, text);
  const publish = (id: string, kind: "REPORT" | "REVIEW", fields: Readonly<Record<string, string>>): Promise<unknown> =>
    commit(`${LIFECYCLE}/review/${id}.md`, encode(header({ id, kind, ...fields }, "Fine.")));

  async function tell(notice: Notice): Promise<void> {
    switch (notice.kind) {
      case "wake":
        // As a watcher's event does: it is heard, and a reason to look.
        await dispatcher.hear(notice.task);
        if (policies.observation === "events-only") await dispatcher.scan();
        else await dispatcher.wake(notice.task, "asked for");
        return;
      case "hold":
        await dispatcher.hold(notice.task, notice.because);
        return;
      case "release":
        await dispatcher.release(notice.task, notice.because);
        return;
      case "approve":
        await publish(`APPROVAL-${notice.gate}-${notice.from}`, "REVIEW", { from: notice.from, gate: notice.gate, verdict: "approved" });
        return;
      case "report":
        await publish(notice.id, "REPORT", { from: notice.from, task: notice.task, verdict: "done" });
        return;
      case "accept":
        await publish(`REVIEW-${notice.task}-${notice.from}`, "REVIEW", { from: notice.from, task: notice.task, verdict: "accepted" });
        return;
      case "edit":
        for (const { path } of await sourcesOf(notice.task.id)) await commit(path, textOf(notice.task));
    }
  }

  return {
    async submit(task) {
      const known = await sourcesOf(task.id);
      const text = textOf(task);
      if (known.some(({ object }) => object.revision === fingerprint(text))) return known.every(({ object }) => object.revision === fingerprint(text)) ? "duplicate" : "conflict";
      await commit(`${LIFECYCLE}/inbox/${task.id}-${task.revision}.md`, text);
      // It lies in the inbox all the same, so that it is our dispatcher that refuses it.
      if (!trust.sources.includes(task.source)) return "rejected";
      return known.length > 0 ? "conflict" : "accepted";
    },
    async tick() {
      // One look at the start, and then none but for a reason.
      if (policies.observation === "events-only" && hasLooked) return;
      hasLooked = true;
      await dispatcher.scan();
    },
    tell,
    observe: async () => viewsOf(await readTree(disk, [LIFECYCLE, LEDGER], kept)),
    async probe() {
      const { records, state } = readLedger(await readTree(disk, [LEDGER]));
      return {
        history: records.map(({ record }) => recordText(record)),
        attempts: [...state.attempts.values()].map(({ id, task }) => ({
          task,
          claims: records.filter(({ record }) => record.kind === "claimed" && record.attempt === id && record.agent !== record.owner).length,
          decisions: records.filter(({ record }) => record.kind === "decided" && record.attempt === id).length,
        })),
        strangers: [...state.orphans.keys()],
      };
    },
  };
}

function viewsOf(files: readonly TreeFile[]): TaskView[] {
  const reading = readLifecycle(files);
  const { state } = readLedger(files);
  const ids = new Set(reading.sources.filter(({ object }) => object.kind === "TASK").map(({ object }) => object.id));
  return [...ids].map((id): TaskView => {
    const found = findObject(reading, id);
    const { decision, blocked, refused } = taskOf(state, id);
    const last = attemptsOf(state, id).at(-1);
    const session = last?.session;
    const view = (stands: TaskView["state"], because: string): TaskView => ({ id, state: stands, because, ...(session === undefined ? {} : { session }) });
    if (found.found !== "one") return view("conflict", "several sources declare it");
    const { folder } = found.source;
    if (folder === "done" || folder === "archive") return view("done", `in ${folder}`);
    if (last?.status === "session_failed") return view("failed", last.endedBecause ?? "the session failed");
    if (decision?.outcome === "needs-human" && decision.attempt === last?.id) return view("needs-human", decision.because);
    if (folder === "review") return view("review", last?.endedBecause ?? `in ${folder}`);
    return session === undefined ? view("waiting", [...refused, ...blocked].join("; ") || `in ${folder}`) : view("running", `${last?.status} as ${session}`);
  });
}

/** What was read of the ledger, where nobody writes any more. */
type Kept = Map<string, Uint8Array>;

/** All files of these folders; one that is moved while it is read is read where it went, at the next look. */
async function readTree(disk: Disk, folders: readonly string[], kept: Kept = new Map()): Promise<TreeFile[]> {
  const files: TreeFile[] = [];
  const walk = async (path: string): Promise<void> => {
    const entries = await disk.readdir(path).catch(() => []);
    const newest = entries.map(({ name }) => name).toSorted().at(-1);
    for (const { name, kind } of entries) {
      const below = `${path}/${name}`;
      const known = kept.get(`${below}/${RECORD_FILE}`);
      if (known !== undefined) files.push({ path: `${below}/${RECORD_FILE}`.slice(ROOT.length + 1), bytes: known });
      else if (kind === "directory") await walk(below);
      else await readOne(below);
    }
    // A number behind it was given, so its writer is through with it.
    if (path !== `${ROOT}/${LEDGER}`) return;
    for (const { path: one, bytes } of files) if (one.endsWith(`/${RECORD_FILE}`) && !one.includes(`/${newest}/`)) kept.set(`${ROOT}/${one}`, bytes);
  };
  const readOne = async (path: string): Promise<void> => {
    const file = await disk.open(path, "r").catch(() => undefined);
    if (file === undefined) return;
    const { size } = await file.stat();
    const bytes = await file.read(Math.max(1, size), 0);
    await file.close();
    files.push({ path: path.slice(ROOT.length + 1), bytes });
  };
  for (const folder of folders) await walk(`${ROOT}/${folder}`);
  return files;
}

async function makeDirectory(disk: Disk, path: string): Promise<void> {
  await disk.mkdir(path).catch((failure: { code?: string }) => {
    if (failure.code !== "EEXIST") throw failure;
  });
  await disk.syncDirectory(path.slice(0, path.lastIndexOf("/")) || "/");
}
