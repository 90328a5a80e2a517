import { expect, it } from "vitest";
import { claudeDesktopHealthy, type FixtureFiles } from "../presets/fixtures/index.ts";
import { look, sumProblems } from "./look.fixture.ts";

// Two tasks that were due and ran, and a one-shot that is due tomorrow: its zeros are no answer about the two.
const { files, places } = claudeDesktopHealthy();
const changed = (path: RegExp, before: string, after: string): FixtureFiles =>
  Object.fromEntries(
    Object.entries(files).map(([name, entry]) => {
      const isHit = path.test(name) && typeof entry === "object" && "content" in entry;
      return [name, isHit ? { ...entry, content: String(entry.content).replaceAll(before, after) } : entry];
    }),
  );
const withoutTranscripts = (all: FixtureFiles): FixtureFiles => Object.fromEntries(Object.entries(all).filter(([name]) => !name.endsWith(".jsonl")));

it.each([
  ["due", changed(/tasks\.json$/, '"cronExpression"', '"cron"'), { due: undefined, claimed: undefined, seen: undefined }],
  ["claimed", changed(/tasks\.json$/, '"lastRunAt"', '"lastRan"'), { due: 2, claimed: undefined, seen: 2 }],
  ["seen", withoutTranscripts(changed(/local_/, '"scheduledTaskId"', '"task"')), { due: 2, claimed: 2, seen: undefined }],
])("says nothing under %s, and no zero, where the only tasks that are known have nothing due", async (_column, damaged, totals) => {
  const { report } = await look({ files: damaged, places });
  expect(report.totals).toMatchObject(totals);
  expect(sumProblems(report)).toEqual([]);
});

it("adds up what is known where something is", async () => {
  const { report } = await look({ files, places });
  expect(report.totals).toEqual({ due: 2, claimed: 2, seen: 2, withoutTrace: 0, discarded: 0, unjudged: 0 });
});
