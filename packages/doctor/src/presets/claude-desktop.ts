/**
 * The Claude desktop app. Registries stand apart for each account and workspace, prompts do not. Models the registry, the
 * prompt folders, session files and transcripts; leaves out the app's log and the view its tools give (`nextRunAt` there
 * is computed for display and proves nothing).
 */
import type { Preset } from "../preset.ts";
import { DAY_MS, MINUTE_MS } from "./durations.ts";

export const claudeDesktop: Preset = {
  id: "claude-desktop",
  title: "Claude desktop app, scheduled tasks",
  confidence: "several-reports",
  seen: [
    "prompt folders: the vendor's documentation, 2026-09",
    "registry: anthropics/claude-code #90533 (desktop 1.37937.3.0, Windows MSIX, 2026-08), #74055, #89840, #92357",
    "recordedSkips: #83323, #87940, #91371; session files: #77817, #95967; the marker in transcripts: #84861",
    "session names and times in session files: one report, 2026-09",
  ],
  registries: [
    {
      glob: "**/claude-code-sessions/*/*/scheduled-tasks.json",
      records: ["/scheduledTasks"],
      topLevel: ["scheduledTasks", "recordedSkips"],
      recordedSkips: "/recordedSkips",
      store: "account-and-workspace",
    },
    {
      glob: "**/local-agent-mode-sessions/**/scheduled-tasks.json",
      records: ["/scheduledTasks"],
      topLevel: ["scheduledTasks", "recordedSkips"],
      recordedSkips: "/recordedSkips",
      store: "account-and-workspace",
    },
  ],
  fields: {
    id: ["/id"],
    enabled: { pointer: "/enabled", whenAbsent: true },
    schedules: [
      { kind: "cron", pointer: "/cronExpression" },
      { kind: "once", pointer: "/fireAt", unit: "epoch-ms" },
    ],
    withoutSchedule: "manual",
    lastRun: { pointer: "/lastRunAt", unit: "iso" },
    created: { pointer: "/createdAt", unit: "epoch-ms" },
    cwd: "/cwd",
    always: ["/enabled"],
    known: {
      "/id": "text",
      "/cronExpression": "text",
      "/fireAt": "number",
      "/enabled": "boolean",
      "/createdAt": "number",
      "/lastRunAt": "text",
      "/lastScheduledFor": "any",
      "/filePath": "text",
      "/cwd": "text",
      "/model": "text",
      "/permissionMode": "text",
      "/approvedPermissions": "list",
      "/userSelectedFolders": "list",
      "/description": "text",
      "/jitterSeconds": "number",
      "/notifyOnCompletion": "boolean",
      "/nextRunAt": "any",
    },
  },
  prompts: { glob: "**/scheduled-tasks/*/SKILL.md" },
  artefacts: [
    {
      kind: "json-file",
      glob: "**/claude-code-sessions/*/*/local_*.json",
      taskId: "/scheduledTaskId",
      startedAt: [{ pointer: "/createdAt", unit: "epoch-ms" }, "file-birth"],
      session: "/cliSessionId",
    },
    {
      kind: "json-file",
      glob: "**/local-agent-mode-sessions/**/local_*.json",
      taskId: "/scheduledTaskId",
      startedAt: [{ pointer: "/createdAt", unit: "epoch-ms" }, "file-birth"],
      session: "/cliSessionId",
    },
    {
      kind: "transcript",
      // Sub-agents' transcripts stand one level deeper, in `subagents`, and are nobody's run.
      glob: "**/projects/*/*.jsonl",
      taskMarker: '<scheduled-task name="',
      startedAt: { pointer: "/timestamp", unit: "iso" },
    },
  ],
  residue: ["**/claude-code-sessions/*/*/scheduled-tasks.json.*", "**/claude-code-sessions/*/*/*.tmp"],
  zone: "machine",
  catchUp: { policy: "latest-once", lookBackMs: 7 * DAY_MS },
  // Documented as a few minutes; 270 and 284 seconds were seen.
  jitter: { shareOfPeriod: 1, atMostMs: 10 * MINUTE_MS },
  concurrentAtOnce: 3,
  places: {
    linux: ["~/.config/Claude/claude-code-sessions", "~/.config/Claude/local-agent-mode-sessions", ...claudeHome()],
    darwin: [
      "~/Library/Application Support/Claude/claude-code-sessions",
      "~/Library/Application Support/Claude/local-agent-mode-sessions",
      ...claudeHome(),
    ],
    win32: [
      "~/AppData/Roaming/Claude/claude-code-sessions",
      "~/AppData/Roaming/Claude/local-agent-mode-sessions",
      "~/AppData/Local/Packages/Claude_*/LocalCache/Roaming/Claude/claude-code-sessions",
      "~/AppData/Local/Packages/Claude_*/LocalCache/Roaming/Claude/local-agent-mode-sessions",
      ...claudeHome(),
    ],
  },
};

/** Without `CLAUDE_CONFIG_DIR`, which whoever knows the environment puts in place of `~/.claude`. */
function claudeHome(): readonly string[] {
  return ["~/.claude/scheduled-tasks", "~/.claude/projects"];
}
