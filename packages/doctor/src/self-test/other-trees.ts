/** What the desktop app does not have: versions, zones of a task, locks, running markers, heartbeats, run logs. */
import { FIXTURE_NOW_MS, iso, json, registryText, withFile, withRegistry, writtenAt, type Fixture } from "../presets/fixtures/fixture.ts";
import { hermesHealthy, openclawHealthy, qwenHealthy } from "../presets/fixtures/other-layouts.fixture.ts";
import { damaged } from "./damaged.ts";
import type { GuardTrees } from "./planted.ts";

const HOUR_MS = 3_600_000;

interface Job {
  schedule: Record<string, unknown>;
  state: Record<string, unknown>;
  runs: Record<string, unknown>[];
}

export function otherTrees(): GuardTrees[] {
  return [...openclawTrees(), ...hermesTrees(), ...qwenTrees()];
}

function openclawTrees(): GuardTrees[] {
  const healthy = openclawHealthy();
  const cron = healthy.places[0] as string;
  const registry = (change: (file: { version: number; jobs: [Job, ...Job[]] }) => void) => changed(healthy, change);
  const tree = (guard: string, what: string, bad: Fixture) => damaged(guard, what, bad, healthy);
  const torn = `{"ts":1788332400000,"jobId":"poll","action":"fini\n`;
  return [
    tree("registry/unsupported-version", "version 2", registry((file) => void (file.version = 2))),
    tree("schedule/impossible", "a zone that does not exist", registry(({ jobs }) => void (jobs[0].schedule["tz"] = "Europe/Nowhere"))),
    tree("schedule/dst-hazard", "half past two in Berlin", registry(({ jobs }) => void Object.assign(jobs[0].schedule, { expr: "30 2 * * *", tz: "Europe/Berlin" }))),
    tree("running/stale-marker", "a run that began yesterday", registry(({ jobs }) => void (jobs[0].state["runningAtMs"] = iso("2026-09-01T06:00:00Z")))),
    tree("residue/leftovers", "half a registry of a writer that died", withFile(healthy, `${cron}/jobs.json.4711.tmp`, "{", "")),
    tree("receipts/damaged", "a torn line in a run log", withFile(healthy, `${cron}/runs/poll.jsonl`, writtenAt(FIXTURE_NOW_MS, torn), "")),
  ];
}

function hermesTrees(): GuardTrees[] {
  const healthy = hermesHealthy();
  const stale = String(iso("2026-09-01T20:00:00Z") / 1_000);
  const bad = withFile(healthy, "/home/ada/.hermes/cron/ticker_last_success", stale, "");
  return [damaged("heartbeat/loops-without-success", "a loop that last succeeded yesterday", bad, healthy)];
}

function qwenTrees(): GuardTrees[] {
  const healthy = qwenHealthy();
  const locked = (atMs: number) => withFile(healthy, `${healthy.registry}.lock`, writtenAt(atMs, ""), "");
  const odd = { at: iso("2026-09-02T03:00:00Z"), kind: "scheduled", sessionId: "s3" };
  return [
    damaged("lock/stale", "a lock of an hour ago", locked(FIXTURE_NOW_MS - HOUR_MS), healthy),
    damaged("lock/future-dated", "a lock of tomorrow", locked(FIXTURE_NOW_MS + 24 * HOUR_MS), healthy),
    damaged("slot/wrong-slot", "a scheduled run at three of a task for five", changed(healthy, (jobs: [Job, ...Job[]]) => void jobs[0].runs.splice(1, 0, odd)), healthy),
  ];
}

function changed<Document>(fixture: Fixture, change: (document: Document) => void): Fixture {
  const document = JSON.parse(registryText(fixture)) as Document;
  change(document);
  return withRegistry(fixture, json(document), "");
}
