/** What a restart finds: crashes at named moments, and state files that are not what they should be. */
import type { Ports } from "@casebook/ports";
import type { Task } from "@casebook/registry/judge";
import { type World, createWorld } from "@casebook/sim";
import { describe, expect, it } from "vitest";
import { type PassReport, type Scheduler, type SchedulerPolicies, createMemorySource, createScheduler } from "./index.ts";

const noon = Date.parse("2026-07-03T12:00:00Z");
const once = (id: string): Task => ({ id, enabled: true, schedule: { kind: "once", atMs: noon }, lastRunAtMs: undefined });
const daily: Task = { ...once("daily"), schedule: { kind: "cron", expression: "0 12 * * *", zone: undefined } };

/** A process that dies at a named moment: from then on its ports never answer. */
function dyingAt(point: string, ports: Ports): Ports {
  return { ...ports, faults: { reach: (reached) => (reached === point ? new Promise(() => undefined) : ports.faults.reach(reached)) } };
}

async function play(
  world: World,
  tasks: readonly Task[],
  crash: string | undefined,
  maxConcurrent = 3,
  policies: Partial<SchedulerPolicies> = {},
) {
  const dispatched: string[] = [];
  const source = createMemorySource(tasks);
  return world.run(async (ports) => {
    const scheduler: Scheduler = createScheduler(crash === undefined ? ports : dyingAt(crash, ports), {
      source,
      zone: "UTC",
      statePath: "/state.json",
      dispatch: async ({ task }) => void dispatched.push(task.id),
      maxConcurrent,
      policies,
    });
    const pass = scheduler.pass();
    const report = crash === undefined ? await pass : await ports.clock.sleep(60_000).then((): undefined => undefined);
    return { dispatched, report, fires: scheduler.fires() };
  });
}

