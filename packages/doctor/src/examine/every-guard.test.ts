/** Damage to a tree, and the guard that tells of it. Each is repaired by taking the damage away, and looked at as the finding says. */
import { describe, expect, it } from "vitest";
import * as fixtures from "../presets/fixtures/index.ts";
import { FIXTURE_NOW_MS, iso, json, registryText, sessionFiles, withFile, withRegistry, writtenAt, type Fixture } from "../presets/fixtures/index.ts";
import { GUARD_IDS } from "./guard-ids.ts";
import { edited, look, type Look, sumProblems } from "./look.fixture.ts";

const desktop = fixtures.claudeDesktopHealthy();
const openclaw = fixtures.openclawHealthy();
const hermes = fixtures.hermesHealthy();
const project = fixtures.claudeProjectHealthy();

const receipts = fixtures.receiptLog();
/** Its log with one line replaced, from 0; an empty one takes it away. */
const withLine = (index: number, line: (before: string) => string): Fixture => {
  const lines = registryText(receipts).match(/.*\n/g) ?? [];
  return fixtures.receiptLog(lines.toSpliced(index, 1, line(lines[index] ?? "")).join(""));
};

const PROMPTS = "/home/ada/.claude/scheduled-tasks";
const LOCK = "/home/ada/work/.claude/scheduled_tasks.lock";

const change = (fixture: Fixture, from: string | RegExp, to: string): Fixture => ({
  ...fixture,
  files: edited(fixture.files, fixture.registry, (text) => text.replace(from, to)),
});
const withRuns = (fixture: Fixture, ...runs: readonly (readonly [string, string])[]): Fixture => ({
  ...fixture,
  files: Object.assign({}, fixture.files, ...runs.map(([id, at], index) => sessionFiles(id, iso(at), `more-${index}`))) as Fixture["files"],
});
const withoutSession = (fixture: Fixture, session: string): Fixture => ({
  ...fixture,
  files: Object.fromEntries(Object.entries(fixture.files).filter(([path]) => !path.includes(session))),
});
/** Entries besides the healthy ones, each with a prompt. */
const withEntries = (fixture: Fixture, ...entries: readonly { readonly id: string }[]): Fixture => {
  const document = JSON.parse(registryText(fixture)) as { scheduledTasks: object[] };
  const files = { ...fixture.files, [fixture.registry]: writtenAt(FIXTURE_NOW_MS, json({ ...document, scheduledTasks: [...document.scheduledTasks, ...entries] })) };
  for (const { id } of entries) files[`${PROMPTS}/${id}/SKILL.md`] = fixtures.prompt(id);
  return { ...fixture, files };
};
const entry = { enabled: true, createdAt: iso("2026-08-01T00:00:00Z") };

const at = (instant: string) => ({ fireAt: iso(instant) });

interface Damage {
  readonly healthy: Fixture;
  readonly damaged: Fixture;
  readonly options?: Look;
}

