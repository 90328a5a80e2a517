/**
 * Tasks that the Claude command line keeps in a project. They fire only while a session is open there, and leave no trace
 * that names them: the layout has claims and no artefacts. Leaves out that a recurring task ends seven days after its birth.
 */
import type { Preset } from "../preset.ts";
import { DAY_MS, MINUTE_MS } from "./durations.ts";

export const claudeProject: Preset = {
  id: "claude-project",
  title: "Claude Code, tasks of a project",
  confidence: "several-reports",
  seen: ["anthropics/claude-code #93559 (2026-09); lock: #91943; jitter and expiry: vendor's documentation, not re-read"],
  registries: [{ glob: "**/.claude/scheduled_tasks.json", records: ["/tasks"], topLevel: ["tasks"] }],
  fields: {
    id: ["/id"],
    enabled: { pointer: "/enabled", whenAbsent: true },
    schedules: [{ kind: "cron", pointer: "/cron", recurring: "/recurring" }],
    lastRun: { pointer: "/lastFiredAt", unit: "epoch-ms" },
    created: { pointer: "/createdAt", unit: "epoch-ms" },
    prompt: ["/prompt"],
    always: ["/prompt", "/createdAt"],
    known: {
      "/id": "text",
      "/cron": "text",
      "/prompt": "text",
      "/createdAt": "number",
      "/lastFiredAt": "number",
      "/recurring": "boolean",
      "/enabled": "boolean",
      "/durable": "boolean",
    },
  },
  artefacts: [],
  // A session may hold its lock for days; nothing that it does lasts longer than its tasks.
  markers: [{ kind: "lock", glob: "**/.claude/scheduled_tasks.lock", at: "file-time", staleAfterMs: 7 * DAY_MS }],
  residue: ["**/.claude/scheduled_tasks.json.*"],
  zone: "machine",
  catchUp: { policy: "latest-once", lookBackMs: 7 * DAY_MS },
  jitter: { shareOfPeriod: 0.1, atMostMs: 15 * MINUTE_MS },
  places: { linux: [], darwin: [], win32: [] },
};