describe("a crash", () => {
  it("after the intent costs that slot: the next process reports it as interrupted and does not guess", async () => {
    const world = createWorld({ seed: 1, epoch: noon });
    const before = await play(world, [once("one")], "scheduler.after-intent");
    expect(before.dispatched).toEqual([]);
    const after = await play(world, [once("one")], undefined);
    expect(after.dispatched).toEqual([]);
    expect(after.report).toMatchObject({ outcome: "passed", interrupted: [{ taskId: "one", slotMs: noon }] });
    expect(world.log).toContainEqual(expect.objectContaining({ level: "warning", event: "scheduler.slot-interrupted" }));
    // Reported once; a third process has nothing new to say.
    expect((await play(world, [once("one")], undefined)).report).toMatchObject({ interrupted: [] });
  });

  it("after the dispatch does not dispatch again", async () => {
    const world = createWorld({ seed: 1, epoch: noon });
    expect((await play(world, [once("one")], "scheduler.after-dispatch")).dispatched).toEqual(["one"]);
    const after = await play(world, [once("one")], undefined);
    expect(after.dispatched).toEqual([]);
    expect(after.report).toMatchObject({ interrupted: [{ taskId: "one", slotMs: noon }] });
  });

  it("removes what a writer of the state left behind an hour ago, and says so", async () => {
    const world = createWorld({ seed: 1, epoch: noon });
    const leftover = "/state.json.commit-dead.tmp";
    await (await world.ports.disk.open(leftover, "wx")).close();
    await play(world, [once("one")], undefined);
    expect(Object.keys(world.volume().toJSON())).toContain(leftover);
    world.setClock(noon + 3_600_000);
    await play(world, [once("one")], undefined);
    expect(Object.keys(world.volume().toJSON())).toEqual(["/state.json"]);
    expect(world.log).toContainEqual(expect.objectContaining({ level: "info", event: "scheduler.leftovers-removed", facts: { path: "/state.json", removed: 1 } }));
  });

  it("loses nothing of the queue behind the cap", async () => {
    const world = createWorld({ seed: 1, epoch: noon });
    const tasks = [once("one"), daily, once("two"), once("three")];
    expect((await play(world, tasks, "scheduler.after-dispatch", 1)).dispatched).toEqual(["one"]);
    expect((await play(world, tasks, undefined)).dispatched).toEqual(["daily", "two", "three"]);
    expect((await play(world, tasks, undefined)).dispatched).toEqual([]);
  });

  it("with a queue whose task is gone leaves a record of the refusal", async () => {
    const world = createWorld({ seed: 1, epoch: noon });
    await play(world, [once("one"), once("two")], "scheduler.after-dispatch", 1);
    const after = await play(world, [once("one")], undefined);
    expect(after.fires.map(({ taskId, problem }) => [taskId, problem?.code])).toEqual([["two", "TASK_REMOVED"]]);
  });

  it("with a queue whose task is disabled by now leaves a record too, and the slot does not come back", async () => {
    const world = createWorld({ seed: 1, epoch: noon });
    const off = (task: Task): Task => ({ ...task, enabled: false });
    await play(world, [once("one"), once("two"), daily], "scheduler.after-dispatch", 1);
    const after = await play(world, [once("one"), off(once("two")), off(daily)], undefined);
    expect(after.fires.map(({ taskId, problem }) => [taskId, problem?.code])).toEqual([["two", "TASK_DISABLED"], ["daily", "TASK_DISABLED"]]);
    expect((await play(world, [once("one"), once("two"), daily], undefined)).dispatched).toEqual([]);
  });

  it.each([{}, { enabledRead: "at-scheduling-time" } as const])(
    "with a queue whose task has another schedule by now leaves a record, and the slot does not stay queued, under %j",
    async (policies) => {
      const world = createWorld({ seed: 1, epoch: noon });
      const oneShotLater: Task = { ...once("two"), schedule: { kind: "once", atMs: noon + 86_400_000 } };
      const halfPast: Task = { ...daily, schedule: { kind: "cron", expression: "30 * * * *", zone: undefined } };
      await play(world, [once("one"), once("two"), daily], "scheduler.after-dispatch", 1);
      const after = await play(world, [once("one"), oneShotLater, halfPast], undefined, 3, policies);
      expect(after.dispatched).toEqual([]);
      expect(after.fires.map(({ key, problem }) => [key, problem?.code])).toEqual([
        ["two@2026-07-03T12:00:00.000Z", "TASK_RESCHEDULED"],
        ["daily@2026-07-03T12:00:00.000Z", "TASK_RESCHEDULED"],
      ]);
      expect(String(world.volume().readFileSync("/state.json"))).not.toContain("queued");
    },
  );

  it.each([{}, { enabledRead: "at-scheduling-time" } as const])(
    "with a queue whose task cannot be read for a while runs the slot when it can, under %j",
    async (policies) => {
      const world = createWorld({ seed: 1, epoch: noon });
      const invalid: Task = { ...daily, schedule: { kind: "cron", expression: "61 * * * *", zone: undefined } };
      await play(world, [once("one"), daily], "scheduler.after-dispatch", 1);
      const fires = await world.run(async (ports) => {
        const source = createMemorySource([once("one"), invalid]);
        const scheduler = createScheduler(ports, { source, zone: "UTC", statePath: "/state.json", dispatch: async () => undefined, policies });
        await scheduler.pass();
        expect([scheduler.fires(), scheduler.waiting]).toEqual([[], 1]);
        source.put(daily);
        await scheduler.pass();
        return scheduler.fires();
      });
      expect(fires.map(({ key, outcome }) => [key, outcome])).toEqual([["daily@2026-07-03T12:00:00.000Z", "dispatched"]]);
      expect(world.log).toContainEqual(expect.objectContaining({ event: "scheduler.fire-deferred", facts: expect.objectContaining({ code: "CRON_UNREADABLE" }) }));
    },
  );

  it("with a queue runs the newest slot of a task only, when a newer one is due by then", async () => {
    const world = createWorld({ seed: 1, epoch: noon });
    await play(world, [once("one"), daily], "scheduler.after-dispatch", 1);
    world.setClock(noon + 86_400_000);
    const after = await play(world, [once("one"), daily], undefined);
    expect(after.fires.map(({ key }) => key)).toEqual(["daily@2026-07-04T12:00:00.000Z"]);
    expect(after.report).toMatchObject({ discarded: [{ taskId: "daily", slots: 1, counted: "exactly" }] });
    expect((await play(world, [once("one"), daily], undefined)).dispatched).toEqual([]);
  });
});

