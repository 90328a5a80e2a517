import { expect, it } from "vitest";
import * as fixtures from "../presets/fixtures/index.ts";
import { FIXTURE_NOW_MS, json, writtenAt } from "../presets/fixtures/index.ts";
import { edited, look } from "./look.fixture.ts";

const openclaw = fixtures.openclawHealthy();
const BRIEF = "/home/ada/.openclaw/cron/runs/brief.jsonl";
const desktop = fixtures.claudeDesktopHealthy();
const STORE = "/home/ada/.config/Claude/claude-code-sessions/account-1/workspace-1";

const said = async (fixture: Parameters<typeof look>[0]) => {
  const { report } = await look(fixture);
  return report.findings.filter(({ guard }) => guard === "receipts/damaged").map(({ what, counts }) => ({ what, counts }));
};

it("counts lines among lines, and says of a torn one that it cannot be read", async () => {
  const files = edited(openclaw.files, BRIEF, (text) => `{"ts": 1\n${text}`);
  expect(await said({ ...openclaw, files })).toEqual([
    {
      what: `1 of 3 lines cannot be read, up to 1 good ones after them: ${BRIEF}:1 TRUNCATED`,
      counts: { files: 2, lines: 3, unreadable: 1, otherwise: 0, goodAfter: 1 },
    },
  ]);
});

it("counts session files among files, one file once, and does not say that a renamed field cannot be read", async () => {
  const torn = writtenAt(FIXTURE_NOW_MS, '{"sessionId": "a", ');
  const renamed = writtenAt(FIXTURE_NOW_MS, json({ sessionId: "local_r", taskRef: "triage", bornAt: 1_788_300_000_000 }));
  const files = { ...desktop.files, [`${STORE}/local_a.json`]: torn, [`${STORE}/local_r.json`]: renamed };
  const [finding, ...others] = await said({ ...desktop, files });
  expect(others).toEqual([]);
  expect(finding?.what).toMatch(
    /^1 of 7 files cannot be read, up to 0 good ones after them: \S+local_a\.json:1:20 \S+; 1 of 7 files can be read and is not as expected: \S+local_r\.json:3:\d+ {2}\/taskRef TASK_ID_RENAMED$/,
  );
  expect(finding?.counts).toMatchObject({ files: 7, unreadable: 1, otherwise: 1 });
});

it("counts all damaged lines of a file, also those that are not listed, and judges no slot that one of them may stand for", async () => {
  const bad = Array.from({ length: 150 }, (_, index) => `{"ts": ${index}`).join("\n");
  // The good line comes first: what is torn behind it may be last night's run.
  const old = JSON.stringify({ ts: 1_787_724_009_000, jobId: "brief", action: "finished", status: "ok", runAtMs: 1_787_724_000_000 });
  const files = { ...openclaw.files, [BRIEF]: writtenAt(FIXTURE_NOW_MS, `${bad}\n${old}\n${bad}\n`) };
  const { report } = await look({ ...openclaw, files });
  const [finding] = report.findings.filter(({ guard }) => guard === "receipts/damaged");
  expect(finding?.counts).toMatchObject({ lines: 302, unreadable: 300 });
  expect(report.rows.find(({ subject }) => subject === "brief")).toMatchObject({ verdict: "NOT RUN", due: 1, unjudged: 1 });
});
