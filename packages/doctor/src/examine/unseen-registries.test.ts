import { describe, expect, it } from "vitest";
import * as fixtures from "../presets/fixtures/index.ts";
import { withFile, type FixtureFiles } from "../presets/fixtures/index.ts";
import type { FixtureEntry } from "../trees/index.ts";
import { look } from "./look.fixture.ts";

const desktop = fixtures.claudeDesktopHealthy();
const PROMPTS = "/home/ada/.claude/scheduled-tasks";
const without = (files: FixtureFiles, start: string): FixtureFiles => Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith(start)));

describe("a registry that could not be seen makes no orphans", () => {
  const folder = desktop.registry.slice(0, desktop.registry.indexOf("/claude-code-sessions") + "/claude-code-sessions".length);
  const refuses: FixtureEntry = { refuses: "EACCES", kind: "directory" };
  const cases: readonly (readonly [string, fixtures.Fixture])[] = [
    ["a link", withFile(desktop, desktop.registry, { link: "/elsewhere" }, "a link")],
    ["a pipe", withFile(desktop, desktop.registry, { other: "fifo" }, "a pipe")],
    ["a folder", { ...desktop, files: { ...without(desktop.files, desktop.registry), [`${desktop.registry}/`]: "" } }],
    ["below a folder that refuses", { ...desktop, files: { ...without(desktop.files, folder), [folder]: refuses } }],
    ["not among the places", { ...desktop, places: [PROMPTS] }],
  ];
  it.each(cases)("when it is %s", async (_what, fixture) => {
    expect(await look(fixture)).toMatchObject({ exit: 3, alarms: [] });
  });
});

describe("a prompt that could not be seen is not missing", () => {
  it("when its folder is a link", async () => {
    const linked = { ...desktop, files: { ...without(desktop.files, `${PROMPTS}/triage/`), [`${PROMPTS}/triage`]: { link: "/elsewhere" } } };
    expect(await look(linked)).toMatchObject({ exit: 3, alarms: [] });
  });

  it("when the folder of all prompts refuses", async () => {
    const closed = { ...desktop, files: { ...without(desktop.files, PROMPTS), [PROMPTS]: { refuses: "EACCES", kind: "directory" } as FixtureEntry } };
    expect(await look(closed)).toMatchObject({ exit: 3, alarms: [] });
  });
});

it("takes no project that has a SKILL.md for a folder of prompts", async () => {
  const files = { ...desktop.files, "/home/ada/notes/SKILL.md": "# notes", "/home/ada/other/readme.md": "" };
  expect(await look({ ...desktop, files, places: ["/home/ada"] })).toMatchObject({ exit: 0, alarms: [] });
});

it("counts against a broken registry only the prompts that no other registry lists", async () => {
  const second = desktop.registry.replace("/scheduled-tasks.json", "2/scheduled-tasks.json");
  const broken = { ...desktop, files: { ...desktop.files, [second]: '{"scheduledTasks": [' } };
  expect(await look(broken)).toMatchObject({ exit: 3, alarms: [] });
  const lost = { ...broken, files: { ...broken.files, [`${PROMPTS}/lost/SKILL.md`]: fixtures.prompt("lost") } };
  const { report } = await look(lost);
  expect(report.findings.map(({ guard, tasks, counts }) => ({ guard, tasks, onDisk: counts.onDisk }))).toEqual([{ guard: "registry/parity", tasks: ["lost"], onDisk: 1 }]);
});

it("says of a prompt that is given as the place that it is no registry", async () => {
  const { report } = await look({ ...desktop, places: [`${PROMPTS}/triage/SKILL.md`] });
  expect(JSON.stringify(report)).toContain("is the prompt of a task and not a registry");
});