describe("a disk that refuses", () => {
  /** A disk whose `nth` replacements of the state file fail. */
  const refusing = (ports: Ports, nth: readonly number[]): Ports => {
    let renames = 0;
    const rename = (from: string, to: string) => {
      renames += 1;
      return nth.includes(renames) ? Promise.reject(Object.assign(new Error("disk full"), { code: "ENOSPC" })) : ports.disk.rename(from, to);
    };
    return { ...ports, disk: { ...ports.disk, rename } };
  };

  // The first replacement is the pass, the second the intent, the third the outcome.
  it.each([
    [1, ["state-not-written", "passed"], [60_000]],
    [2, ["passed", "passed"], [60_000]],
    [3, ["passed", "passed"], [0]],
  ])("replacement %i costs no slot and gives none twice", async (nth, passes, firedAt) => {
    const world = createWorld({ seed: 1, epoch: noon });
    const fired: number[] = [];
    const reports = await world.run(async (ports) => {
      const scheduler = createScheduler(refusing(ports, [nth]), {
        source: createMemorySource([once("one")]),
        zone: "UTC",
        statePath: "/state.json",
        dispatch: async ({ firedAtMs }) => void fired.push(firedAtMs - noon),
      });
      const first = await scheduler.pass();
      await ports.clock.sleep(60_000);
      return [first, await scheduler.pass()];
    });
    expect(reports.map(({ outcome }) => outcome)).toEqual(passes);
    expect(fired).toEqual(firedAt);
    expect(world.log.some(({ level, facts }) => level === "error" && facts["code"] === "ENOSPC")).toBe(true);
    expect((await play(world, [once("one")], undefined)).dispatched).toEqual([]);
  });
});

