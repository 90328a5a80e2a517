import { describe, expect, it } from "vitest";
import * as fixtures from "../presets/fixtures/index.ts";
import { FIXTURE_NOW_MS, iso, writtenAt } from "../presets/fixtures/index.ts";
import { look } from "./look.fixture.ts";

const { places, registry } = fixtures.openclawHealthy();
const RUNS = "/home/ada/.openclaw/cron/runs";

/** An empty registry beside run logs, each of which is a list of starts. */
function emptyBeside(logs: Readonly<Record<string, readonly string[]>>) {
  const texts = Object.entries(logs).map(([jobId, starts]) => {
    const lines = starts.map((start) => JSON.stringify({ ts: iso(start) + 9_000, jobId, action: "finished", status: "ok", runAtMs: iso(start) }));
    return [`${RUNS}/${jobId}.jsonl`, writtenAt(FIXTURE_NOW_MS, `${lines.join("\n")}\n`)];
  });
  return { places, files: { [registry]: writtenAt(FIXTURE_NOW_MS, '{"version":1,"jobs":[]}'), ...Object.fromEntries(texts) } };
}

describe("an empty registry beside run logs", () => {
  it("has lost a task that ran night after night until last night", async () => {
    const { report, exit, alarms } = await look(emptyBeside({ brief: ["2026-08-31T06:00:00Z", "2026-09-01T06:00:00Z", "2026-09-02T06:00:00Z"], shot: ["2026-09-01T09:00:00Z"] }));
    expect({ exit, alarms }).toEqual({ exit: 1, alarms: ["registry/wiped"] });
    expect(report.findings[0]).toMatchObject({ what: "0 entries beside 1 unknown tasks that ran more than once, and lately", confidence: "inferred" });
  });

  it.each<readonly [string, Readonly<Record<string, readonly string[]>>]>([
    ["the only one-shot is done", { shot: ["2026-09-01T09:00:00Z"] }],
    ["a one-shot was tried again until it worked", { shot: ["2026-09-01T09:00:00Z", "2026-09-01T09:01:00Z", "2026-09-01T09:06:00Z"] }],
    ["a nightly task ended long ago", { brief: ["2026-05-01T06:00:00Z", "2026-05-02T06:00:00Z", "2026-05-03T06:00:00Z"] }],
  ])("may be right when %s, and a note says so", async (_what, logs) => {
    const { report, exit, alarms } = await look(emptyBeside(logs));
    // Not clean: with no task left there is nothing to judge.
    expect({ exit, alarms }).toEqual({ exit: 3, alarms: [] });
    expect(report.notes).toContain(
      "the registry of openclaw-json is empty, and 1 task that is not in it left traces of runs: one-shots that are done and removed look so, and so does a registry that lost its entries",
    );
  });

  it("counts the pauses of a monthly task before it calls it over", async () => {
    expect((await look(emptyBeside({ rent: ["2026-06-01T06:00:00Z", "2026-07-01T06:00:00Z", "2026-08-01T06:00:00Z"] }))).alarms).toEqual(["registry/wiped"]);
  });
});
