import { expect, it } from "vitest";
import * as fixtures from "../presets/fixtures/index.ts";
import { PRESETS } from "../presets/index.ts";
import { memoryTree } from "../trees/index.ts";
import { observe } from "./observe.ts";
import { runsOf, type Trace } from "./traces.ts";

const AT = Date.parse("2026-09-02T06:00:30Z");

const trace = (path: string, { source = "json-file", atMs = AT, ...rest }: { source?: string; session?: string | undefined; atMs?: number; opening?: string } = {}): Trace => ({
  taskId: "daily",
  startedAtMs: atMs,
  trigger: "unknown",
  place: { path },
  source,
  session: "session" in rest ? rest.session : "s-1",
  opening: rest.opening,
});

it("counts a run once whose files somebody copied, together with its transcript and the copy of that", () => {
  const files = [trace("/a/local_s-1.json"), trace("/a-backup/local_s-1.json")];
  const transcripts = ["/p/s-1.jsonl", "/p-backup/s-1.jsonl"].map((path) => trace(path, { source: "transcript", atMs: AT + 1_500 }));
  expect(runsOf([...files, ...transcripts])).toHaveLength(1);
});

it("counts two runs of two sessions in one instant, of one session at two, and of files that name no session", () => {
  expect(runsOf([trace("/a/1.json"), trace("/a/2.json", { session: "s-2" })])).toHaveLength(2);
  expect(runsOf([trace("/a/1.json"), trace("/a/2.json", { atMs: AT + 1 })])).toHaveLength(2);
  expect(runsOf([trace("/a/1.json", { session: undefined }), trace("/a/2.json", { session: undefined })])).toHaveLength(2);
});

it("counts a transcript once that somebody copied under a new name, and two that began alike at two instants or otherwise at one", () => {
  const transcript = (path: string, session: string, opening: string, atMs = AT) => trace(path, { source: "transcript", session, opening, atMs });
  const first = transcript("/p/s-1.jsonl", "s-1", "a");
  expect(runsOf([first, transcript("/p/s-1 copy.jsonl", "s-1 copy", "a"), trace("/a/local_s-1.json")])).toHaveLength(1);
  expect(runsOf([first, transcript("/p/s-2.jsonl", "s-2", "a", AT + 1)])).toHaveLength(2);
  expect(runsOf([first, transcript("/p/s-2.jsonl", "s-2", "b")])).toHaveLength(2);
});

it("counts a line of a run log once that stands there twice, and two lines that differ in anything", async () => {
  const healthy = fixtures.openclawHealthy();
  const line = { ts: AT + 9_000, jobId: "brief", action: "finished", status: "ok", runAtMs: AT, durationMs: 9_000 };
  const runs = async (...lines: readonly object[]) => {
    const text = lines.map((one) => `${JSON.stringify(one)}\n`).join("");
    const { files, places } = fixtures.withFile(healthy, "/home/ada/.openclaw/cron/runs/brief.jsonl", text, "doubled");
    const { layouts } = await observe(memoryTree(files), { places, presets: PRESETS, nowMs: fixtures.FIXTURE_NOW_MS, machineZone: "UTC" });
    return layouts[0]?.artefacts?.runs.filter(({ taskId }) => taskId === "brief").length;
  };
  expect(await runs(line, line)).toBe(1);
  expect(await runs(line, { ...line, durationMs: 9_001 })).toBe(2);
});
