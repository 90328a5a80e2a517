import { describe, expect, it } from "vitest";
import type { LayoutObservation, Observation } from "../observation.ts";
import * as fixtures from "../presets/fixtures/index.ts";
import { FIXTURE_NOW_MS, FIXTURE_ZONE, iso, json, registryText, withFile, withRegistry, type Fixture, type FixtureFiles } from "../presets/fixtures/index.ts";
import { customPreset, PRESETS } from "../presets/index.ts";
import { memoryTree } from "../trees/index.ts";
import { observe } from "./observe.ts";

const lookAt = (files: FixtureFiles, places: readonly string[], presets = PRESETS): Promise<Observation> =>
  observe(memoryTree(files), { places, presets, nowMs: FIXTURE_NOW_MS, machineZone: FIXTURE_ZONE });

async function layoutOf(fixture: Fixture, places = fixture.places): Promise<LayoutObservation> {
  const { layouts } = await lookAt(fixture.files, places);
  expect(layouts.map(({ preset }) => preset.id)).toEqual([fixture.preset]);
  return layouts[0] as LayoutObservation;
}

describe("four ways to find nothing are four answers", () => {
  it("an empty folder has nothing in it", async () => {
    const { layouts, looked, candidates, notRead } = await lookAt({ "/data/": "" }, ["/data", "/gone"]);
    expect(looked).toEqual([{ path: "/data", found: "nothing", message: "it is empty" }, { path: "/gone", found: "absent" }]);
    expect({ layouts, candidates, notRead }).toEqual({ layouts: [], candidates: [], notRead: [] });
  });

  it("an unknown layout is a candidate with the command that would read it, and the command does", async () => {
    const jobs = [{ id: "a", schedule: { expr: "0 3 * * *" }, last_run: "2026-09-02T03:00:00Z" }, { id: "b", schedule: { expr: "0 4 * * *" } }];
    const files = { "/data/my jobs.json": json({ jobs }) };
    const { looked, candidates, layouts } = await lookAt(files, ["/data"]);
    expect(looked).toEqual([{ path: "/data", found: "candidate" }]);
    expect(layouts).toEqual([]);
    expect(candidates).toEqual([
      {
        path: "/data/my jobs.json",
        pointer: "/jobs",
        objects: 2,
        keys: ["/id", "/schedule/expr", "/last_run"],
        tryThis: "casebook doctor '/data/my jobs.json' --registry '/data/my jobs.json' --records /jobs --id /id --schedule /schedule/expr --last-run /last_run",
      },
    ]);
    const custom = customPreset({ registry: "/data/my jobs.json", records: "/jobs", id: "/id", schedule: "/schedule/expr", lastRun: "/last_run" });
    if (custom.outcome !== "preset") throw new Error(custom.message);
    const read = await lookAt(files, ["/data/my jobs.json"], [custom.preset]);
    expect(read.layouts[0]?.tasks.map(({ id, schedule, lastRun }) => ({ id, schedule, at: lastRun?.atMs }))).toEqual([
      { id: "a", schedule: { kind: "cron", expression: "0 3 * * *", zone: undefined }, at: iso("2026-09-02T03:00:00Z") },
      { id: "b", schedule: { kind: "cron", expression: "0 4 * * *", zone: undefined }, at: undefined },
    ]);
  });

  it("a folder without permission is unreadable, with the reason", async () => {
    const { looked, notRead } = await lookAt({ "/data/": { refuses: "EACCES", kind: "directory" } }, ["/data"]);
    const message = "/data may not be read by this user (EACCES)";
    expect(looked).toEqual([{ path: "/data", found: "unreadable", message }]);
    expect(notRead).toEqual([{ what: "/data", reason: "missing-input", message, evidence: { firstLines: ["EACCES"] } }]);
  });

  it("evidence that was cleaned up leaves a layout whose runs nobody can see", async () => {
    const { artefacts, notRead, tasks } = await layoutOf(fixtures.claudeDesktopCleanedUp());
    expect(tasks.length).toBe(3);
    expect(artefacts).toBeUndefined();
    expect(notRead).toEqual([
      {
        what: "traces of runs (claude-desktop)",
        reason: "missing-input",
        message:
          "no session file or transcript of any age: none was found. Either nothing ever ran, or the evidence was cleaned up or is elsewhere",
        evidence: { firstLines: ["NO_TRACES"] },
      },
    ]);
  });
});

