/**
 * Homes of invented people, written to a real folder, for the outputs that the documents show. The same bytes and times on
 * every run. Leaves out births: no program can set when a file was born, so nothing here depends on it.
 */
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The morning from which all of them are looked at, and the zone of the machine. */
export const MORNING = "2026-09-02T08:00:00Z";
export const MORNING_ZONE = "UTC";

export const HOMES = { small: smallHome, night: nightHome, healthy: healthyHome, unknown: unknownHome, yaml: yamlHome, receipts: receiptsHome } as const;

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
