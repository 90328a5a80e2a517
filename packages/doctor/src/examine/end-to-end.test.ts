import { describe, expect, it } from "vitest";
import * as fixtures from "../presets/fixtures/index.ts";
import { FIXTURE_NOW_MS, iso, json, sessionFiles, writtenAt, type Fixture } from "../presets/fixtures/index.ts";
import { writeHuman } from "../report/human.ts";
import { edited, look, rowText, sumProblems } from "./look.fixture.ts";

const NO_HOMES = { homes: [] };

describe("healthy installations", () => {
  // Tasks with due, claimed, seen of the last 24 hours. One that is off, or due later, has no slots; - is nobody's trace.
  const rows: Readonly<Record<string, readonly string[]>> = {
    "claude-desktop, healthy": ["invoice-check 0 0 0", "nightly-digest 1 1 1", "triage 1 1 1"],
    "claude-project, healthy": ["ab12cd34 1 1 -", "ef56ab78 1 1 -"],
    "hermes, healthy": ["0a1b2c3d4e5f 1 1 1", "5f4e3d2c1b0a 1 1 1", "aaaabbbbcccc 0 0 0"],
    "openclaw-json, healthy, state inside": ["brief 1 1 1", "once 0 0 0", "poll 1 1 1"],
    "openclaw-json, healthy, state split": ["brief 1 1 1", "once 0 0 0", "poll 1 1 1"],
    "qwen-code, healthy": ["k3j4h5g6 1 1 1", "q1w2e3r4 0 0 0"],
  };
  it.each(fixtures.healthyFixtures().map((fixture) => [fixture.title, fixture] as const))("%s: exit 0, all PASS, every count right", async (title, fixture) => {
    const { report, exit, alarms } = await look(fixture);
    expect({ exit, alarms }).toEqual({ exit: 0, alarms: [] });
    expect(report.rows.map(rowText)).toEqual([`PASS ${fixture.preset} - - -`, ...(rows[title] ?? []).map((row) => `PASS ${row}`)]);
    expect(sumProblems(report)).toEqual([]);
  });
});

describe("thirty-five entries, of which one at index 33 has its instant as text", () => {
  const damaged = fixtures.claudeDesktopTextFireAt();

  it("says what a whole-list loader drops, where, whose, and the value to write", async () => {
    const { report, exit, alarms } = await look(damaged);
    expect({ exit, alarms }).toEqual({ exit: 1, alarms: ["registry/entry-invalid"] });
    const [finding] = report.findings;
    expect(finding?.what).toBe(
      '1 of 35 entries invalid: routine-34 (fireAt is text "2026-09-03T07:30:00+01:00" at line 236, wanted a whole number of milliseconds since 1970, ' +
        "from 2001 to 2100); a whole-list loader drops 35 of 35",
    );
    expect(finding?.where).toMatchObject({ line: 236, column: 17, pointer: "/scheduledTasks/33/fireAt" });
    expect(finding?.tasks).toEqual(["routine-34"]);
    expect(finding?.fix.step).toBe('Replace text "2026-09-03T07:30:00+01:00" at line 236 by 1788417000000');
    expect(report.rows[0]).toMatchObject({ verdict: "FAIL", subject: "routine-34", because: "fireAt is text at line 236; a whole-list loader drops all 35" });
  });

  it("exits 0 before the instant when the value is written, and after it when every run left its trace", async () => {
    const files = edited(damaged.files, damaged.registry, (text) => text.replace('"2026-09-03T07:30:00+01:00"', "1788417000000"));
    const repaired = { ...damaged, files };
    expect(await look(repaired)).toMatchObject({ exit: 0, alarms: [] });
    // 06:30 and a minute for each of the others: all have passed.
    const afterMs = iso("2026-09-03T10:00:00Z");
    expect((await look(repaired, { nowMs: afterMs })).exit).toBe(1);
    const registry = JSON.parse(String((files[damaged.registry] as { content: string }).content)) as { scheduledTasks: { id: string; fireAt: number; lastRunAt?: string }[] };
    for (const task of registry.scheduledTasks) task.lastRunAt = new Date(task.fireAt + 9_000).toISOString();
    const ran = registry.scheduledTasks.map(({ id, fireAt }) => sessionFiles(id, fireAt + 9_000, `ran-${id}`));
    const lived = { ...damaged, files: Object.assign({}, files, { [damaged.registry]: writtenAt(afterMs, json(registry)) }, ...ran) as Fixture["files"] };
    const { report, exit, alarms } = await look(lived, { nowMs: afterMs });
    expect({ exit, alarms, due: report.totals.due, seen: report.totals.seen }).toEqual({ exit: 0, alarms: [], due: 35, seen: 35 });
  });
});