describe("a registry that is wrong", () => {
  it("names the line, the column and the value to write for text where a number of milliseconds belongs", async () => {
    const { tasks, registries } = await layoutOf(fixtures.claudeDesktopTextFireAt());
    expect(tasks.length).toBe(35);
    expect(registries[0]).toMatchObject({ outcome: "read", entries: 35, invalid: 1 });
    const [problem, ...others] = tasks.flatMap(({ id, problems }) => problems.map((one) => ({ id, ...one })));
    expect(others).toEqual([]);
    expect(problem).toEqual({
      id: "routine-34",
      code: "FIRE_AT_INVALID",
      place: {
        path: "/home/ada/.config/Claude/claude-code-sessions/account-1/workspace-1/scheduled-tasks.json",
        // Two lines before the list's first entry, seven lines an entry, and the third line of entry 33.
        line: 236,
        column: 17,
        pointer: "/scheduledTasks/33/fireAt",
      },
      seen: 'text "2026-09-03T07:30:00+01:00"',
      wanted: "a whole number of milliseconds since 1970, from 2001 to 2100",
      instead: String(iso("2026-09-03T06:30:00Z")),
    });
  });

  it("keeps the population of prompt folders when it was cut in half", async () => {
    const { tasks, registries, promptFolders } = await layoutOf(fixtures.claudeDesktopTruncated());
    expect(registries[0]).toMatchObject({ outcome: "unreadable", entries: undefined, problem: { code: "TRUNCATED" } });
    expect(registries[0]?.problem?.place.line).toBeGreaterThan(1);
    expect(promptFolders).toBe(3);
    expect(tasks.map(({ id, registries }) => ({ id, registries }))).toEqual(
      ["invoice-check", "nightly-digest", "triage"].map((id) => ({ id, registries: [] })),
    );
  });

  it("is empty beside three prompts, which stay tasks", async () => {
    const { tasks, registries } = await layoutOf(fixtures.claudeDesktopWiped());
    expect(registries[0]).toMatchObject({ outcome: "read", entries: 0 });
    expect(tasks.length).toBe(3);
  });

  it("is told apart: no bytes, other bytes, a mark, a version of tomorrow", async () => {
    const healthy = fixtures.openclawHealthy();
    const text = registryText(healthy);
    const utf16 = Uint8Array.from([0xff, 0xfe, ...[...text].flatMap((character) => [character.charCodeAt(0), 0])]);
    const marked = new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode(text)]);
    const seen: unknown[] = [];
    for (const bytes of ["", utf16, marked, text.replace('"version": 1', '"version": 7')]) {
      const { registries, tasks } = await layoutOf(withRegistry(healthy, bytes, "other bytes"));
      const [registry] = registries;
      seen.push([registry?.outcome, registry?.encoding.map(({ code, grade }) => `${code} ${grade}`), registry?.version?.seen, tasks.length]);
    }
    expect(seen).toEqual([
      ["empty", [], undefined, 0],
      ["unreadable", ["UTF16_LE fatal"], undefined, 0],
      ["read", ["BYTE_ORDER_MARK fatal"], undefined, 3],
      ["unsupported-version", [], "number 7", 3],
    ]);
  });

  it("counts an id that is there twice once, and says where both are; a repeated key too", async () => {
    const healthy = fixtures.qwenHealthy();
    const [first, second] = JSON.parse(registryText(healthy)) as { id: string }[];
    const twice = await layoutOf(withRegistry(healthy, json([first, { ...second, id: first?.id }]), "duplicate id"));
    expect(twice.tasks.map(({ problems }) => problems.map(({ code }) => code))).toEqual([["DUPLICATE_ID"]]);
    expect(twice.registries[0]?.entries).toBe(2);
    expect(twice.registries[0]?.duplicateIds.map(({ id, places }) => [id, places.map(({ pointer }) => pointer)])).toEqual([["k3j4h5g6", ["/0", "/1"]]]);
    const text = registryText(healthy).replace('"name": "Tidy",', '"name": "Tidy",\n    "cron": "1 1 * * *",');
    const { registries } = await layoutOf(withRegistry(healthy, text, "duplicate key"));
    expect(registries[0]?.duplicateKeys).toMatchObject([{ key: "/0/cron", place: { line: 6 } }]);
  });

  it("says of two stores that disagree which of them speaks: the one written last", async () => {
    const { tasks, registries } = await layoutOf(fixtures.claudeDesktopTwoStores());
    expect(registries.length).toBe(2);
    const task = tasks.find(({ id }) => id === "nightly-digest");
    expect(task).toMatchObject({ enabled: true, problems: [{ code: "STORES_DISAGREE" }] });
    expect(task?.registries.length).toBe(2);
  });
});