describe("a disk that refuses in the middle", () => {
  it("costs no slot of a later pass either, because memory follows only what the disk took", async () => {
    const world = createWorld({ seed: 1, epoch: noon - 60_000 });
    let isFull = false;
    const fired = await world.run(async (ports) => {
      const rename = (from: string, to: string) => (isFull ? Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" })) : ports.disk.rename(from, to));
      const scheduler = createScheduler({ ...ports, disk: { ...ports.disk, rename } }, {
        source: createMemorySource([daily]),
        zone: "UTC",
        statePath: "/state.json",
        dispatch: async () => undefined,
      });
      const outcomes = [];
      for (const full of [false, true, false]) {
        isFull = full;
        outcomes.push((await scheduler.pass()).outcome);
        await ports.clock.sleep(60_000);
      }
      expect(outcomes).toEqual(["passed", "state-not-written", "passed"]);
      return scheduler.fires().map(({ key }) => key);
    });
    expect(fired).toEqual(["daily@2026-07-03T12:00:00.000Z"]);
  });
});

describe("a state file", () => {
  const write = (world: World, bytes: Uint8Array) =>
    world.run(async ({ disk }) => {
      const file = await disk.open("/state.json", "w");
      await file.write(bytes);
      await file.close();
    });
  const text = (value: string) => new TextEncoder().encode(value);
  const outcome = (report: PassReport | undefined) => (report?.outcome === "passed" ? `passed, ${report.memory}` : report?.problem.code);

  it.each([
    ["is empty", text("")],
    ["is cut off", text('{"version":1,"lastPassMs":17830')],
    ["is a list", text("[]")],
    ["is null", text("null")],
    ["names no version", text('{"lastPassMs":null,"slots":[]}')],
    ["has a pass in seconds as text", text('{"version":1,"lastPassMs":"1783080000","slots":[]}')],
    ["has a slot without an instant", text('{"version":1,"lastPassMs":null,"slots":[{"taskId":"one","reason":"one-shot","stage":"decided"}]}')],
    ["has a slot beyond all dates", text('{"version":1,"lastPassMs":null,"slots":[{"taskId":"one","slotMs":9e15,"reason":"one-shot","stage":"decided"}]}')],
    ["is UTF-16", new Uint8Array([0xff, 0xfe, 0x7b, 0])],
  ])("that %s is kept aside byte for byte, and this becomes a first start", async (_what, bytes) => {
    const world = createWorld({ seed: 1, epoch: noon });
    await write(world, bytes);
    const { report, dispatched } = await play(world, [once("one")], undefined);
    expect(outcome(report)).toBe("passed, corrupt");
    expect(dispatched).toEqual(["one"]);
    const aside = world.volume().readdirSync("/").map(String).filter((name) => name.startsWith("state.json.corrupt-"));
    expect(aside).toHaveLength(1);
    expect(new Uint8Array(world.volume().readFileSync(`/${aside[0]}`) as Uint8Array)).toEqual(bytes);
  });

  it("of a newer version is left alone, and nothing is dispatched", async () => {
    const world = createWorld({ seed: 1, epoch: noon });
    const newer = '{"version":3,"passes":[]}';
    await write(world, text(newer));
    const { report, dispatched } = await play(world, [once("one")], undefined);
    expect(report).toEqual({
      outcome: "state-unsupported",
      atMs: noon,
      problem: {
        code: "STATE_UNSUPPORTED",
        message:
          "STATE_UNSUPPORTED: the scheduler's state at /state.json cannot be used: its version is 3, this program knows 2. Without it nobody can say " +
          "which slots ran, so nothing is dispatched. Repair the file, and what was missed is caught up; remove it, and this becomes a first start.",
      },
    });
    expect(dispatched).toEqual([]);
    expect(world.volume().toJSON()).toEqual({ "/state.json": newer });
  });

  it("that is a directory stops the dispatching and says so, until somebody takes it away", async () => {
    const world = createWorld({ seed: 1, epoch: noon });
    await world.run(({ disk }) => disk.mkdir("/state.json"));
    const dispatched: string[] = [];
    const reports = await world.run(async (ports) => {
      const scheduler = createScheduler(ports, {
        source: createMemorySource([once("one")]),
        zone: "UTC",
        statePath: "/state.json",
        dispatch: async ({ task }) => void dispatched.push(task.id),
      });
      const before = outcome(await scheduler.pass());
      expect(dispatched).toEqual([]);
      await ports.disk.rmdir("/state.json");
      return [before, outcome(await scheduler.pass())];
    });
    expect(reports).toEqual(["EISDIR", "passed, first"]);
    expect(dispatched).toEqual(["one"]);
  });

  it("whose directory is missing cannot be written, so nothing is dispatched", async () => {
    const world = createWorld({ seed: 1, epoch: noon });
    const report = await world.run((ports) =>
      createScheduler(ports, {
        source: createMemorySource([once("one")]),
        zone: "UTC",
        statePath: "/missing/state.json",
        dispatch: () => Promise.reject(new Error("must not be called")),
      }).pass(),
    );
    expect([outcome(report), report.outcome]).toEqual(["ENOENT", "state-not-written"]);
  });

  it("keeps ids that are no ASCII, no identifier and no friend of objects", async () => {
    const world = createWorld({ seed: 1, epoch: noon });
    const ids = ["täglich 🌙", "__proto__", "a@2026-07-03T12:00:00.000Z", 'quote"\n\u007f'];
    expect((await play(world, ids.map(once), undefined)).dispatched).toEqual(ids);
    expect((await play(world, ids.map(once), undefined)).dispatched).toEqual([]);
    const bytes = world.volume().readFileSync("/state.json") as Uint8Array;
    expect(bytes.every((byte) => byte >= 0x20 && byte < 0x7f)).toBe(true);
  });

  it("forgets slots behind the look-back window, so it does not grow for ever", async () => {
    const world = createWorld({ seed: 1, epoch: noon });
    for (let day = 0; day < 10; day += 1) {
      world.setClock(noon + day * 86_400_000);
      await play(world, [daily], undefined);
    }
    const state = JSON.parse(String(world.volume().readFileSync("/state.json"))) as { slots: { slotMs: number }[]; spans: unknown[] };
    // The seventh day back is outside: the window leaves its start out. The newest slot joins the span with the next pass.
    const spans = [{ taskId: "daily", expression: "0 12 * * *", zone: "UTC", fromMs: noon + 2 * 86_400_000 + 1, toMs: noon + 8 * 86_400_000 }];
    expect([state.spans, state.slots.map(({ slotMs }) => slotMs)]).toEqual([spans, [noon + 9 * 86_400_000]]);
  });
});