describe("four ways to find nothing are four answers, and none is that nothing is wrong", () => {
  const answer = async (files: Fixture["files"], places: readonly string[]) => {
    const { report, exit } = await look({ files, places });
    return { exit, planned: report.tally.planned, text: writeHuman(report, NO_HOMES) };
  };

  it("an empty folder", async () => {
    const { exit, planned, text } = await answer({ "/data/": "" }, ["/data"]);
    expect({ exit, planned }).toEqual({ exit: 3, planned: 0 });
    expect(text).toBe(
      [
        "casebook doctor   last 24 h · nothing recognised · read-only, nothing sent",
        "",
        "looked   /data: nothing, it is empty",
        "verdict  none: no layout of scheduled tasks was recognised here, so nothing was judged; name the folder that has yours",
        "planned 0, passed 0, failed 0, not run 0",
        "",
      ].join("\n"),
    );
  });

  it("files in which no list of tasks was found, counted, and those named that could not be read", async () => {
    const files = { "/data/tasks.sqlite": "SQLite format 3", "/data/notes/a.json": json({ a: 1 }), "/data/tasks.json": '{"tasks":[{"id":"a","cron":"0 3 * * *"', "/data/z.yaml": "a: [b" };
    const { exit, planned, text } = await answer(files, ["/data"]);
    expect({ exit, planned }).toEqual({ exit: 3, planned: 0 });
    expect(text).toContain(
      "looked   /data: nothing, 5 names, 3 JSON or YAML files looked into: 1 without a list of tasks, 2 that could not be read,\n" +
        "         such as: /data/tasks.json could not be read as JSON: the text ends ",
    );
    expect((await answer({ "/data/tasks.sqlite": "SQLite format 3" }, ["/data"])).text).toContain("looked   /data: nothing, 1 name, none a JSON or YAML file\n");
  });

  it("an unknown layout, with the command that would read it", async () => {
    const { exit, planned, text } = await answer({ "/data/my.json": json({ jobs: [{ id: "a", schedule: { expr: "0 3 * * *" } }] }) }, ["/data"]);
    expect({ exit, planned }).toEqual({ exit: 3, planned: 0 });
    expect(text).toContain("maybe    /data/my.json: 1 objects at /jobs with /id, /schedule/expr\n");
    expect(text).toContain("  try    casebook doctor /data/my.json --registry /data/my.json --records /jobs --id /id --schedule /schedule/expr\n");
    expect(text).toContain("verdict  none: what is there has a shape that is not known here; describe it as above, or nothing is judged\n");
  });

  it("a folder without permission is planned and not run", async () => {
    const { exit, planned, text } = await answer({ "/data/": { refuses: "EACCES", kind: "directory" } }, ["/data"]);
    expect({ exit, planned }).toEqual({ exit: 3, planned: 1 });
    expect(text).toContain("  NOT RUN  /data         /data may not be read by this user (EACCES) (missing-input)\n");
    expect(text).toContain("verdict  none: what was to be looked at could not be read, so nothing is known of what is in it\n");
  });

  it("evidence that was cleaned up", async () => {
    const { files, places } = fixtures.claudeDesktopCleanedUp();
    const { exit, text } = await answer(files, places);
    expect(exit).toBe(3);
    expect(text).toContain("not run  files of claude-desktop, nightly-digest, triage: no session file or transcript of any age:");
    expect(text).toContain("  due 2   claimed 2   seen -     2 could not be judged\n");
  });
});