describe("units", () => {
  const cases: readonly [unknown, string, string | undefined][] = [
    [1_788_000_000, "TIME_UNIT", "1788000000000"],
    [1_788_000_000_000_000, "TIME_UNIT", "1788000000000"],
    [12, "TIME_IMPLAUSIBLE", undefined],
    ["1788000000000", "FIRE_AT_INVALID", "1788000000000"],
    ["2026-09-03T07:30:00", "FIRE_AT_INVALID", undefined],
    ["tomorrow", "FIRE_AT_INVALID", undefined],
    [true, "FIRE_AT_INVALID", undefined],
  ];
  for (const [value, code, instead] of cases) {
    it(`${JSON.stringify(value)} where milliseconds belong is ${code}`, async () => {
      const healthy = fixtures.claudeDesktopHealthy();
      const text = registryText(healthy).replace(/"fireAt": \d+/, `"fireAt": ${JSON.stringify(value)}`);
      const { tasks } = await layoutOf(withRegistry(healthy, text, "units"));
      const task = tasks.find(({ id }) => id === "invoice-check");
      expect(task?.schedule).toBeUndefined();
      expect(task?.problems.map((problem) => [problem.code, problem.instead])).toEqual([[code, instead]]);
    });
  }
});

describe("copies", () => {
  const healthy = fixtures.claudeDesktopHealthy();
  const text = registryText(healthy);

  it("recognises a single file, also under another name", async () => {
    for (const path of ["/tmp/copy/scheduled-tasks.json", "/tmp/copy/from-the-other-laptop.txt"]) {
      const { layouts, looked } = await lookAt({ [path]: text }, [path]);
      expect(layouts.map(({ preset, tasks }) => [preset.id, tasks.length])).toEqual([["claude-desktop", 3]]);
      expect(looked).toEqual([{ path, found: "layout" }]);
      expect(layouts[0]?.notRead.map(({ evidence }) => evidence.firstLines)).toEqual([["NO_TRACES"], ["NO_PROMPT_FOLDER"]].toReversed());
      expect(layouts[0]?.tasks.map(({ prompt }) => prompt)).toEqual(["unreadable", "unreadable", "unreadable"]);
    }
  });

  it("recognises the inner folder as it stands, and a subfolder that was copied away", async () => {
    const inner = await layoutOf(healthy, ["/home/ada/.config/Claude/claude-code-sessions/account-1/workspace-1"]);
    expect(inner.artefacts?.runs.length).toBe(2);
    const { files } = fixtures.openclawHealthy("split");
    const copied = Object.fromEntries(Object.entries(files).map(([path, entry]) => [path.replace("/home/ada/.openclaw/cron", "/backup/monday"), entry]));
    const { layouts } = await lookAt(copied, ["/backup"]);
    expect(layouts.map(({ preset, tasks, artefacts }) => [preset.id, tasks.length, artefacts?.runs.length])).toEqual([["openclaw-json", 3, 2]]);
  });

  it("finds several layouts in one place, each file once although places overlap", async () => {
    const all = fixtures.healthyFixtures().filter(({ title }) => !title.includes("split"));
    const files = Object.assign({}, ...all.map((fixture) => fixture.files)) as FixtureFiles;
    const { layouts, candidates } = await lookAt(files, ["/home/ada", "/home", "/home/ada/.hermes"]);
    expect(layouts.map(({ preset, tasks }) => [preset.id, tasks.length])).toEqual(all.map(({ preset, tasks }) => [preset, tasks.length]));
    expect(candidates).toEqual([]);
  });

  it("gives a damaged jobs.json that two products may own to neither, and says so", async () => {
    const { layouts, notRead, looked } = await lookAt({ "/backup/jobs.json": '{"jobs": [' }, ["/backup"]);
    expect(layouts).toEqual([]);
    expect(looked[0]?.found).toBe("unreadable");
    expect(notRead.map(({ message }) => message)).toEqual([
      "/backup/jobs.json is named like a registry of several layouts and could not be read (line 1, column 11): the text ends where a value or the end of the list should follow, 2 level(s) deep",
    ]);
  });
});

