/**
 * Every JSON file of every fixture with one key renamed, one value of another type, or one list moved: the report says so, at its
 * place, does not end clean, and blames nothing else. Goes the whole way from bytes to rows.
 */
import { describe, expect, it } from "vitest";
import type { DoctorReport } from "../doctor-report.ts";
import { look, rowText } from "../examine/look.fixture.ts";
import { claudeDesktopHealthy, healthyFixtures, hermesHealthy, openclawHealthy, qwenHealthy, type Fixture } from "../presets/fixtures/index.ts";
import { changesOf, type Change } from "./renamed-changes.fixture.ts";

/** Where nothing is wrong. `what` is matched with the file's name, the pointer and what was done to it. */
const EXCEPTIONS: readonly { readonly what: RegExp; readonly because: string }[] = [
  { what: /^(scheduled|jobs).*\/(cwd|permissionMode|name|display|payload\/kind|lastRunStatus|nextRunAtMs) renamed$/, because: "no record has to have it, and nothing is read from it but a name" },
  { what: /^scheduled-tasks\.json \/recordedSkips\/triage (renamed|beside an empty one|under another key)$/, because: "the key is the id of a task: these are another task's skips" },
  { what: /^jobs-state\.json \/jobs\/\w+ renamed$/, because: "the key is the id of a task: this is another task's state" },
  { what: /^jobs-state\.json \/(version|jobs\/\w+\/updatedAtMs) /, because: "the preset does not name it" },
  { what: /^jobs\.json \/jobs (as a map|alone) hermes/, because: "both were met, and are read" },
  { what: /^local_.* \/(sessionId|permissionMode) /, because: "the preset does not name it" },
  { what: /^0000-talk\.jsonl /, because: "a conversation is nobody's run" },
  { what: /^5e55.*\.jsonl \/(type|sessionId|isSidechain|message.*) /, because: "the marker is found wherever it stands, and a message without it is a conversation" },
  { what: /^(brief|poll)\.jsonl \/durationMs /, because: "the preset does not name it" },
  { what: /^scheduled_tasks\.json \/0\/runs\/\d\/sessionId /, because: "the preset does not name it" },
];

/** Guards over the registry as a file; every other one would blame somebody for what could only not be read. */
const FILE_GUARDS: ReadonlySet<string> = new Set(["registry/entry-invalid", "registry/time-unit", "registry/second-list", "registry/unsupported-version"]);

function nameOf({ path, name }: Change, { preset }: Fixture): string {
  return `${path.slice(path.lastIndexOf("/") + 1)} ${name}${/ (as a map|alone)$/.test(name) && preset === "hermes" ? " hermes" : ""}`;
}

function exceptionOf(change: Change, fixture: Fixture) {
  return EXCEPTIONS.find(({ what }) => what.test(nameOf(change, fixture)));
}

/** What is missing from the report, or too much in it. */
function faultsOf(change: Change, { report, exit }: { report: DoctorReport; exit: number }): string[] {
  const blamed = report.findings.filter(({ severity, guard, where }) => severity === "alarm" && !(FILE_GUARDS.has(guard) && where?.path === change.path));
  return [
    ...(exit === 0 ? ["ends clean"] : []),
    ...(namesIt(change, report) ? [] : ["does not name it"]),
    ...blamed.map(({ guard, message }) => `${guard}: ${message}`),
  ];
}

/** A finding or a row without a verdict that names the file and the field, as it is or as it should be, or where its list went. */
function namesIt({ kind, path, pointer }: Change, { findings, rows }: DoctorReport): boolean {
  const field = pointer.split("/").findLast((part) => !/^\d+$/.test(part)) ?? "";
  const said = [
    ...findings.flatMap(({ where, message }) => (where?.path === path ? [`${path} ${where.pointer ?? ""} ${message}`] : [])),
    ...rows.flatMap(({ verdict, because }) => (verdict === "NOT RUN" ? [because] : [])),
  ];
  return said.some((text) => text.includes(path) && (text.includes(field) || (kind === "moved" && text.includes("/archive"))));
}

