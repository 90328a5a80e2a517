/** Words of a product that nobody here knows: what they would prove is not judged, and never taken for its contrary. */
import { describe, expect, it } from "vitest";
import { type Fixture, hermesHealthy, openclawHealthy } from "../presets/fixtures/index.ts";
import { edited, look, rowText } from "./look.fixture.ts";

const NOON_MS = Date.parse("2026-09-02T12:00:00Z");
const LOG = "/home/ada/.openclaw/cron/runs/brief.jsonl";
const openclaw = openclawHealthy();
const changed = (fixture: Fixture, path: string, from: string, to: string): Fixture => ({ ...fixture, files: edited(fixture.files, path, (text) => text.replace(from, to)) });
const briefOf = async (fixture: Fixture, only: readonly string[] = []) => {
  const { report, alarms, exit } = await look(fixture, { nowMs: NOON_MS, only });
  const row = report.rows.find(({ subject }) => subject === fixture.tasks[0]);
  return { alarms, exit, row: row && [rowText(row), row.because] };
};

describe("a line of a run log", () => {
  it.each([
    ["/status", '"status":"ok"', '"status":"done"', "done"],
    ["/action", '"action":"finished"', '"action":"success"', "success"],
  ])("whose %s is a word that is not known leaves its slot without a verdict", async (pointer, from, to, word) => {
    expect(await briefOf(changed(openclaw, LOG, from, to))).toEqual({
      alarms: [],
      exit: 3,
      row: ["NOT RUN brief 1 1 -", `1 of 1 slots: words not known: text "${word}" at ${LOG}:1  ${pointer}`],
    });
  });

  it("proves nothing of other slots: one without any line is missed as ever", async () => {
    const old = changed(openclaw, LOG, '"status":"ok"', '"status":"done"');
    const { report, alarms } = await look(old, { nowMs: NOON_MS + 86_400_000 });
    expect(alarms).toEqual(["slot/missed"]);
    expect(report.findings.filter(({ tasks }) => tasks.includes("brief")).map(({ guard }) => guard)).toEqual(["slot/missed"]);
  });

  it("that was skipped is no run, as the product says, and a word that could be private is not printed", async () => {
    expect((await briefOf(changed(openclaw, LOG, '"status":"ok"', '"status":"skipped"'))).alarms).toEqual(["slot/ghost-success"]);
    const { row } = await briefOf(changed(openclaw, LOG, '"status":"ok"', '"status":"the token is abc"'));
    expect(row?.[1]).toBe(`1 of 1 slots: words not known: text of 16 characters at ${LOG}:1  /status`);
  });
});

describe("a kind of schedule", () => {
  it.each([
    ["openclaw-json", openclaw, '"kind": "cron"', "cron, at or every", "brief"],
    ["hermes", hermesHealthy(), '"kind": "cron"', "cron, once or interval", "0a1b2c3d4e5f"],
  ] as const)("of %s that is not known is never read as another", async (_preset, fixture, from, wanted, task) => {
    const odd = changed(fixture, fixture.registry, from, '"kind": "rrule"');
    const { report, exit, alarms } = await look(odd);
    expect({ exit, alarms }).toEqual({ exit: 3, alarms: [] });
    expect(report.rows.find(({ subject }) => subject === task)).toMatchObject({
      verdict: "NOT RUN",
      due: undefined,
      reason: "unsupported",
      because: "its slots are not known: whether and when it is due could not be read (SCHEDULE_KIND_UNKNOWN)",
    });
    const [finding] = report.findings.filter(({ guard }) => guard === "registry/entry-invalid");
    expect(finding).toMatchObject({ severity: "warning", tasks: [task], where: { pointer: expect.stringMatching(/\/0\/schedule\/kind$/) } });
    expect(finding?.what).toContain(`${task} (kind is text "rrule" at line ${finding?.where?.line}, wanted ${wanted})`);
  });

  it("beside the fields of another is an entry that nobody can read", async () => {
    const odd = changed(openclaw, openclaw.registry, '"kind": "cron"', '"kind": "every"');
    const { report, alarms } = await look(odd, { nowMs: NOON_MS });
    expect(alarms).toEqual(["registry/entry-invalid"]);
    expect(report.findings[0]?.what).toContain('brief (kind is text "every" at line 12, wanted cron, for which its fields are)');
  });
});