describe("what could not be read is not well", () => {
  const healthy = fixtures.claudeDesktopHealthy();

  it("is not run when one folder refuses, although every task passes, and what is missing may be in it", async () => {
    const locked = { "/home/ada/.claude/projects/locked/": { refuses: "EACCES", kind: "directory" as const } };
    const { report, exit } = await look({ ...healthy, files: { ...healthy.files, ...locked } });
    expect({ exit, first: report.rows.map(rowText)[0] }).toEqual({ exit: 3, first: "NOT RUN /home/ada/.claude/projects - - -" });
    const without = Object.fromEntries(Object.entries(healthy.files).filter(([path]) => !path.includes("5e55-0000")));
    const ghost = await look({ ...healthy, files: { ...without, ...locked } });
    expect([ghost.report.findings, ghost.exit]).toEqual([[], 3]);
    expect(ghost.report.rows.map(rowText)).toContain("NOT RUN nightly-digest 1 1 -");
    const measured = await look({ ...healthy, files: without });
    expect(measured.report.findings.map(({ guard, confidence }) => [guard, confidence])).toEqual([["slot/ghost-success", "measured"]]);
  });

  it("is not run when a claim is old and nothing else could show a run", async () => {
    const project = fixtures.claudeProjectHealthy();
    const files = edited(project.files, project.registry, (text) => text.replace(String(iso("2026-09-01T08:00:02Z")), String(iso("2026-08-25T08:00:02Z"))));
    const { report, exit } = await look({ ...project, files });
    expect(exit).toBe(3);
    expect(report.rows[0]?.because).toBe(
      "the registry claims no run for its newest slot (2026-09-01T08:00:00.000Z), and claude-project leaves no trace to look at",
    );
  });

  it("is not run for a task with more slots than are counted, and its runs are not called wrong", async () => {
    const files = edited(healthy.files, healthy.registry, (text) => text.replace("0 7 * * *", "* * * * *"));
    const { report, exit, alarms } = await look({ ...healthy, files }, { sinceMs: 20 * 86_400_000 });
    expect({ exit, alarms }).toEqual({ exit: 3, alarms: [] });
    expect(report.rows.find(({ subject }) => subject === "triage")).toMatchObject({ verdict: "NOT RUN", reason: "timed-out", due: undefined });
  });

  it("has no zero for slots that are older than every trace, and calls no skip of a slot that may still run one too many", async () => {
    const nightly = Object.keys(healthy.files).filter((path) => /5e55-0000|0000-talk/.test(path));
    const files = Object.fromEntries(Object.entries(healthy.files).filter(([path]) => !nightly.includes(path)));
    const { report, exit } = await look({ ...healthy, files });
    expect({ exit, row: report.rows.map(rowText)[0] }).toEqual({ exit: 3, row: "NOT RUN nightly-digest 1 1 -" });
    // At 08:00 the slot of 07:00 is in its grace, and no session is there.
    expect((await look(fixtures.claudeDesktopCleanedUp())).report.findings).toEqual([]);
  });

  it("judges a slot whose fellows left traces a moment after it, with doubt", async () => {
    // 35 tasks at 02:15; the oldest trace of all is of 02:15:40, and one task has none.
    const tasks = Array.from({ length: 35 }, (_, index) => ({ id: `t${index + 10}`, cronExpression: "15 2 * * *", enabled: true, createdAt: iso("2026-09-01T12:00:00Z"), lastRunAt: "2026-09-02T02:15:48.000Z" }));
    const files: Fixture["files"] = { [healthy.registry]: writtenAt(FIXTURE_NOW_MS, json({ scheduledTasks: tasks })) };
    for (const { id } of tasks) files[`/home/ada/.claude/scheduled-tasks/${id}/SKILL.md`] = fixtures.prompt(id);
    tasks.slice(1).forEach(({ id }, index) => Object.assign(files, sessionFiles(id, iso("2026-09-02T02:15:40Z") + index * 100, id)));
    const { report, exit, alarms } = await look({ ...healthy, files });
    expect({ exit, alarms }).toEqual({ exit: 1, alarms: ["slot/ghost-success"] });
    expect(report.rows.map(rowText).slice(0, 1)).toEqual(["FAIL t10 1 1 0"]);
    expect(report.rows[0]?.because).toBe("stamped 2026-09-02T02:15:48Z, no trace of a run");
    expect(report.findings[0]?.confidence).toBe("inferred");
    expect(report.totals).toEqual({ due: 35, claimed: 35, seen: 34, withoutTrace: 1, discarded: 0, unjudged: 0 });
  });
});