for (const fixture of healthyFixtures()) {
  describe(fixture.title, () => {
    const all = changesOf(fixture);

    it.each(["renamed", "retyped", "moved"] as const)("says of each field or list that was %s what it is, where, and nothing else", async (kind) => {
      const changes = all.filter((change) => change.kind === kind && exceptionOf(change, fixture) === undefined);
      expect(changes.length).toBeGreaterThan(3);
      const wrong: string[] = [];
      for (const change of changes) {
        const faults = faultsOf(change, await look(change.fixture));
        if (faults.length > 0) wrong.push(`${nameOf(change, fixture)}: ${faults.join(", ")}`);
      }
      expect(wrong).toEqual([]);
    });

    it("says nothing of what may be otherwise", async () => {
      const loud: string[] = [];
      for (const change of all.filter((one) => exceptionOf(one, fixture) !== undefined)) {
        const { exit, alarms, report } = await look(change.fixture);
        // A type that is wrong is said of every field that is known.
        if (exit !== 0 && !namesIt(change, report)) loud.push(`${nameOf(change, fixture)}: exit ${exit}, ${alarms.join(", ")}`);
      }
      expect(loud).toEqual([]);
    });
  });
}

it("needs each of its exceptions", () => {
  const names = healthyFixtures().flatMap((fixture) => changesOf(fixture).map((change) => nameOf(change, fixture)));
  expect(EXCEPTIONS.filter(({ what }) => !names.some((name) => what.test(name)))).toEqual([]);
});

describe("a field that could not be read", () => {
  const rows = async (fixture: Fixture, file: string, name: string) => {
    const change = changesOf(fixture).find((one) => one.path.endsWith(file) && one.name === name);
    if (change === undefined) throw new Error(`${fixture.title} has no change "${name}" of ${file}`);
    const { report, alarms } = await look(change.fixture);
    return { alarms, rows: report.rows.map(rowText).filter((row) => !row.startsWith("PASS")) };
  };

  it("of the last run makes claimed a dash, and no run invisible", async () => {
    expect(await rows(claudeDesktopHealthy(), "scheduled-tasks.json", "/scheduledTasks/0/lastRunAt renamed")).toEqual({ alarms: ["registry/entry-invalid"], rows: ["FAIL nightly-digest 1 - 1"] });
    expect(await rows(openclawHealthy("split"), "jobs-state.json", "/jobs/brief/state renamed")).toEqual({ alarms: ["registry/entry-invalid"], rows: ["FAIL brief 1 - 1"] });
    expect(await rows(qwenHealthy(), "scheduled_tasks.json", "/0/lastFiredAt as string")).toEqual({ alarms: ["registry/entry-invalid"], rows: ["FAIL k3j4h5g6 1 - 1"] });
  });

  it("of what a period is counted from makes all its slots unknown", async () => {
    expect(await rows(hermesHealthy(), "jobs.json", "/jobs/1/last_run_at renamed")).toEqual({ alarms: ["registry/entry-invalid"], rows: ["FAIL 5f4e3d2c1b0a - - -"] });
  });

  it("because its whole list moved leaves each prompt folder without a verdict, and blames nobody for an empty registry", async () => {
    expect(await rows(claudeDesktopHealthy(), "scheduled-tasks.json", "/scheduledTasks beside an empty one")).toEqual({
      alarms: ["registry/second-list"],
      rows: ["FAIL claude-desktop - - -", "NOT RUN invoice-check - - -", "NOT RUN nightly-digest - - -", "NOT RUN triage - - -"],
    });
  });

  it("of an id leaves the prompt folders without a verdict, which may be its own", async () => {
    expect(await rows(claudeDesktopHealthy(), "scheduled-tasks.json", "/scheduledTasks/0/id renamed")).toEqual({
      alarms: ["registry/entry-invalid"],
      rows: ["FAIL scheduled-tasks.json/scheduledTasks/0 - - -", "NOT RUN nightly-digest - - -"],
    });
  });
});
