/** One fault in many places: a screen tells of it once, and `--json` has all of it. */
import { expect, it } from "vitest";
import { look } from "../examine/look.fixture.ts";
import * as fixtures from "../presets/fixtures/index.ts";
import { TreeError, memoryTree } from "../trees/index.ts";
import { observe } from "../observe/index.ts";
import { PRESETS } from "../presets/index.ts";
import { examine } from "../examine/examine.ts";
import { writeHuman } from "./human.ts";

const HOME = { homes: ["/home/ada"] };
const healthy = fixtures.claudeDesktopHealthy();

/** Tasks with one and the same damage, each at a line of its own. */
function desktopOf(count: number, damage: object) {
  const tasks = Array.from({ length: count }, (_, index) => ({ id: `t${index + 10}`, cronExpression: "0 3 * * *", enabled: true, createdAt: 1_785_542_400_000, ...damage }));
  const files = { ...healthy.files, [healthy.registry]: fixtures.writtenAt(fixtures.FIXTURE_NOW_MS, fixtures.json({ scheduledTasks: tasks })) };
  for (const { id } of tasks) files[`/home/ada/.claude/scheduled-tasks/${id}/SKILL.md`] = fixtures.prompt(id);
  return { ...healthy, files };
}

it("prints eight rows of one fault at different lines, and counts the others with the first of them", async () => {
  const { report } = await look(desktopOf(34, { enabled: "yes" }), { only: ["registry/entry-invalid"] });
  const text = writeHuman(report, HOME);
  const rows = text.split("\n").filter((line) => line.startsWith("  FAIL"));
  expect(rows.slice(7)).toEqual([
    "  FAIL     t17                due -   claimed -   seen -   enabled is text at line 48; a whole-list loader drops all 34",
    "  FAIL     and 26 more tasks  due -   claimed -   seen -   like these: enabled is text at line 54; a whole-list loader…",
  ]);
  expect(text).toContain("failed 34,");
  expect(report.rows.filter(({ verdict }) => verdict === "FAIL").length).toBe(34);
});

it("lists nine, because a line that stands for one saves nothing", async () => {
  const { report } = await look(desktopOf(9, { enabled: "yes" }), { only: ["registry/entry-invalid"] });
  expect(writeHuman(report, HOME).match(/^ {2}FAIL /gm)?.length).toBe(9);
});

it("does the same for tasks without a verdict, and for notes", async () => {
  const openclaw = fixtures.openclawHealthy();
  const { jobs } = JSON.parse(fixtures.registryText(openclaw)) as { jobs: [object] };
  const many = Array.from({ length: 20 }, (_, index) => ({ ...jobs[0], id: `j${index + 10}` }));
  const line = (jobId: string) => `${JSON.stringify({ ts: Date.parse("2026-09-02T06:00:09Z"), jobId, action: "finished", status: "done" })}\n`;
  const files = { ...openclaw.files, [openclaw.registry]: fixtures.json({ version: 1, jobs: many }) };
  for (const { id } of many) files[`/home/ada/.openclaw/cron/runs/${id}.jsonl`] = fixtures.writtenAt(fixtures.FIXTURE_NOW_MS, line(id));
  const text = writeHuman((await look({ ...openclaw, files }, { nowMs: fixtures.FIXTURE_NOW_MS + 4 * 3_600_000, only: ["slot/missed"] })).report, HOME);
  expect(text.match(/^ {2}NOT RUN {2}/gm)?.length).toBe(9);
  expect(text).toContain("  NOT RUN  and 12 more tasks  due 12   claimed 12   seen -   like these: 1 of 1 slots: words not known: text");
  expect(text.match(/^not run {2}/gm)?.length).toBe(9);
  expect(text).toMatch(/\nnot run {2}j18, j19, j20, j21, j22, j23, j24, j25, j26, j27 and 2 more: like these: 1 of 1 slots: words not known: /);
});

it("prints eight notes of files that refuse, and counts the others", async () => {
  const sessions = Object.keys(fixtures.sessionFiles("x", 0, "s"))[0] as string;
  const folder = sessions.slice(0, sessions.lastIndexOf("/"));
  const files = { ...healthy.files };
  for (let index = 10; index < 30; index += 1) files[`${folder}/local_refused-${index}.json`] = "{}";
  const tree = memoryTree(files);
  const refusing = { ...tree, list: tree.list.bind(tree), stat: tree.stat.bind(tree), readRange: async (path: string, offset: number, length: number) => {
    if (path.includes("refused")) throw new TreeError("EACCES", "read", path);
    return tree.readRange(path, offset, length);
  } };
  const nowMs = fixtures.FIXTURE_NOW_MS;
  const observation = await observe(refusing, { places: healthy.places, presets: PRESETS, nowMs, machineZone: "UTC" });
  const report = examine(observation, { fromMs: nowMs - 86_400_000, toMs: nowMs, nowMs, zone: "UTC", only: [], tool: { name: "casebook doctor", version: "" }, command: "casebook doctor" });
  expect(report.notes.filter((note) => note.includes("EACCES")).length).toBeGreaterThan(15);
  const text = writeHuman(report, HOME);
  expect(text.match(/^note .*EACCES|^ {9}.*EACCES/gm)?.length ?? 0).toBeLessThan(12);
  expect(text).toMatch(/\nnote {5}and 1\d more like these: not read:\n/);
});
