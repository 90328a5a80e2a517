/**
 * OpenClaw's first generation: jobs in a JSON file (through 2026.5), run state in it or beside it, one run log a job. The run
 * log has only finished runs: one that was cut off leaves nothing. Leaves out the second generation, which is in SQLite.
 */
import type { Preset } from "../preset.ts";
import { DAY_MS, MINUTE_MS } from "./durations.ts";

/** The names of older homes come from one report each. */
const HOMES = ["~/.openclaw/cron", "~/.clawdbot/cron", "~/.moltbot/cron"];

export const openclawJson: Preset = {
  id: "openclaw-json",
  title: "OpenClaw, jobs.json (through 2026.5)",
  confidence: "source",
  seen: [
    "openclaw/openclaw, cron store and run log as of 2026.5, read in 2026-09",
    "broken forms: openclaw/openclaw #28861, #18445",
    "jobs-state.json: documentation of 2026.5; its inner shape from one report",
  ],
  registries: [
    {
      glob: "**/.openclaw/cron/jobs.json",
      records: ["/jobs"],
      topLevel: { version: "number", jobs: "list" },
      version: { pointer: "/version", known: [1] },
      sideState: { file: "jobs-state.json", records: "/jobs", from: ["/state", ""], into: "/state" },
    },
  ],
  fields: {
    id: ["/id"],
    enabled: { pointer: "/enabled", whenAbsent: true },
    schedules: [
      { kind: "cron", pointer: "/schedule/expr", zonePointer: "/schedule/tz" },
      { kind: "once", pointer: "/schedule/at", unit: "iso" },
      { kind: "every", pointer: "/schedule/everyMs", unit: "ms", anchor: { pointer: "/schedule/anchorMs", unit: "epoch-ms" } },
    ],
    scheduleKind: { pointer: "/schedule/kind", words: { cron: "cron", at: "once", every: "every" } },
    lastRun: { pointer: "/state/lastRunAtMs", unit: "epoch-ms" },
    running: { pointer: "/state/runningAtMs", unit: "epoch-ms" },
    created: { pointer: "/createdAtMs", unit: "epoch-ms" },
    prompt: ["/payload/message", "/payload/text"],
    name: "/name",
    always: ["/enabled", "/createdAtMs", "/schedule/kind", "/payload", "/wakeMode", "/sessionTarget"],
    known: {
      "/id": "text",
      "/name": "text",
      "/description": "text",
      "/agentId": "text",
      "/sessionKey": "text",
      "/enabled": "boolean",
      "/deleteAfterRun": "boolean",
      "/createdAtMs": "number",
      "/updatedAtMs": "number",
      "/schedule/kind": "text",
      "/schedule/at": "text",
      "/schedule/everyMs": "number",
      "/schedule/anchorMs": "number",
      "/schedule/expr": "text",
      "/schedule/tz": "text",
      "/schedule/staggerMs": "number",
      "/sessionTarget": "text",
      "/wakeMode": "text",
      "/payload": "object",
      "/payload/kind": "text",
      "/payload/message": "text",
      "/payload/text": "text",
      "/delivery": "object",
      "/failureAlert": "any",
      "/state/nextRunAtMs": "number",
      "/state/runningAtMs": "number",
      "/state/lastRunAtMs": "number",
      "/state/lastRunStatus": "text",
      "/state/lastStatus": "text",
      "/state/lastError": "text",
      "/state/lastDurationMs": "number",
      "/state/consecutiveErrors": "number",
      "/state/scheduleErrorCount": "number",
      "/state/lastDeliveryStatus": "text",
      "/state/lastDelivered": "boolean",
    },
  },
  artefacts: [
    {
      kind: "json-line",
      glob: "**/cron/runs/*.jsonl",
      taskId: "/jobId",
      startedAt: [
        { pointer: "/runAtMs", unit: "epoch-ms" },
        { pointer: "/ts", unit: "epoch-ms" },
      ],
      only: { pointer: "/action", values: ["finished"] },
      status: { pointer: "/status", ran: ["ok", "error"], didNot: ["skipped"] },
    },
  ],
  residue: ["**/cron/jobs.json.*", "**/cron/*.tmp"],
  zone: "machine",
  catchUp: { policy: "latest-once", lookBackMs: DAY_MS },
  jitter: { shareOfPeriod: 1, atMostMs: 5 * MINUTE_MS },
  places: { linux: HOMES, darwin: HOMES, win32: HOMES },
};