const damages: Readonly<Record<string, Damage>> = {
  "clock/skew": { healthy: desktop, damaged: change(desktop, "2026-09-02T07:00:21.004Z", "2026-09-02T09:30:21.004Z") },
  "encoding/graded": { healthy: desktop, damaged: withRegistry(desktop, `\uFEFF${registryText(desktop)}`, "a mark") },
  "fleet/silent": { healthy: desktop, damaged: desktop, options: { nowMs: iso("2026-09-09T08:00:00Z") } },
  "heartbeat/loops-without-success": {
    healthy: hermes,
    damaged: withFile(hermes, "/home/ada/.hermes/cron/ticker_last_success", String(iso("2026-09-01T00:00:00Z") / 1_000), "no success"),
  },
  "lock/future-dated": { healthy: project, damaged: withFile(project, LOCK, writtenAt(iso("2026-09-03T08:00:00Z"), "{}"), "a lock of tomorrow") },
  "lock/stale": { healthy: project, damaged: withFile(project, LOCK, writtenAt(iso("2026-08-20T08:00:00Z"), "{}"), "an old lock") },
  "receipts/damaged": {
    healthy: openclaw,
    damaged: { ...openclaw, files: edited(openclaw.files, "/home/ada/.openclaw/cron/runs/brief.jsonl", (text) => `{"ts": 1\n${text}`) },
  },
  "receipts/gap": { healthy: receipts, damaged: withLine(2, () => "") },
  "receipts/key-reuse": { healthy: receipts, damaged: withLine(1, (line) => line.replace('"ada"', '"ben"')) },
  "receipts/out-of-order": { healthy: receipts, damaged: withLine(3, (line) => line.replace('"seq":4', '"seq":3')) },
  "receipts/pending-open": { healthy: receipts, damaged: withLine(5, () => ""), options: { nowMs: iso("2026-09-02T12:00:00Z") } },
  "receipts/state-regression": { healthy: receipts, damaged: withLine(5, (line) => line.replaceAll('"', "'")) },
  "receipts/two-terminals": { healthy: receipts, damaged: withLine(4, () => fixtures.receiptLine({ key: "digest-1", state: "completed", at: "2026-09-02T05:30:00Z" }, 5)) },
  "registry/duplicate-id": { healthy: desktop, damaged: change(desktop, '"id": "triage"', '"id": "nightly-digest"') },
  "registry/duplicate-key": { healthy: desktop, damaged: change(desktop, '"enabled": true,', '"enabled": true,\n      "enabled": true,') },
  "registry/entry-invalid": { healthy: desktop, damaged: change(desktop, '"enabled": true', '"enabled": "yes"') },
  "registry/missing-prompt": { healthy: desktop, damaged: withFile(desktop, `${PROMPTS}/triage/SKILL.md`, undefined, "no prompt") },
  "registry/orphan-prompts": { healthy: desktop, damaged: withFile(desktop, `${PROMPTS}/lost/SKILL.md`, fixtures.prompt("lost"), "an orphan") },
  "registry/parity": { healthy: desktop, damaged: fixtures.claudeDesktopTruncated() },
  "registry/prompt-is-its-name": { healthy: desktop, damaged: withFile(desktop, `${PROMPTS}/triage/SKILL.md`, "triage\n", "its name") },
  "registry/second-list": { healthy: openclaw, damaged: change(openclaw, '"version": 1,', '"version": 1,\n  "old": [{ "id": "x" }, { "id": "y" }],') },
  "registry/split-brain": { healthy: desktop, damaged: fixtures.claudeDesktopTwoStores() },
  "registry/time-unit": { healthy: desktop, damaged: change(desktop, /"fireAt": \d+/, '"fireAt": 1788000000') },
  "registry/unsupported-version": { healthy: openclaw, damaged: change(openclaw, '"version": 1', '"version": 7') },
  "registry/wiped": { healthy: desktop, damaged: fixtures.claudeDesktopWiped() },
  "residue/leftovers": { healthy: desktop, damaged: withFile(desktop, `${desktop.registry}.4711.tmp`, "{", "a leftover") },
  "running/stale-marker": { healthy: openclaw, damaged: change(openclaw, '"lastRunAtMs"', `"runningAtMs": ${iso("2026-09-01T06:00:00Z")},\n        "lastRunAtMs"`) },
  // Clocks go forth in Lisbon on 28 March 2027 at 01:00: there is no 01:30.
  "schedule/dst-hazard": { healthy: desktop, damaged: change(desktop, "15 2 * * *", "30 1 28 3 *"), options: { zone: "Europe/Lisbon" } },
  "schedule/impossible": { healthy: desktop, damaged: change(desktop, "15 2 * * *", "99 2 * * *") },
  "schedule/never-fires": { healthy: desktop, damaged: change(desktop, "15 2 * * *", "15 2 31 2 *") },
  "schedule/one-shot-stuck": { healthy: desktop, damaged: withEntries(desktop, { id: "stuck", ...entry, ...at("2026-09-01T12:00:00Z") }) },
  "schedule/one-shots-share-an-instant": {
    healthy: desktop,
    damaged: withEntries(desktop, ...[1, 2, 3, 4].map((number) => ({ id: `once-${number}`, ...entry, ...at("2026-09-05T12:00:00Z") }))),
  },
  "schedule/skips-exceed-fires": {
    healthy: desktop,
    damaged: change(desktop, '"reason": "global_limit"\n      }', `"reason": "global_limit"\n      }, { "at": ${iso("2026-09-02T05:00:00Z")}, "reason": "global_limit" }`),
  },
  "slot/disabled-fired": {
    healthy: desktop,
    damaged: withRuns(
      change(desktop, /"enabled": true,(\s+"createdAt": \d+,\s+"lastRunAt": ")2026-09-02T02:15:48.120Z/, '"enabled": false,$12026-08-20T02:15:48.120Z'),
      ["nightly-digest", "2026-09-01T02:15:48Z"],
    ),
  },
  "slot/duplicate": { healthy: desktop, damaged: withRuns(desktop, ["triage", "2026-09-02T07:00:21.055Z"]) },
  "slot/ghost-success": { healthy: desktop, damaged: withoutSession(desktop, "5e55-0000") },
  "slot/invisible-fire": { healthy: desktop, damaged: change(desktop, "2026-09-02T02:15:48.120Z", "2026-08-25T02:15:48.120Z") },
  "slot/missed": { healthy: desktop, damaged: change(withoutSession(desktop, "5e55-0000"), "2026-09-02T02:15:48.120Z", "2026-08-25T02:15:48.120Z") },
  "slot/wrong-slot": {
    healthy: fixtures.qwenHealthy(),
    damaged: change(fixtures.qwenHealthy(), '"kind": "scheduled",\n        "sessionId": "s2"', `"kind": "scheduled",\n        "sessionId": "s2"\n      },\n      {\n        "at": ${iso("2026-09-01T20:00:00Z")},\n        "kind": "scheduled"`),
  },
};

it("has a damage for every guard", () => {
  expect(Object.keys(damages).toSorted()).toEqual(GUARD_IDS);
});

describe.each(Object.entries(damages))("%s", (guard, { healthy, damaged, options = {} }) => {
  it("tells of its damage, and its counts add up", async () => {
    const { report, exit } = await look(damaged, options);
    const own = report.findings.filter((finding) => finding.guard === guard);
    expect(own.length).toBeGreaterThan(0);
    expect(sumProblems(report)).toEqual([]);
    const isAlarm = own.some(({ severity }) => severity === "alarm");
    if (isAlarm) expect({ exit, fails: report.rows.some(({ verdict }) => verdict === "FAIL") }).toEqual({ exit: 1, fails: true });
  });

  it("asked alone, it says the same; on the repaired tree it is silent and exits 0", async () => {
    const { report } = await look(damaged, { ...options, only: [guard] });
    expect([...new Set(report.findings.map((finding) => finding.guard))]).toEqual([guard]);
    expect(report.findings.map(({ verify }) => verify)).toEqual(report.findings.map(() => `casebook doctor --only ${guard}`));
    const repaired = await look(healthy, guard === "fleet/silent" ? {} : { ...options, only: [guard] });
    expect({ exit: repaired.exit, alarms: repaired.alarms }).toEqual({ exit: 0, alarms: [] });
    expect(repaired.report.findings.filter((finding) => finding.guard === guard)).toEqual([]);
  });
});

describe("--only", () => {
  it("does not ask for traces when no guard that was asked for needs them", async () => {
    const cleaned = fixtures.claudeDesktopCleanedUp();
    expect((await look(cleaned)).exit).toBe(3);
    expect(await look(cleaned, { only: ["registry/entry-invalid"] })).toMatchObject({ exit: 0, alarms: [] });
    expect((await look(cleaned, { only: ["slot/missed"] })).exit).toBe(3);
  });

  it("does not fail for a file's problem when only slots were asked for, and says of a task whose slots are not known that it was not run", async () => {
    const invalid = change(desktop, '"enabled": true', '"enabled": "yes"');
    // It may be off, so that its slots are nobody's.
    expect(await look(invalid, { only: ["slot/missed", "slot/duplicate"] })).toMatchObject({ exit: 3, alarms: [] });
    const { report, exit } = await look(fixtures.claudeDesktopTextFireAt(), { only: ["slot/missed"] });
    expect({ exit, row: report.rows[0]?.because }).toEqual({ exit: 3, row: "its slots are not known: it has no schedule that could be read" });
  });

  it("does not ask a single copied registry for its prompts when an entry is repaired", async () => {
    const path = "/tmp/copy/scheduled-tasks.json";
    const files = { [path]: registryText(desktop) };
    expect((await look({ files, places: [path] }, { only: ["registry/entry-invalid"] })).exit).toBe(0);
    expect((await look({ files, places: [path] }, { only: ["registry/missing-prompt"] })).exit).toBe(3);
  });
});
