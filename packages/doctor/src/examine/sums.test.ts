import { tallyLine } from "@casebook/verdict";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { LayoutObservation, NotRead, Observation, Place, TaskObservation } from "../observation.ts";
import { PRESETS } from "../presets/index.ts";
import { writeHuman } from "../report/human.ts";
import { writeReportJson } from "../report/json.ts";
import { reportShape } from "../report/report-schema.ts";
import { examine } from "./examine.ts";
import { sumProblems } from "./look.fixture.ts";

const NOW_MS = Date.parse("2026-09-02T08:00:00Z");
const HOUR_MS = 3_600_000;
const PLACE: Place = { path: "/r.json", line: 3, column: 5, pointer: "/jobs/0" };

const momentMs = fc.integer({ min: -72 * 60, max: 90 }).map((minutes) => NOW_MS + minutes * 60_000);
const schedule = fc.oneof(
  fc.constantFrom("0 * * * *", "15 2 * * *", "* * * * *", "0 9 31 2 *", "0 9 * * 1", "no cron").map((expression) => ({ kind: "cron" as const, expression, zone: undefined })),
  momentMs.map((atMs) => ({ kind: "once" as const, atMs })),
  fc.record({ kind: fc.constant("every" as const), everyMs: fc.constantFrom(HOUR_MS, 6 * HOUR_MS, 100), anchorMs: fc.option(momentMs, { nil: undefined }) }),
  fc.constant(undefined),
);
const claim = fc.option(momentMs.map((atMs) => ({ atMs, place: PLACE })), { nil: undefined, freq: 2 });

const task: fc.Arbitrary<Omit<TaskObservation, "id">> = fc.record({
  place: fc.constant(PLACE),
  registries: fc.constantFrom([], ["/r.json"], ["/r.json"], ["/r.json", "/s.json"]),
  enabled: fc.boolean(),
  schedule,
  lastRun: claim,
  running: claim,
  createdAtMs: fc.option(momentMs, { nil: undefined, freq: 1 }),
  prompt: fc.constantFrom("present", "missing", "inline", "unreadable", "is-its-name"),
  repeat: fc.constant(undefined),
  problems: fc.constantFrom(
    [],
    [],
    [{ code: "FIRE_AT_INVALID", place: PLACE, seen: 'text "x"', wanted: "a number", instead: "7" }],
    [{ code: "FIELD_RENAMED", place: PLACE, seen: "/cronExpr, which the layout does not have, is text", wanted: "/cron" }],
  ),
});

const notRead: fc.Arbitrary<NotRead[]> = fc.subarray([
  { what: "traces of runs", reason: "missing-input", message: "no session file of any age", evidence: { firstLines: ["NO_TRACES"] } },
  { what: "/r.json", reason: "unstable-input", message: "/r.json changed under the reading", evidence: {} },
  { what: "/projects/x.jsonl", reason: "missing-input", message: "/projects/x.jsonl may not be read by this user (EACCES)", evidence: { firstLines: ["EACCES"] } },
]);

const IDS = ["a", "b", "c", "d", "e"] as const;

const layout: fc.Arbitrary<LayoutObservation> = fc
  .record({
    preset: fc.constantFrom(...PRESETS),
    tasks: fc.array(task, { maxLength: IDS.length }),
    outcome: fc.constantFrom("read" as const, "read" as const, "unreadable" as const, "empty" as const, "unsupported-version" as const),
    runs: fc.option(fc.array(fc.record({ taskId: fc.constantFrom(...IDS, "nobody"), startedAtMs: momentMs, trigger: fc.constantFrom("unknown" as const, "manual" as const, "scheduled" as const, "catch-up" as const) }), { maxLength: 30 }), { nil: undefined, freq: 4 }),
    awake: fc.array(momentMs.map((fromMs) => ({ fromMs, toMs: fromMs + HOUR_MS })), { maxLength: 4 }),
    notRead,
    // An id that no task has: its alarm is the layout's.
    duplicateIds: fc.constantFrom([], [{ id: "gone", places: [PLACE, PLACE] }]),
  })
  .map(({ preset, tasks, outcome, runs, awake, notRead: missed, duplicateIds }) => ({
    preset,
    places: ["/r.json"],
    registries: [
      { path: "/r.json", modifiedAtMs: NOW_MS, outcome, entries: tasks.length, invalid: 0, otherLists: [], duplicateIds, duplicateKeys: [], encoding: [], version: undefined, skips: [], problem: undefined },
    ],
    tasks: tasks.map((one, index) => ({ ...one, id: IDS[index] as string })),
    promptFolders: preset.prompts === undefined ? undefined : tasks.length,
    artefacts:
      runs === undefined || preset.artefacts.length === 0
        ? undefined
        : {
            runs: runs.map((run) => ({ ...run, place: PLACE })),
            searched: { files: runs.length, lines: 0 },
            damaged: [],
            reachesBackToMs: runs.length === 0 ? undefined : Math.min(...runs.map(({ startedAtMs }) => startedAtMs)),
          },
    markers: [],
    residue: [],
    awake,
    notRead: missed,
    filesSeen: 3,
  }));

const observation: fc.Arbitrary<Observation> = fc.record({
  layouts: fc.array(layout, { maxLength: 3 }),
  candidates: fc.constant([]),
  looked: fc.constant([{ path: "/", found: "layout" as const }]),
  notRead: fc.constantFrom([], [], [{ what: "/secret", reason: "missing-input" as const, message: "/secret may not be read", evidence: {} }]),
  capped: fc.constantFrom([], [], ["time: 7 folders were left"]),
});

const options = { fromMs: NOW_MS - 24 * HOUR_MS, toMs: NOW_MS, nowMs: NOW_MS, zone: "UTC", only: [], tool: { name: "casebook doctor", version: "0.0.0" }, command: "casebook doctor" };

it("adds up whatever was observed, on the screen and in the document", () => {
  fc.assert(
    fc.property(observation, (seen) => {
      const report = examine(seen, options);
      expect(sumProblems(report)).toEqual([]);
      // One row for each task and each layout, and one for what could not be read.
      const planned = seen.layouts.reduce((sum, { tasks }) => sum + tasks.length + 1, 0) + seen.notRead.length + seen.capped.length;
      expect(report.tally.planned).toBe(planned);
      expect(reportShape.safeParse(JSON.parse(writeReportJson(report, { homes: [] }))).error).toBeUndefined();
      const text = writeHuman(report, { homes: [] });
      expect(text.split("\n").filter((line) => line.endsWith(" "))).toEqual([]);
      expect(text.endsWith(`\n${tallyLine(report.tally)}\n`)).toBe(true);
    }),
    { numRuns: 20, seed: 20260902 },
  );
});

it("lets no alarm pass: one finding that alarms is one row that fails", () => {
  fc.assert(
    fc.property(observation, (seen) => {
      const { findings, tally } = examine(seen, options);
      expect(tally.failed > 0).toBe(findings.some(({ severity }) => severity === "alarm"));
    }),
    { numRuns: 20, seed: 7 },
  );
});
