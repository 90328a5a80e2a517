/** Qwen Code: a bare list of tasks in one file; each task carries a ring of its last twenty runs. */
import type { Preset } from "../preset.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "./durations.ts";

const HOMES = ["~/.qwen/tmp"];

export const qwenCode: Preset = {
  id: "qwen-code",
  title: "Qwen Code, scheduled tasks",
  confidence: "source",
  seen: ["QwenLM/qwen-code, scheduled task store, read in 2026-09; QwenLM/qwen-code #5308"],
  registries: [
    { glob: "**/.qwen/tmp/*/scheduled_tasks.json", records: [""] },
    { glob: "**/.qwen/scheduled_tasks.json", records: [""] },
  ],
  fields: {
    id: ["/id"],
    enabled: { pointer: "/enabled", whenAbsent: true },
    schedules: [{ kind: "cron", pointer: "/cron", recurring: "/recurring" }],
    lastRun: { pointer: "/lastFiredAt", unit: "epoch-ms" },
    created: { pointer: "/createdAt", unit: "epoch-ms" },
    prompt: ["/prompt"],
    name: "/name",
    always: ["/prompt", "/createdAt", "/recurring"],
    known: {
      "/id": "text",
      "/cron": "text",
      "/prompt": "text",
      "/recurring": "boolean",
      "/createdAt": "number",
      "/lastFiredAt": "number",
      "/name": "text",
      "/enabled": "boolean",
      "/disabledByArchive": "boolean",
      "/sessionId": "text",
      "/sessionOwnedByTask": "boolean",
      "/sessionMode": "text",
      "/modelServiceId": "text",
      "/groupId": "text",
      "/delivery": "any",
      "/runs": "list",
      "/condition": "any",
    },
  },
  artefacts: [
    {
      kind: "in-record",
      pointer: "/runs",
      at: { pointer: "/at", unit: "epoch-ms" },
      trigger: "/kind",
      unless: ["/withheld", "/sessionDispatchFailed"],
      keeps: 20,
    },
  ],
  // The product itself calls its write lock stale after two seconds, and waits three.
  markers: [{ kind: "lock", glob: "**/scheduled_tasks.json.lock", at: "file-time", staleAfterMs: 5 * SECOND_MS }],
  residue: ["**/scheduled_tasks.json.*.tmp", "**/scheduled_tasks.json.tmp*"],
  zone: "machine",
  catchUp: { policy: "latest-once", lookBackMs: 7 * DAY_MS },
  jitter: { shareOfPeriod: 0.1, atMostMs: 15 * MINUTE_MS },
  places: { linux: HOMES, darwin: HOMES, win32: HOMES },
};
