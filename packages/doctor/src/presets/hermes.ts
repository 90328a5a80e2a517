/**
 * Hermes agent: jobs in a JSON file of each profile, one output file a run. Its ticker writes when it last looped and when it
 * last succeeded: the first without the second is a loop that does nothing. Leaves out its lock files, which stay when nobody
 * holds them, and `executions.db`.
 */
import type { Preset } from "../preset.ts";
import { HOUR_MS, MINUTE_MS } from "./durations.ts";

const HOMES = ["~/.hermes"];
/** The ticker loops once a minute; five loops may be slow. */
const TICKER_STALE_MS = 5 * MINUTE_MS;

export const hermes: Preset = {
  id: "hermes",
  title: "Hermes agent, cron jobs",
  confidence: "source",
  seen: ["NousResearch/hermes-agent, cron package, read in 2026-09; a bare list and a map by id were met in reports"],
  registries: [
    { glob: "**/.hermes/cron/jobs.json", records: ["/jobs", ""], topLevel: { jobs: "any", updated_at: "text" }, store: "profile" },
    { glob: "**/.hermes/profiles/*/cron/jobs.json", records: ["/jobs", ""], topLevel: { jobs: "any", updated_at: "text" }, store: "profile" },
  ],
  fields: {
    id: ["/id"],
    enabled: { pointer: "/enabled", whenAbsent: true },
    state: { pointer: "/state", off: ["paused", "completed"] },
    schedules: [
      { kind: "cron", pointer: "/schedule/expr" },
      { kind: "once", pointer: "/schedule/run_at", unit: "iso" },
      // Counts from the last run, not from a fixed lattice.
      { kind: "every", pointer: "/schedule/minutes", unit: "minutes", anchor: { pointer: "/last_run_at", unit: "iso" } },
    ],
    scheduleKind: { pointer: "/schedule/kind", words: { cron: "cron", once: "once", interval: "every" } },
    lastRun: { pointer: "/last_run_at", unit: "iso" },
    created: { pointer: "/created_at", unit: "iso" },
    prompt: ["/prompt"],
    promptInstead: ["/script", "/skill", "/skills"],
    name: "/name",
    repeat: { times: "/repeat/times", completed: "/repeat/completed" },
    cwd: "/workdir",
    always: ["/enabled", "/created_at", "/schedule/kind"],
    known: {
      "/id": "text",
      "/name": "text",
      "/prompt": "text",
      "/skills": "list",
      "/skill": "text",
      "/model": "text",
      "/provider": "text",
      "/base_url": "text",
      "/script": "text",
      "/no_agent": "boolean",
      "/context_from": "any",
      "/schedule/kind": "text",
      "/schedule/run_at": "text",
      "/schedule/minutes": "number",
      "/schedule/expr": "text",
      "/schedule/display": "text",
      "/schedule_display": "text",
      "/repeat/times": "number",
      "/repeat/completed": "number",
      "/enabled": "boolean",
      "/state": "text",
      "/paused_at": "text",
      "/paused_reason": "text",
      "/created_at": "text",
      "/next_run_at": "text",
      "/last_run_at": "text",
      "/last_status": "text",
      "/last_error": "text",
      "/last_delivery_error": "text",
      "/failure_streak": "number",
      "/deliver": "any",
      "/origin": "any",
      "/enabled_toolsets": "list",
      "/workdir": "text",
      "/fire_claim": "object",
      "/run_claim": "object",
    },
  },
  artefacts: [{ kind: "output-file", glob: "**/cron/output/*/*.md", taskId: "path", startedAt: "file-birth" }],
  markers: [
    { kind: "heartbeat", glob: "**/cron/ticker_heartbeat", at: "text-epoch-s", staleAfterMs: TICKER_STALE_MS },
    { kind: "last-success", glob: "**/cron/ticker_last_success", at: "text-epoch-s", staleAfterMs: TICKER_STALE_MS },
  ],
  residue: ["**/.hermes/**/cron/jobs.json.*", "**/.hermes/**/cron/*.tmp"],
  zone: "machine",
  catchUp: { policy: "latest-once", lookBackMs: 2 * HOUR_MS },
  // The output is written when a run ends; its file is born that much later than the slot.
  jitter: { shareOfPeriod: 0.5, atMostMs: HOUR_MS },
  places: { linux: HOMES, darwin: HOMES, win32: HOMES },
};
