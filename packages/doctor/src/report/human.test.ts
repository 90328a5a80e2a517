import { expect, it } from "vitest";
import type { DoctorReport, DoctorRow } from "../doctor-report.ts";
import { look } from "../examine/look.fixture.ts";
import * as fixtures from "../presets/fixtures/index.ts";
import { writeHuman } from "./human.ts";
import { COLUMNS } from "./wrap.ts";

const HOME = { homes: ["/home/ada"] };

const row = (verdict: DoctorRow["verdict"], subject: string, due: number, because = "", looked: number | "-" = due): DoctorRow => {
  const seen = looked === "-" ? undefined : looked;
  const absent = due - (seen ?? 0);
  return {
  subject,
  kind: "task",
  layout: "claude-desktop",
  place: "/home/ada/r.json",
  verdict,
  due,
  claimed: due,
  seen,
  withoutTrace: seen === undefined ? 0 : absent,
  discarded: 0,
  unjudged: seen === undefined ? absent : 0,
  because,
  reason: verdict === "NOT RUN" ? "missing-input" : undefined,
  };
};

function reportOf(rows: readonly DoctorRow[]): DoctorReport {
  const add = (value: (row: DoctorRow) => number | undefined) => rows.reduce((sum, one) => sum + (value(one) ?? 0), 0);
  const [due, seen] = [add((one) => one.due), add((one) => one.seen)];
  const count = (verdict: string) => rows.filter((one) => one.verdict === verdict).length;
  return {
    schemaVersion: 1,
    tool: { name: "casebook doctor", version: "0.0.0" },
    window: { fromMs: 0, toMs: 86_400_000 },
    layouts: [{ id: "claude-desktop", confidence: "source", places: ["/home/ada/r.json"], files: 4 }],
    totals: { due, claimed: due, seen, withoutTrace: add((one) => one.withoutTrace), discarded: 0, unjudged: add((one) => one.unjudged) },
    rows,
    work: [],
    runs: [],
    findings: [],
    outside: [],
    looked: [],
    candidates: [],
    notes: [],
    tally: { planned: rows.length, passed: count("PASS"), failed: count("FAIL"), notRun: count("NOT RUN") },
  };
}

it("shows failures first, then what has no verdict, in one line for one reason, then what passed; and counts what is many", () => {
  const unread = "session folders could not be read, and there is more to say about them than goes into a line of a table on a screen";
  const rows = [
    ...Array.from({ length: 15 }, (_, index) => row("PASS", `fine-${index + 10}`, 1)),
    row("NOT RUN", "dark-a", 1, unread, "-"),
    row("FAIL", "nightly-digest", 1, "stamped 2026-09-02T02:15:48Z, no trace of a run", 0),
    row("NOT RUN", "dark-b", 2, unread, "-"),
  ];
  expect(writeHuman(reportOf(rows), HOME)).toBe(
    `casebook doctor   last 24 h · 19 slots due · read-only, nothing sent
  due 19   claimed 19   seen 15     1 slot left no trace of a run, 3 could not be judged

  FAIL     nightly-digest    due 1   claimed 1   seen 0   stamped 2026-09-02T02:15:48Z, no trace of a run
  NOT RUN  2 tasks           due 3   claimed 3   seen -   session folders could not be read, and there is more to say a…
${Array.from({ length: 12 }, (_, index) => `  PASS     fine-${index + 10}           due 1   claimed 1   seen 1\n`).join("")}  PASS     and 3 more tasks  due 3   claimed 3   seen 3

not run  dark-a, dark-b: session folders could not be read, and there is more to say about them than goes into a line of
         a table on a screen (missing-input)

read     claude-desktop (source), 4 files, recognised by ~/r.json
planned 18, passed 15, failed 1, not run 2
`,
  );
});

it("quotes a name that begins or ends in a blank", () => {
  const text = writeHuman(reportOf([row("PASS", " triage", 1), row("PASS", "triage", 1), row("NOT RUN", "night ", 1, "no log", "-")]), HOME);
  expect(text.match(/^ {2}(PASS|NOT RUN) .*due/gm)).toEqual(['  NOT RUN  "night "      due', '  PASS     " triage"     due', "  PASS     triage        due"]);
  expect(text).toContain('\nnot run  "night ": no log (missing-input)\n');
});

