import { expect, it } from "vitest";
import * as fixtures from "../presets/fixtures/index.ts";
import { FIXTURE_NOW_MS, json, withFile, withRegistry, writtenAt } from "../presets/fixtures/index.ts";
import { edited, look } from "./look.fixture.ts";

const desktop = fixtures.claudeDesktopHealthy();
const messages = async (fixture: fixtures.Fixture) => (await look(fixture)).report.findings.map(({ guard, severity, what }) => `${severity} ${guard}: ${what}`);

it("says of a renamed field that its entry loads otherwise, and claims no loss for the others", async () => {
  const renamed = { ...desktop, files: edited(desktop.files, desktop.registry, (text) => text.replace('"cronExpression": "15', '"cronExpr": "15')) };
  expect(await messages(renamed)).toContain(
    "alarm registry/entry-invalid: 1 of 3 entries load, and not as they were meant: nightly-digest (/cronExpr, which the layout does not have, is text at line 5, " +
      "wanted /cronExpression, which is not there)",
  );
  expect((await messages(renamed)).join("\n")).not.toContain("whole-list loader");
});

it("counts only what breaks a loader into what a whole-list loader drops", async () => {
  const text = (one: string) => one.replace('"cronExpression": "15', '"cronExpr": "15').replace(/"fireAt": \d+/, '"fireAt": "tomorrow"');
  const { report } = await look({ ...desktop, files: edited(desktop.files, desktop.registry, text) });
  expect(report.findings.filter(({ guard }) => guard === "registry/entry-invalid").map(({ counts, tasks }) => ({ counts, tasks }))).toEqual([
    { counts: { entries: 3, invalid: 1, blastRadius: 3 }, tasks: ["invoice-check"] },
    { counts: { entries: 3, otherwise: 1 }, tasks: ["nightly-digest"] },
  ]);
});

it("reports the bytes of a prompt as encoding, not as an entry that breaks its list", async () => {
  const path = "/home/ada/.claude/scheduled-tasks/triage/SKILL.md";
  const torn = withFile(desktop, path, { content: Uint8Array.from([0x68, 0x69, 0xff, 0xfe]) }, "no text");
  const tornSaid = await messages(torn);
  expect(tornSaid).toEqual([`alarm encoding/graded: 1 faults of encoding in 3 files, 1 fatal to their reader, 0 harmless: ${path} PROMPT_NOT_UTF8 (fatal)`]);
  const marked = withFile(desktop, path, `\uFEFF${fixtures.prompt("triage")}`, "a mark");
  expect(await look(marked)).toMatchObject({ exit: 0, alarms: [] });
  expect((await messages(marked))[0]).toMatch(/^information encoding\/graded/);
});

it("names the line of a prompt's front matter that is not as it should be, and none of what it says", async () => {
  const path = "/home/ada/.claude/scheduled-tasks/triage/SKILL.md";
  const odd = withFile(desktop, path, "---\nname: triage\ndescription: SECRET: SECRET\n---\nRead the inbox.\n", "a colon too many");
  const { report } = await look(odd);
  expect(report.findings.map(({ guard, what, where, tasks }) => ({ guard, what, where, tasks }))).toEqual([
    {
      guard: "registry/entry-invalid",
      what:
        "1 of 3 entries load, and not as they were meant: triage (no YAML in its front matter (a key begins inside a value: a text with a colon in it " +
        "needs quotes) at line 3, wanted YAML between the two lines of ---)",
      where: { path, line: 3, column: 14, pointer: "" },
      tasks: ["triage"],
    },
  ]);
  expect(JSON.stringify(report)).not.toContain("SECRET");
});

it("says which fields of the document itself are not what the layout has", async () => {
  const skips = { ...desktop, files: edited(desktop.files, desktop.registry, (text) => text.replace('"recordedSkips"', '"skipsRecorded"')) };
  expect(await messages(skips)).toEqual([
    "warning registry/entry-invalid: 1 field beside the list of entries not as the layout has them: /skipsRecorded, which the layout does not have, is " +
      "an object with 1 keys at line 29, wanted /recordedSkips, which is not there",
  ]);
});

it("lists the values to write for every entry whose instant is text", async () => {
  const many = Array.from({ length: 14 }, (_, index) => ({ id: `t${index + 10}`, fireAt: `2026-09-03T07:${index + 10}:00Z`, enabled: true, createdAt: 1_785_542_400_000 }));
  const files = { [desktop.registry]: writtenAt(FIXTURE_NOW_MS, json({ scheduledTasks: many })) };
  const { report } = await look({ files, places: desktop.places });
  const [finding] = report.findings;
  expect(finding?.fix.step).toBe('Replace text "2026-09-03T07:10:00Z" at line 5 by 1788419400000; 13 more values are under proof');
  expect(finding?.proof.slice(3, 5)).toEqual([
    `${desktop.registry}:11:17  /scheduledTasks/1/fireAt: text "2026-09-03T07:11:00Z", write 1788419460000`,
    `${desktop.registry}:17:17  /scheduledTasks/2/fireAt: text "2026-09-03T07:12:00Z", write 1788419520000`,
  ]);
  expect(finding?.proof.at(-1)).toBe("and 3 more");
});

it("says how many lines of a run log a reader of finished runs passes over", async () => {
  const openclaw = fixtures.openclawHealthy();
  const files = edited(openclaw.files, "/home/ada/.openclaw/cron/runs/brief.jsonl", (text) => `{"ts": 1\n{"action": "finished", "jobId": 7}\n${text}`);
  expect((await look({ ...openclaw, files })).report.notes).toEqual([
    "run logs of openclaw-json: a reader that only wants finished runs passes over 1 lines that are no JSON, 1 of another shape and 0 of another kind without a word",
  ]);
});

it("says of an entry that is no object what it is", async () => {
  const text = JSON.parse(fixtures.registryText(desktop)) as { scheduledTasks: unknown[] };
  const { report } = await look(withRegistry(desktop, json({ scheduledTasks: [...text.scheduledTasks, 7] }), "a number"));
  expect(report.rows[0]?.because).toBe("the entry is a number at line 28; a whole-list loader drops all 4");
});
