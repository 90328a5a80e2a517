import { describe, expect, it } from "vitest";
import * as fixtures from "../presets/fixtures/index.ts";
import { iso, json, type Fixture, type FixtureFiles } from "../presets/fixtures/index.ts";
import type { FixtureEntry } from "../trees/index.ts";
import { edited, look, rowText, sumProblems } from "./look.fixture.ts";

const desktop = fixtures.claudeDesktopHealthy();
const STORE = "/home/ada/.config/Claude/claude-code-sessions/account-1/workspace-1";
const PROJECTS = "/home/ada/.claude/projects";
const REFUSES: FixtureEntry = { refuses: "EACCES", kind: "directory" };
const CLOSED: FixtureEntry = { refuses: "EACCES", kind: "file" };

/** Nightly ran and left both of its traces in what will be shut; another run of it, a week before, is open to see. */
function runsBehind(path: string, entry: FixtureEntry): Fixture {
  const rest = Object.entries(desktop.files).filter(([file]) => !file.includes("5e55-0000") && !file.startsWith(`${path}/`));
  const before = fixtures.sessionFiles("nightly-digest", iso("2026-08-26T02:15:40Z"), "before");
  const open = Object.fromEntries(Object.entries(before).filter(([file]) => file.startsWith(STORE)));
  return { ...desktop, files: { ...(Object.fromEntries(rest) as FixtureFiles), ...open, [path]: entry } };
}

describe("a folder of traces that nobody could list leaves no slot judged whose trace may be in it", () => {
  it.each([
    ["all transcripts", PROJECTS],
    ["the transcripts of one project", `${PROJECTS}/-home-ada-other`],
  ])("%s", async (_what, path) => {
    const { report, exit, alarms } = await look(runsBehind(path, REFUSES));
    expect({ exit, alarms, sums: sumProblems(report) }).toEqual({ exit: 3, alarms: [], sums: [] });
    const nightly = report.rows.find(({ subject }) => subject === "nightly-digest");
    expect(nightly && rowText(nightly)).toBe("NOT RUN nightly-digest 1 1 -");
    expect(nightly?.reason).toBe("missing-input");
    expect(nightly?.because).toBe(`1 of 1 slots: a record of runs could not be read, and the missing run may be there: ${path} may not be read by this user (EACCES)`);
  });

  it("says so too where no trace of any age is left beside it", async () => {
    const bare = Object.fromEntries(Object.entries(desktop.files).filter(([file]) => !/local_|projects\//.test(file)));
    const { report, exit } = await look({ ...desktop, files: { ...bare, [PROJECTS]: REFUSES } });
    expect(exit).toBe(3);
    const nightly = report.rows.find(({ subject }) => subject === "nightly-digest");
    expect(nightly?.because).toContain(`${PROJECTS} may not be read by this user (EACCES)`);
  });

  it("and of a folder of sessions, of run logs or of outputs the same", async () => {
    const openclaw = fixtures.openclawHealthy();
    const runs = "/home/ada/.openclaw/cron/runs";
    const files = Object.fromEntries(Object.entries(openclaw.files).filter(([file]) => !file.startsWith(runs)));
    expect(await look({ ...openclaw, files: { ...files, [runs]: REFUSES } })).toMatchObject({ exit: 3, alarms: [] });
    const hermes = fixtures.hermesHealthy();
    const output = "/home/ada/.hermes/cron/output/0a1b2c3d4e5f";
    const left = Object.fromEntries(Object.entries(hermes.files).filter(([file]) => !file.startsWith(output)));
    expect(await look({ ...hermes, files: { ...left, [output]: REFUSES } })).toMatchObject({ exit: 3, alarms: [] });
  });

  it("but a folder in which no trace of the layout belongs hides none", async () => {
    const files = { ...runsBehind("/home/ada/elsewhere", REFUSES).files };
    const { report, exit, alarms } = await look({ ...desktop, files, places: ["/home/ada"] });
    expect({ exit, alarms }).toEqual({ exit: 1, alarms: ["slot/ghost-success"] });
    expect(report.findings[0]?.confidence).toBe("inferred");
  });
});

describe("one session file among several that nobody could read", () => {
  const path = `${STORE}/local_shut.json`;

  it("may hold the run that is missing, so that its slot is neither missed nor a ghost", async () => {
    const { report, exit, alarms } = await look(runsBehind(path, CLOSED));
    expect({ exit, alarms }).toEqual({ exit: 3, alarms: [] });
    expect(report.rows.map(rowText)).toContain("NOT RUN nightly-digest 1 1 -");
  });

  it("may hold one run too many, so that a night in which all was seen is not clean either", async () => {
    const { report, exit, alarms } = await look({ ...desktop, files: { ...desktop.files, [path]: CLOSED } });
    expect({ exit, alarms }).toEqual({ exit: 3, alarms: [] });
    const because = `${path} may not be read by this user (EACCES)`;
    expect(report.rows.filter(({ verdict }) => verdict === "NOT RUN")).toMatchObject([{ kind: "layout", reason: "missing-input", because }]);
  });

  it("is named although its layout fails for another reason", async () => {
    const files = edited(desktop.files, desktop.registry, (text) => text.replace('"recordedSkips"', '"moreTasks": [{ "id": "lost" }], "recordedSkips"'));
    const { report, exit } = await look({ ...desktop, files: { ...files, [path]: CLOSED } });
    expect(exit).toBe(1);
    expect(JSON.stringify([report.rows, report.notes])).toContain(path);
  });
});

describe("a one-shot whose trace may be among what could not be read is not called stuck", () => {
  const shot = { id: "invoice-check", fireAt: iso("2026-08-31T07:30:00Z"), enabled: true, createdAt: iso("2026-08-01T00:00:00Z") };
  const overdue = edited(desktop.files, desktop.registry, (text) => {
    const registry = JSON.parse(text) as { scheduledTasks: { id: string }[] };
    return json({ ...registry, scheduledTasks: registry.scheduledTasks.map((task) => (task.id === shot.id ? shot : task)) });
  });
  const fixture = { ...desktop, files: overdue };

  it("when everything was read it is", async () => {
    expect(await look(fixture)).toMatchObject({ exit: 1, alarms: ["schedule/one-shot-stuck"] });
  });

  it.each<readonly [string, string, FixtureEntry]>([
    ["a session file that refuses", `${STORE}/local_shut.json`, CLOSED],
    ["a folder that refuses", `${PROJECTS}/-shut`, REFUSES],
    ["a session file cut in half", `${STORE}/local_torn.json`, '{"sessionId": "torn", "sch'],
  ])("%s", async (_what, path, entry) => {
    const { report, exit, alarms } = await look({ ...fixture, files: { ...overdue, [path]: entry } });
    expect({ exit, alarms }).toEqual({ exit: 3, alarms: [] });
    const row = report.rows.find(({ subject }) => subject === shot.id);
    expect([row?.verdict, row?.reason]).toEqual(["NOT RUN", "missing-input"]);
    expect(row?.because).toMatch(/^it passed at 2026-08-31T07:30:00\.000Z: a record of runs could not be read, and the missing run may be there: /);
  });

  it("a run log of another task hides nothing of it", async () => {
    const openclaw = fixtures.openclawHealthy();
    const files = edited(openclaw.files, openclaw.registry, (text) => text.replace("2026-09-05T09:00:00Z", "2026-08-31T09:00:00Z"));
    const torn = { ...files, "/home/ada/.openclaw/cron/runs/poll.jsonl": `{"ts": 17\n` };
    expect((await look({ ...openclaw, files: torn })).alarms).toContain("schedule/one-shot-stuck");
  });
});