it("keeps every row to one line of a screen, cut where it must be, and ends no line in a blank", () => {
  const long = "x".repeat(300);
  const text = writeHuman(reportOf([row("FAIL", long, 1, `${long} ${long}`, 0), row("PASS", "日本".repeat(40), 1), row("NOT RUN", "👩‍💻".repeat(50), 1, long, "-")]), HOME);
  const rows = text.split("\n").filter((line) => /^ {2}(FAIL|PASS|NOT RUN)/.test(line));
  expect(rows.map((line) => [...line].length <= COLUMNS)).toEqual([true, true, true]);
  expect(text.split("\n").filter((line) => line.endsWith(" "))).toEqual([]);
});

it("prints a finding with its place and its command whole, and wraps what is only read", async () => {
  const { report } = await look(fixtures.claudeDesktopTextFireAt());
  const blocks = writeHuman(report, HOME).split("\n\n");
  expect(blocks.find((block) => block.startsWith("alarm "))).toBe(
    `alarm registry/entry-invalid: 1 of 35 entries invalid: routine-34 (fireAt is text "2026-09-03T07:30:00+01:00" at line
  236, wanted a whole number of milliseconds since 1970, from 2001 to 2100); a whole-list loader drops 35 of 35
  where   ~/.config/Claude/claude-code-sessions/account-1/workspace-1/scheduled-tasks.json:236:17  /scheduledTasks/33/fireAt
  why     A loader that judges the list as a whole rejects every entry because of one.
  proof   entries 35 (~/.config/Claude/claude-code-sessions/account-1/workspace-1/scheduled-tasks.json); invalid 1;
          loadable by a whole-list loader 0, entry by entry 34
  fix     Replace text "2026-09-03T07:30:00+01:00" at line 236 by 1788417000000 (a running program holds the registry in
          memory and may write it back: stop it first, start it after)
  verify  casebook doctor --only registry/entry-invalid
  case    001   casebook run 001`,
  );
});

it("says a span in the unit that it was given in", async () => {
  const heads = [];
  for (const sinceMs of [20 * 60_000, 90 * 60_000, 3_600_000, 36 * 3_600_000, 7 * 86_400_000]) {
    const { report } = await look(fixtures.claudeDesktopHealthy(), { sinceMs });
    heads.push(/last [^·]+(?= ·)/.exec(writeHuman(report, HOME))?.[0]);
  }
  expect(heads).toEqual(["last 20 min", "last 90 min", "last 1 h", "last 36 h", "last 7 days"]);
});

it("tells two installations of one layout apart by their places", async () => {
  const { files, registry } = fixtures.claudeProjectHealthy();
  const other = registry.replace("/work/", "/play/");
  const { report } = await look({ files: { ...files, [other]: files[registry] as string }, places: ["/home/ada"] });
  const text = writeHuman(report, HOME);
  expect(text).toContain("  PASS     ~/play/.claude/scheduled_tasks.json  2 tasks, 1 registry, 1 file\n");
  expect(text.match(/^outside/gm)?.length).toBe(2);
});

it("prints ten findings of one guard and counts the rest", async () => {
  const healthy = fixtures.claudeDesktopHealthy();
  const tasks = Array.from({ length: 14 }, (_, index) => ({ id: `t${index + 10}`, cronExpression: "0 3 * * *", enabled: true, createdAt: 1_785_542_400_000, lastRunAt: "2026-09-02T03:00:10.000Z" }));
  const files = { ...healthy.files, [healthy.registry]: fixtures.writtenAt(fixtures.FIXTURE_NOW_MS, fixtures.json({ scheduledTasks: tasks })) };
  for (const { id } of tasks) files[`/home/ada/.claude/scheduled-tasks/${id}/SKILL.md`] = fixtures.prompt(id);
  const { report } = await look({ ...healthy, files }, { only: ["slot/ghost-success"] });
  const text = writeHuman(report, HOME);
  expect(text.match(/^alarm slot\/ghost-success/gm)?.length).toBe(10);
  expect(text).toContain("\nand 4 more findings of slot/ghost-success; --json has them all\n");
});