describe("traces", () => {
  it("counts what a run log's reader would pass over without a word", async () => {
    const healthy = fixtures.openclawHealthy();
    const path = "/home/ada/.openclaw/cron/runs/brief.jsonl";
    const good = { ts: iso("2026-09-02T06:00:09Z"), jobId: "brief", action: "finished", status: "ok" };
    const lines = [good, { ...good, action: "started" }, { ...good, jobId: 7 }, { ...good, status: "skipped" }].map((one) => JSON.stringify(one));
    const { artefacts } = await layoutOf(withFile(healthy, path, `{"ts": 17\n${lines.join("\n")}\n`, "run log"));
    expect(artefacts?.passedOver).toEqual({ unparseable: 1, otherKind: 1, wrongShape: 1 });
    expect(artefacts?.runs.map(({ taskId }) => taskId)).toEqual(["brief", "poll"]);
    expect(artefacts?.damaged.map(({ code, place, goodLinesAfter }) => [code, place.line, goodLinesAfter])).toEqual([["TRUNCATED", 1, 3], ["WRONG_SHAPE", 4, 1]]);
  });

  it("takes two sessions 51 ms apart for two runs", async () => {
    const healthy = fixtures.claudeDesktopHealthy();
    const again = fixtures.sessionFiles("triage", iso("2026-09-02T07:00:21.055Z"), "5e55-0009");
    const { artefacts } = await layoutOf({ ...healthy, files: { ...healthy.files, ...again } });
    expect(artefacts?.runs.map(({ taskId }) => taskId)).toEqual(["nightly-digest", "triage", "triage"]);
  });

  it("names a session that tells its task under another key", async () => {
    const healthy = fixtures.claudeDesktopHealthy();
    const path = Object.keys(healthy.files).find((one) => one.includes("local_5e55-0000")) as string;
    const { artefacts } = await layoutOf(withFile(healthy, path, json({ taskRef: "nightly-digest" }), "renamed"));
    expect(artefacts?.damaged).toMatchObject([{ code: "TASK_ID_RENAMED", place: { path, pointer: "/taskRef" } }]);
  });

  it("is awake only around what was written", async () => {
    const { awake, artefacts } = await layoutOf(fixtures.claudeDesktopHealthy());
    const isAwake = (at: string): boolean => awake.some(({ fromMs, toMs }) => fromMs <= iso(at) && iso(at) <= toMs);
    expect(["2026-09-02T02:15:00Z", "2026-09-01T11:00:00Z", "2026-09-02T04:00:00Z"].map(isAwake)).toEqual([true, true, false]);
    expect(artefacts?.reachesBackToMs).toBe(iso("2026-08-20T10:00:00Z"));
  });
});

