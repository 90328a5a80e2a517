/**
 * Homes of invented people, written to a real folder, for the outputs that the documents show. The same bytes and times on
 * every run. Leaves out births: no program can set when a file was born, so nothing here depends on it.
 */
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The morning from which all of them are looked at, and the zone of the machine. */
export const MORNING = "2026-09-02T08:00:00Z";
export const MORNING_ZONE = "UTC";

export const HOMES = { small: smallHome, night: nightHome, healthy: healthyHome, unknown: unknownHome, yaml: yamlHome, receipts: receiptsHome, folders: foldersHome, store: storeHome, runs: runsHome } as const;

export interface TreeFile {
  /** Below the home, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly modifiedAt: string;
}

/** Writes one of the homes into an empty folder. Parents are made; their times do not matter. */
export function writeHome(home: string, files: readonly TreeFile[]): void {
  for (const { path, text, modifiedAt } of files) {
    const full = join(home, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
    utimesSync(full, new Date(modifiedAt), new Date(modifiedAt));
  }
}

interface DesktopTask {
  readonly id: string;
  readonly when: { readonly cronExpression: string } | { readonly fireAt: number | string };
  /** What the registry says. */
  readonly stamped?: string;
  /** Sessions that were born. */
  readonly sessions: readonly string[];
}

const TRIAGE: DesktopTask = {
  id: "triage",
  when: { cronExpression: "0 */6 * * *" },
  stamped: "2026-09-02T06:00:21.000Z",
  sessions: ["2026-09-01T12:00:17Z", "2026-09-01T18:00:09Z", "2026-09-02T00:00:12Z", "2026-09-02T06:00:21Z"],
};
const GHOST: DesktopTask = { id: "nightly-digest", when: { cronExpression: "15 2 * * *" }, stamped: "2026-09-02T02:15:48.000Z", sessions: ["2026-09-01T02:15:33Z"] };
const DIGEST: DesktopTask = { ...GHOST, sessions: [...GHOST.sessions, "2026-09-02T02:15:48Z"] };

/** Green lights everywhere, and no session behind one of the stamps. */
function smallHome(): TreeFile[] {
  return desktop([GHOST, TRIAGE]);
}

function healthyHome(): TreeFile[] {
  return desktop([DIGEST, TRIAGE]);
}

/** A stamp without a session, two sessions for one slot, an instant written as text, and one task that is well. */
function nightHome(): TreeFile[] {
  const twice = { id: "morning-brief", when: { cronExpression: "30 6 * * *" }, stamped: "2026-09-02T06:30:24.000Z" };
  return desktop([
    GHOST,
    { ...twice, sessions: ["2026-09-01T06:30:11Z", "2026-09-02T06:30:14Z", "2026-09-02T06:30:24Z"] },
    { id: "invoice-check", when: { fireAt: "2026-09-03T07:30:00+01:00" }, sessions: [] },
    TRIAGE,
  ]);
}

/** A program of somebody's own: ids, expressions and last runs, in a shape that no preset has. */
function unknownHome(): TreeFile[] {
  const agents = [
    { slug: "tide-table", schedule: { cron: "0 5 * * *" }, lastRun: "2026-09-02T05:00:02Z" },
    { slug: "bell-ringer", schedule: { cron: "0 3 * * *" }, lastRun: "2026-08-30T03:00:01Z" },
  ];
  return [{ path: "harbour/agents.json", text: json({ agents }), modifiedAt: "2026-09-02T05:00:02Z" }];
}

/** Written by hand: an expression that is a list by a slip, and a key that is there twice. */
function yamlHome(): TreeFile[] {
  const text = `agents:
  - slug: tide-table
    cron: "0 5 * * *"
    lastRun: 2026-09-02T05:00:02Z
  - slug: bell-ringer
    cron: [0 3 * * *]
  - slug: harbour-lights
    cron: "0 18 * * *"
    lastRun: 2026-09-01T18:00:01Z
    cron: "0 19 * * *"
`;
  return [{ path: "harbour/agents.yaml", text, modifiedAt: "2026-09-02T05:00:02Z" }];
}

/** A command that began and ended, and one whose end was cut while it was written. */
function receiptsHome(): TreeFile[] {
  const receipt = (seq: number, key: string, state: string, at: string) =>
    JSON.stringify({ schema: 1, seq, epoch: 1, key, state, command: "start", task: key, revision: "r1", actor: "relay", payload: key, reason: "", atMs: Date.parse(at) });
  const lines = [
    receipt(1, "tide-table-245", "pending", "2026-09-02T05:00:00Z"),
    receipt(2, "tide-table-245", "completed", "2026-09-02T05:01:00Z"),
    receipt(3, "harbour-fees-36", "pending", "2026-09-02T06:00:00Z"),
    receipt(4, "harbour-fees-36", "completed", "2026-09-02T06:02:00Z").slice(0, 70),
  ];
  return [{ path: "relay/receipts.jsonl", text: `${lines.join("\n")}\n`, modifiedAt: "2026-09-02T06:02:00Z" }];
}

/** Folders in which one task is in two places, one went around its review, one waits for it and one is done. */
function foldersHome(): TreeFile[] {
  const times = ["2026-09-01T18:00:00Z", "2026-09-02T05:00:00Z", "2026-09-02T06:00:00Z", "2026-09-02T07:00:00Z"];
  const task = (number: number, ...folders: readonly string[]): TreeFile => {
    const moves = folders.map((to, index) => `- {at: '${times[index]}', from: ${folders[index - 1] ?? "null"}, to: ${to}, by: PM, tool: move_task}\n`);
    const text = `---\nprotocol: fcop\nkind: task\nsender: PM\nrecipient: DEV\ntransitions:\n${moves.join("")}---\n\nWrite three invented lines.\n`;
    return { path: `harbour/fcop/_lifecycle/${folders.at(-1)}/TASK-20260901-00${number}-PM-to-DEV.md`, text, modifiedAt: times[folders.length - 1] as string };
  };
  return [task(1, "inbox"), task(1, "inbox", "active"), task(2, "inbox", "active", "review"), task(3, "inbox", "done"), task(4, "inbox", "active", "review", "done")];
}

/** A session whose lease ran out an hour ago, an attempt that waits for its review, and a status that nobody knows. */
function storeHome(): TreeFile[] {
  const attempt = (id: number, status: string, more: object = {}) => ({
    attempt_id: `attempt-${id}`,
    task_id: `TASK-20260902-00${id}`,
    target_role: "DEV",
    status,
    created_at: "2026-09-02T06:29:00.000Z",
    updated_at: "2026-09-02T06:30:00.000Z",
    ...more,
  });
  const lease = { lease_id: "lease-1", task_id: "TASK-20260902-001", attempt_id: "attempt-1", agent_id: "DEV-1", session_id: "session-1", acquired_at: "2026-09-02T06:30:00.000Z", expires_at: "2026-09-02T07:00:00.000Z" };
  const attempts = [attempt(1, "running", { session_id: "session-1", lease_id: "lease-1" }), attempt(2, "reported"), attempt(3, "paused")];
  return [{ path: "quay/.codeflowmu/dispatch/dispatch-state.json", text: json({ version: 1, attempts, leases: [lease], decisions: [] }), modifiedAt: "2026-09-02T06:30:00Z" }];
}

/** A run that was cancelled and gave everything back, one whose agents wait for each other, and one that nobody ended. */
function runsHome(): TreeFile[] {
  const at = (time: string) => Date.parse(`2026-09-02T${time}Z`);
  const entries: object[] = [];
  const note = (time: string, reason: string, ...changes: readonly (readonly [table: string, id: string, set: object])[]) =>
    entries.push({ seq: entries.length + 1, atMs: at(time), by: "supervisor", reason, outcome: "applied", changes: changes.map(([table, id, set]) => ({ table, id, set })) });
  const run = (id: string, from: string, deadline: string) =>
    ["runs", id, { state: "running", cause: null, startedAtMs: at(from), deadlineAtMs: at(deadline), agents: 2, tokens: 40, toolCalls: 4, maxAgents: 4, maxTokens: 1_000, maxToolCalls: 50, isSettled: false }] as const;
  const item = (of: string, name: string, status: string, more: object = {}) =>
    ["items", `${of}/${name}`, { run: of, name, status, owner: null, epoch: 1, claimedAtMs: 0, expiresAtMs: 0, uri: null, ...more }] as const;
  const held = (of: string, name: string, by: string, from: string, to: string) => item(of, name, "claimed", { owner: by, claimedAtMs: at(from), expiresAtMs: at(to) });
  const agent = (of: string, name: string) => ["agents", `${of}/${name}`, { run: of, name, owner: `${of}-${name}`, status: "running" }] as const;
  const owes = (of: string, debtor: string, status: string) => ["obligations", `${of}/${debtor}`, { run: of, debtor, creditor: "supervisor", kind: "item", status, why: null }] as const;
  const waits = (of: string, who: string, lock: string, since: string) => ["waits", `${of}-${who}`, { run: of, owner: `${of}-${who}`, kind: "lock", target: lock, sinceMs: at(since) }] as const;
  const lock = (id: string, of: string, holder: string) => ["locks", id, { run: of, holder: `${of}-${holder}` }] as const;
  const record = { recordVersion: 1, run: "almanac", state: "cancelled", cause: "deadline", writtenBy: "supervisor", atMs: at("05:15:00"), startedAtMs: at("05:00:00"), exhaustedCounter: null };
  const rest = { stuckAgent: "reader", stuckItem: "moon", cycle: [], trace: null, done: [{ item: "sun", uri: "a-1" }], failed: [], notFinished: [{ item: "moon", attempts: 1 }], used: { tokens: 40, toolCalls: 4, agents: 2 } };
  note("05:00:00", "run.begun", run("almanac", "05:00:00", "05:15:00"), item("almanac", "sun", "done", { uri: "a-1" }), item("almanac", "moon", "open"), owes("almanac", "moon", "open"));
  note("05:15:00", "run.ended", ["runs", "almanac", { state: "cancelled", cause: "deadline" }], ["records", "record-1", { ...record, ...rest }]);
  note("05:15:01", "run.settled", item("almanac", "moon", "dropped"), owes("almanac", "moon", "closed"), ["runs", "almanac", { isSettled: true }]);
  note("07:30:00", "run.begun", run("harbour-fees", "07:30:00", "07:45:00"), agent("harbour-fees", "clerk"), held("harbour-fees", "invoice", "harbour-fees-clerk", "07:31:00", "07:40:00"), owes("harbour-fees", "invoice", "open"));
  note("07:50:00", "run.begun", run("tide-table", "07:50:00", "08:05:00"), agent("tide-table", "reader"), agent("tide-table", "writer"), owes("tide-table", "plan", "open"), owes("tide-table", "text", "open"));
  note("07:52:00", "item.claimed", held("tide-table", "plan", "tide-table-reader", "07:52:00", "08:01:00"), held("tide-table", "text", "tide-table-writer", "07:52:00", "08:01:00"));
  note("07:53:00", "lock.taken", lock("left", "tide-table", "reader"), lock("right", "tide-table", "writer"));
  note("07:54:00", "wait.begun", waits("tide-table", "reader", "right", "07:54:00"), waits("tide-table", "writer", "left", "07:55:00"));
  return [{ path: "runs/ledger.jsonl", text: entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""), modifiedAt: "2026-09-02T07:59:00Z" }];
}

function desktop(tasks: readonly DesktopTask[]): TreeFile[] {
  const store = ".config/Claude/claude-code-sessions/account-1/workspace-1";
  const createdAt = Date.parse("2026-08-01T00:00:00Z");
  const scheduledTasks = tasks.map(({ id, when, stamped }) => ({ id, ...when, enabled: true, createdAt, ...(stamped === undefined ? {} : { lastRunAt: stamped }) }));
  return [
    { path: `${store}/scheduled-tasks.json`, text: json({ scheduledTasks }), modifiedAt: "2026-09-02T07:55:00Z" },
    ...tasks.map(({ id }) => ({ path: `.claude/scheduled-tasks/${id}/SKILL.md`, text: `Read the invented inbox of ${id} and write three lines.\n`, modifiedAt: "2026-08-01T00:00:00Z" })),
    ...tasks.flatMap(({ id, sessions }) =>
      sessions.map((at, index) => ({
        path: `${store}/local_${id}-${index}.json`,
        text: json({ sessionId: `local_${id}-${index}`, scheduledTaskId: id, createdAt: Date.parse(at), permissionMode: "acceptEdits" }),
        modifiedAt: at,
      })),
    ),
  ];
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
