import { expect, it } from "vitest";
import { runsOf, type Trace } from "./traces.ts";

const AT = Date.parse("2026-09-02T06:00:30Z");

const trace = (path: string, { source = "json-file", atMs = AT, ...rest }: { source?: string; session?: string | undefined; atMs?: number } = {}): Trace => ({
  taskId: "daily",
  startedAtMs: atMs,
  trigger: "unknown",
  place: { path },
  source,
  session: "session" in rest ? rest.session : "s-1",
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