it("reads a task of Qwen Code that is due once as one instant, the first slot after its birth", async () => {
  const { tasks } = await layoutOf(fixtures.qwenHealthy());
  expect(tasks.find(({ id }) => id === "q1w2e3r4")?.schedule).toEqual({ kind: "once", atMs: iso("2026-09-03T12:00:00Z") });
});

it("reads the heartbeat and the last success of a ticker apart", async () => {
  const healthy = fixtures.hermesHealthy();
  const stale = withFile(healthy, "/home/ada/.hermes/cron/ticker_last_success", String(iso("2026-09-01T00:00:00Z") / 1_000), "stale");
  const { markers } = await layoutOf(stale);
  expect(markers.map(({ kind, atMs }) => [kind, new Date(atMs).toISOString()])).toEqual([
    ["heartbeat", "2026-09-02T07:59:30.000Z"],
    ["last-success", "2026-09-01T00:00:00.000Z"],
  ]);
});

it("finds a lock without a registry, which is a request that was lost", async () => {
  const { layouts } = await lookAt({ "/home/ada/work/.claude/scheduled_tasks.lock": "{}" }, ["/home/ada/work"]);
  expect(layouts.map(({ preset, markers, notRead }) => [preset.id, markers.length, notRead.map(({ evidence }) => evidence.firstLines)])).toEqual([
    ["claude-project", 1, [["NO_REGISTRY"]]],
  ]);
});

it("takes the same id in two projects for two tasks", async () => {
  const { files, registry } = fixtures.claudeProjectHealthy();
  const other = registry.replace("/work/", "/play/");
  const { layouts } = await lookAt({ ...files, [other]: files[registry] as string }, ["/home/ada"]);
  expect(layouts.map(({ places, tasks }) => [places, tasks.length])).toEqual([[[other], 2], [[registry], 2]]);
  expect(layouts.flatMap(({ tasks }) => tasks.flatMap(({ problems }) => problems))).toEqual([]);
});

it("says of a registry that is a link that it was not followed", async () => {
  const files = { "/home/ada/.hermes/cron/jobs.json": { link: "/elsewhere/jobs.json" }, "/home/ada/.hermes/notes": { link: "/nowhere" } };
  const { looked, notRead } = await lookAt(files, ["/home/ada/.hermes"]);
  expect(looked[0]?.found).toBe("unreadable");
  expect(notRead.map(({ what, reason }) => [what, reason])).toEqual([["/home/ada/.hermes/cron/jobs.json", "unsupported"]]);
});

it("names the limits that it hits", async () => {
  const { files, places } = fixtures.claudeDesktopHealthy();
  const options = { places, presets: PRESETS, nowMs: FIXTURE_NOW_MS, machineZone: FIXTURE_ZONE };
  const few = await observe(memoryTree(files), { ...options, caps: { entries: 3 } });
  expect(few.capped[0]).toMatch(/^entries: 3 looked at/);
  let ticks = 0;
  const late = await observe(memoryTree(files), { ...options, caps: { timeMs: 5 }, now: () => (ticks += 1) });
  expect(late.capped[0]).toMatch(/^time: /);
  const small = await observe(memoryTree(files), { ...options, caps: { fileBytes: 100 } });
  expect(small.layouts[0]?.registries[0]?.outcome).toBe("unreadable");
  expect(small.layouts[0]?.notRead[0]?.reason).toBe("unsupported");
});

it("never repeats a prompt, a payload or a note", async () => {
  for (const fixture of fixtures.healthyFixtures()) {
    const files = Object.fromEntries(
      Object.entries(fixture.files).map(([path, entry]) => [path, typeof entry === "object" && "content" in entry ? { ...entry, content: String(entry.content).replaceAll("invented", "SECRET") } : String(entry).replaceAll("invented", "SECRET")]),
    );
    expect(JSON.stringify(await lookAt(files, fixture.places))).not.toContain("SECRET");
  }
});