describe("what is no failure", () => {
  const { registry, places } = fixtures.claudeDesktopHealthy();
  interface Task { id: string; cronExpression: string; enabled?: boolean; lastRunAt?: string }
  const desktop = (tasks: readonly Task[], runs: readonly (readonly [string, string])[], changedAt: string) => {
    const entries = tasks.map((task) => ({ enabled: true, createdAt: iso("2026-08-01T00:00:00Z"), ...task }));
    const files: Fixture["files"] = { [registry]: writtenAt(iso(changedAt), json({ scheduledTasks: entries })) };
    for (const { id } of tasks) files[`/home/ada/.claude/scheduled-tasks/${id}/SKILL.md`] = fixtures.prompt(id);
    runs.forEach(([id, at], index) => Object.assign(files, sessionFiles(id, iso(at), `run-${index}`)));
    return { files, places };
  };

  // Friday 4 September 2026 evening to Monday morning, asleep; awake at 08:02 on Monday.
  const hourly = { id: "hourly", cronExpression: "0 * * * *" };
  const daily = { id: "daily", cronExpression: "15 2 * * *" };
  const friday = [["hourly", "2026-09-04T16:00:20Z"], ["hourly", "2026-09-04T17:00:20Z"], ["daily", "2026-09-04T02:15:20Z"]] as const;
  const monday = [["hourly", "2026-09-07T08:03:10Z"], ["daily", "2026-09-07T08:03:20Z"]] as const;
  const WEEKEND_MS = 3 * 86_400_000;

  it("a laptop asleep over the weekend, and one catch-up run of each task after it", async () => {
    const tasks = [{ ...hourly, lastRunAt: "2026-09-07T08:03:10.000Z" }, { ...daily, lastRunAt: "2026-09-07T08:03:20.000Z" }];
    const { report, exit, alarms } = await look(desktop(tasks, [...friday, ...monday], "2026-09-07T08:03:20Z"), { nowMs: iso("2026-09-07T08:30:00Z"), sinceMs: WEEKEND_MS });
    expect({ exit, alarms }).toEqual({ exit: 0, alarms: [] });
    expect(sumProblems(report)).toEqual([]);
    // From 09:00 on Friday: what did not run until 17:00 is as dark as the weekend, for nothing proves that it was awake.
    expect(report.rows.filter(({ kind }) => kind === "task").map(({ subject, because }) => [subject, because])).toEqual([
      ["daily", "2 dropped after a sleep, as far as anybody can tell"],
      ["hourly", "69 dropped after a sleep, as far as anybody can tell"],
    ]);
    expect(report.notes).toContain("nothing proves that the machine was awake at 71 slots that left nothing, so it may have slept");
  });

  it("is only inferred while it is asleep and nothing proves that it was awake", async () => {
    const tasks = [{ ...hourly, lastRunAt: "2026-09-04T17:00:20.000Z" }];
    const { report } = await look(desktop(tasks, friday.slice(0, 2), "2026-09-04T17:00:20Z"), { nowMs: iso("2026-09-07T08:01:00Z"), sinceMs: WEEKEND_MS });
    expect(report.findings.map(({ guard, confidence }) => `${guard} ${confidence}`)).toEqual(["fleet/silent inferred", "slot/missed inferred"]);
  });

  it("a run by hand between two slots", async () => {
    const tasks = [{ ...daily, lastRunAt: "2026-09-02T06:40:05.000Z" }];
    const runs = [["daily", "2026-09-01T02:15:30Z"], ["daily", "2026-09-02T02:15:30Z"], ["daily", "2026-09-02T06:40:00Z"]] as const;
    const { report, exit, alarms } = await look(desktop(tasks, runs, "2026-09-02T06:40:05Z"));
    expect({ exit, alarms, row: report.rows.map(rowText).at(-1) }).toEqual({ exit: 0, alarms: [], row: "PASS daily 1 1 1" });
  });

  it("a task that is paused", async () => {
    const tasks = [{ ...daily, lastRunAt: "2026-09-02T02:15:30.000Z" }, { ...hourly, enabled: false, lastRunAt: "2026-08-30T02:00:10.000Z" }];
    const runs = [["daily", "2026-09-02T02:15:30Z"], ["hourly", "2026-08-30T02:00:10Z"]] as const;
    const { report, exit, alarms } = await look(desktop(tasks, runs, "2026-09-02T02:15:30Z"));
    expect({ exit, alarms, row: report.rows.map(rowText).at(-1) }).toEqual({ exit: 0, alarms: [], row: "PASS hourly 0 0 0" });
  });

  it.each([
    // Clocks go back in Lisbon on 25 October 2026 at 02:00 (01:00Z): 09:00 is 08:00Z the day before and 09:00Z that day.
    ["back", "2026-10-24T08:00:20Z", "2026-10-25T09:00:20Z", "2026-10-25T12:00:00Z"],
    // And forth on 28 March 2027 at 01:00Z: 09:00 is 09:00Z the day before and 08:00Z that day.
    ["forth", "2027-03-27T09:00:20Z", "2027-03-28T08:00:20Z", "2027-03-28T12:00:00Z"],
  ])("a run on each side of the night in which the clocks of the machine go %s", async (_way, before, after, now) => {
    const tasks = [{ id: "nine", cronExpression: "0 9 * * *", lastRunAt: after }];
    const { report, exit, alarms } = await look(desktop(tasks, [["nine", before], ["nine", after]], after), { nowMs: iso(now), zone: "Europe/Lisbon", sinceMs: 2 * 86_400_000 });
    expect({ exit, alarms, row: report.rows.map(rowText).at(-1) }).toEqual({ exit: 0, alarms: [], row: "PASS nine 2 2 2" });
  });

  it.each([
    // Clocks go back in Berlin on 25 October 2026 at 03:00 (01:00Z), so that 02:00 is at 00:00Z and again at 01:00Z.
    ["once", ["00:00:20"]],
    ["once, the second time", ["01:00:20"]],
    ["twice", ["00:00:20", "01:00:20"]],
  ])("a schedule of the hour that comes twice, run %s", async (_way, times) => {
    const at = ["2026-10-24T22:00:20Z", ...times.map((time) => `2026-10-25T${time}Z`), "2026-10-25T03:00:20Z"];
    const tasks = [{ id: "two-hourly", cronExpression: "0 */2 * * *", lastRunAt: at.at(-1) ?? "" }, { ...daily, cronExpression: "0 * * * *", lastRunAt: "2026-10-25T03:00:10Z" }];
    const awake = ["24T22", "24T23", "25T00", "25T01", "25T02", "25T03"].map((hour) => ["daily", `2026-10-${hour}:00:10Z`] as const);
    const { report, exit, alarms } = await look(desktop(tasks, [...at.map((time) => ["two-hourly", time] as const), ...awake], "2026-10-25T03:00:20Z"), {
      nowMs: iso("2026-10-25T03:30:00Z"),
      zone: "Europe/Berlin",
      sinceMs: 5.75 * 3_600_000,
    });
    expect({ exit, alarms, rows: report.rows.map(rowText).slice(1) }).toEqual({ exit: 0, alarms: [], rows: ["PASS daily 6 6 6", `PASS two-hourly ${at.length} ${at.length} ${at.length}`] });
    expect(sumProblems(report)).toEqual([]);
  });

  it("but an hour of an hourly schedule is one on which engines agree, so that its second time is missed", async () => {
    const ran = ["22:00", "23:00", "00:00", "02:00", "03:00"].map((time, index) => `2026-10-${index < 2 ? 24 : 25}T${time}:20Z`);
    const awake = ["24T22", "24T23", "25T00", "25T01", "25T02", "25T03"].map((hour) => ["daily", `2026-10-${hour}:00:10Z`] as const);
    const tasks = [{ ...hourly, lastRunAt: ran.at(-1) ?? "" }, { ...daily, cronExpression: "0 * * * *", lastRunAt: "2026-10-25T03:00:10Z" }];
    const files = desktop(tasks, [...ran.map((time) => ["hourly", time] as const), ...awake], "2026-10-25T03:00:20Z");
    const { report, alarms } = await look(files, { nowMs: iso("2026-10-25T03:30:00Z"), zone: "Europe/Berlin", sinceMs: 5.75 * 3_600_000 });
    expect({ alarms, row: report.rows.map(rowText)[0] }).toEqual({ alarms: ["slot/missed"], row: "FAIL hourly 6 5 5" });
  });

  it("a run after the clocks of the task's own zone changed", async () => {
    const openclaw = fixtures.openclawHealthy();
    const ran = iso("2026-10-25T09:00:01Z");
    const job = { id: "nine", name: "Nine", enabled: true, createdAtMs: iso("2026-10-24T12:00:00Z"), sessionTarget: "isolated", wakeMode: "now", schedule: { kind: "cron", expr: "0 9 * * *", tz: "Europe/Lisbon" }, payload: { kind: "agentTurn", message: "invented" }, state: { lastRunAtMs: ran } };
    const line = { ts: ran + 9_000, jobId: "nine", action: "finished", status: "ok", runAtMs: ran };
    const files = { [openclaw.registry]: writtenAt(ran, json({ version: 1, jobs: [job] })), "/home/ada/.openclaw/cron/runs/nine.jsonl": writtenAt(ran + 9_000, `${JSON.stringify(line)}\n`) };
    const { report, exit, alarms } = await look({ files, places: openclaw.places }, { nowMs: iso("2026-10-25T12:00:00Z"), zone: "America/New_York" });
    expect({ exit, alarms, row: report.rows.map(rowText).at(-1) }).toEqual({ exit: 0, alarms: [], row: "PASS nine 1 1 1" });
  });
});
