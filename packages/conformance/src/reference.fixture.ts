/**
 * Our own dispatcher behind the adapter: tasks are files in its inbox, ended work is accepted by a reviewer who accepts everything.
 * Any of its known-bad policies fits in the place of the reference.
 */
import { createDispatcher, type DispatcherPolicies } from "@casebook/dispatcher";
import { attemptsOf, findObject, FOLDERS, fingerprint, LEDGER, LIFECYCLE, readLedger, readLifecycle, recordText, taskOf, type TreeFile } from "@casebook/dispatcher/judge";
import { commitFile } from "@casebook/file-commit";
import type { Disk } from "@casebook/ports";
import type { AdapterPorts, DispatcherAdapter, DispatcherUnderTest, Task, TaskView } from "./index.ts";

declare const TextEncoder: new () => { encode(text: string): Uint8Array };

const ROOT = "/desk";
const TRUST = { routes: ["board"], reviewers: ["LEAD"] };

export function reference(policies: Partial<DispatcherPolicies> = {}, name = "reference"): DispatcherAdapter {
  return {
    name,
    version: "0.1.0",
    capabilities: ["durable", "power-loss", "replaces-files", "after", "one-per-agent", "concurrent-calls", "many-dispatchers", "keyless-runtime"],
    limits: { leaseMs: 30_000 },
    create: (ports) => create(ports, policies),
  };
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const header = (fields: Readonly<Record<string, string>>, body: string): string => ["---", ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`), "---", body, ""].join("\n");
const textOf = ({ id, agent, after, text }: Task): string => header({ id, kind: "TASK", from: "PM", to: agent, source: "board", after: `[${after.join(", ")}]` }, text);

async function create(ports: AdapterPorts, policies: Partial<DispatcherPolicies>): Promise<DispatcherUnderTest> {
  const { clock, disk, ids, log, faults, sessions, name } = ports;
  for (const folder of ["", `/${LIFECYCLE}`, ...FOLDERS.map((one) => `/${LIFECYCLE}/${one}`)]) await makeDirectory(disk, `${ROOT}${folder}`);
  /** The revision that the kit gave a text, by the one that our dispatcher gives its file. It is in the name of the file. */
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
          if (!revisions.has(request.revision)) await readTree(disk, revisions);
          return sessions.start({ ...request, revision: revisions.get(request.revision) ?? request.revision });
        },
      },
    },
    { root: ROOT, name, trust: TRUST, leaseMs: 30_000, settleMs: 0, policies },
  );
  return {
    async submit(task) {
      const files = await readTree(disk, revisions);
      const known = readLifecycle(files).sources.filter(({ object }) => object.id === task.id);
      const text = encode(textOf(task));
      if (known.some(({ object }) => object.revision === fingerprint(text))) return known.every(({ object }) => object.revision === fingerprint(text)) ? "duplicate" : "conflict";
      await commitFile(ports, `${ROOT}/${LIFECYCLE}/inbox/${task.id}-${task.revision}.md`, text);
      return known.length > 0 ? "conflict" : "accepted";
    },
    async tick() {
      await dispatcher.scan();
      const files = await readTree(disk, revisions);
      for (const { object, folder } of readLifecycle(files).sources) {
        const path = `${LIFECYCLE}/review/REVIEW-${object.id}.md`;
        if (object.kind !== "TASK" || folder !== "review" || files.some((file) => file.path === path)) continue;
        await commitFile(ports, `${ROOT}/${path}`, encode(header({ id: `REVIEW-${object.id}`, kind: "REVIEW", from: "LEAD", task: object.id, verdict: "accepted" }, "Fine.")));
      }
    },
    observe: async () => viewsOf(await readTree(disk, revisions)),
    async probe() {
      const { records, state } = readLedger(await readTree(disk, revisions));
      return {
        history: records.map(({ record }) => recordText(record)),
        attempts: [...state.attempts.values()].map(({ id, task }) => ({
          task,
          claims: records.filter(({ record }) => record.kind === "claimed" && record.attempt === id && record.agent !== record.owner).length,
          decisions: records.filter(({ record }) => record.kind === "decided" && record.attempt === id).length,
        })),
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
    const { decision, blocked } = taskOf(state, id);
    const last = attemptsOf(state, id).at(-1);
    const session = last?.session;
    const view = (stands: TaskView["state"], because: string): TaskView => ({ id, state: stands, because, ...(session === undefined ? {} : { session }) });
    if (found.found !== "one") return view("conflict", "several sources declare it");
    const { folder } = found.source;
    if (folder === "done" || folder === "archive") return view("done", `in ${folder}`);
    if (last?.status === "session_failed") return view("failed", last.endedBecause ?? "the session failed");
    if (decision?.outcome === "needs-human" && decision.attempt === last?.id) return view("needs-human", decision.because);
    return session === undefined ? view("waiting", blocked.join("; ") || `in ${folder}`) : view("running", `${last?.status} as ${session}`);
  });
}

/** All files below the root; one that is moved while it is read is read where it went, at the next look. */
async function readTree(disk: Disk, revisions: Map<string, string>): Promise<TreeFile[]> {
  const files: TreeFile[] = [];
  const walk = async (path: string): Promise<void> => {
    for (const { name, kind } of await disk.readdir(path).catch(() => [])) {
      if (kind === "directory") await walk(`${path}/${name}`);
      else await readOne(`${path}/${name}`, name);
    }
  };
  const readOne = async (path: string, name: string): Promise<void> => {
    const file = await disk.open(path, "r").catch(() => undefined);
    if (file === undefined) return;
    const { size } = await file.stat();
    const bytes = await file.read(Math.max(1, size), 0);
    await file.close();
    files.push({ path: path.slice(ROOT.length + 1), bytes });
    const revision = /^.*-([0-9a-f]{16})\.md$/.exec(name)?.[1];
    if (revision !== undefined) revisions.set(fingerprint(bytes), revision);
  };
  await walk(`${ROOT}/${LIFECYCLE}`);
  await walk(`${ROOT}/${LEDGER}`);
  return files;
}

async function makeDirectory(disk: Disk, path: string): Promise<void> {
  await disk.mkdir(path).catch((failure: { code?: string }) => {
    if (failure.code !== "EEXIST") throw failure;
  });
  await disk.syncDirectory(path.slice(0, path.lastIndexOf("/")) || "/");
}
