import type { Task } from "@casebook/registry/judge";
import { type World, createWorld } from "@casebook/sim";
import { describe, expect, it } from "vitest";
import { type FireRecord, type PassReport, type SchedulerOptions, type TaskSource, createMemorySource, createScheduler } from "./index.ts";

const cron = (id: string, expression: string): Task => ({
  id,
  enabled: true,
  schedule: { kind: "cron", expression, zone: undefined },
  lastRunAtMs: undefined,
});
const once = (id: string, at: string): Task => ({ ...cron(id, ""), schedule: { kind: "once", atMs: Date.parse(at) } });

/** The host is switched on at an instant, makes one pass and is switched off. */
async function wake(world: World, at: string, source: TaskSource, options: Partial<SchedulerOptions> = {}) {
  world.setClock(Date.parse(at));
  return world.run(async (ports) => {
    const scheduler = createScheduler(ports, { source, zone: "UTC", statePath: "/state.json", dispatch: async () => undefined, ...options });
    const report = await scheduler.pass();
    return { report: passed(report), fired: scheduler.fires().map(short), fires: scheduler.fires() };
  });
}

const short = ({ key, reason }: FireRecord): string => `${key.replace(":00.000Z", "")} ${reason}`;

function passed(report: PassReport): Extract<PassReport, { outcome: "passed" }> {
  if (report.outcome !== "passed") throw new Error(`${report.outcome}: ${report.problem.message}`);
  return report;
}

describe("a host that was off for ten days, with a daily at 05:00", () => {
  // Off from 2026-07-03 after its run until 2026-07-13T12:00Z. Seven days back is 2026-07-06T12:00Z.
  const days = ["07", "08", "09", "10", "11", "12", "13"].map((day) => `daily@2026-07-${day}T05:00 catch-up`);

  it.each([
    ["none", [], 7],
    ["latest-once", days.slice(-1), 6],
    ["each-missed", days, 0],
  ] as const)("under %s fires as the policy says, and not the eighth day back", async (catchUp, fired, discarded) => {
    const world = createWorld({ seed: 1, epoch: "2026-07-03T05:00:00Z" });
    const source = createMemorySource([cron("daily", "0 5 * * *")]);
    const before = await wake(world, "2026-07-03T05:00:00Z", source, { policies: { catchUp } });
    expect(before.fired).toEqual(["daily@2026-07-03T05:00 scheduled"]);

    const after = await wake(world, "2026-07-13T12:00:00Z", source, { policies: { catchUp }, maxConcurrent: 1 });
    expect(after.fired).toEqual(fired);
    expect(after.report.discarded).toEqual(discarded === 0 ? [] : [{ taskId: "daily", slots: discarded, counted: "exactly" }]);
    expect(after.fires.every(({ outcome, stamped }) => outcome === "dispatched" && stamped)).toBe(true);

    const again = await wake(world, "2026-07-13T12:05:00Z", source, { policies: { catchUp } });
    expect(again.fired).toEqual([]);
    const nextDay = await wake(world, "2026-07-14T05:00:00Z", source, { policies: { catchUp } });
    expect(nextDay.fired).toEqual(["daily@2026-07-14T05:00 scheduled"]);
  });

  it("stamps what it catches up with the time of the run, not of the slot", async () => {
    const world = createWorld({ seed: 1, epoch: "2026-07-03T06:00:00Z" });
    const source = createMemorySource([cron("daily", "0 5 * * *")]);
    await wake(world, "2026-07-03T06:00:00Z", source);
    await wake(world, "2026-07-04T12:00:00Z", source);
    expect((await source.read("daily"))?.lastRunAtMs).toBe(Date.parse("2026-07-04T12:00:00Z"));
  });

  it("looks at the newest slots only when a task has thousands, and says that there were more", async () => {
    const world = createWorld({ seed: 1, epoch: "2026-07-03T05:00:00Z" });
    const source = createMemorySource([cron("minutely", "* * * * *")]);
    await wake(world, "2026-07-03T05:00:00Z", source);
    const after = await wake(world, "2026-07-13T12:00:00Z", source);
    expect(after.fired).toEqual(["minutely@2026-07-13T12:00 scheduled"]);
    // 168 looked at, one of them fired, and at least one beyond them.
    expect(after.report.discarded).toEqual([{ taskId: "minutely", slots: 168, counted: "at-least" }]);
  });
});

describe("a weekly on Mondays", () => {
  it("is caught up for its Monday, once, and on no other day", async () => {
    const world = createWorld({ seed: 1, epoch: "2026-07-03T12:00:00Z" });
    const source = createMemorySource([cron("weekly", "45 5 * * 1")]);
    // Friday; Sunday; Wednesday after a missed Monday; Thursday.
    const fired = [];
    for (const at of ["2026-07-03T12:00:00Z", "2026-07-05T12:00:00Z", "2026-07-08T12:00:00Z", "2026-07-09T12:00:00Z"]) {
      fired.push((await wake(world, at, source)).fired);
    }
    expect(fired).toEqual([[], [], ["weekly@2026-07-06T05:45 catch-up"], []]);
  });
});

describe("a first start", () => {
  const tasks = [cron("daily", "0 5 * * *"), once("overdue", "2026-07-03T09:00:00Z"), cron("now", "0 12 * * *"), once("once-now", "2026-07-03T12:00:00Z")];

  it("catches nothing up, because nobody knows what ran, but runs what is due at that very instant", async () => {
    const world = createWorld({ seed: 1, epoch: "2026-07-03T12:00:00Z" });
    const { report, fired } = await wake(world, "2026-07-03T12:00:00Z", createMemorySource(tasks));
    expect(fired).toEqual(["now@2026-07-03T12:00 scheduled", "once-now@2026-07-03T12:00 one-shot"]);
    expect(report).toMatchObject({
      memory: "first",
      expired: [{ taskId: "overdue", slotMs: Date.parse("2026-07-03T09:00:00Z"), reason: "no-recorded-pass" }],
    });
  });

  it("records its pass, so that the second start catches up from there and the overdue one-shot stays expired", async () => {
    const world = createWorld({ seed: 1, epoch: "2026-07-03T12:00:00Z" });
    const source = createMemorySource(tasks);
    await wake(world, "2026-07-03T12:00:00Z", source);
    const { report, fired } = await wake(world, "2026-07-04T11:00:00Z", source);
    expect(fired).toEqual(["daily@2026-07-04T05:00 catch-up"]);
    expect(report).toMatchObject({ memory: "recorded", fromMs: Date.parse("2026-07-03T12:00:00Z"), expired: [] });
  });
});

describe("what is disabled", () => {
  it("is not caught up, and its slots stay gone when it is enabled again", async () => {
    const world = createWorld({ seed: 1, epoch: "2026-07-03T12:00:00Z" });
    const source = createMemorySource([{ ...cron("daily", "0 5 * * *"), enabled: false }]);
    await wake(world, "2026-07-03T12:00:00Z", source);
    expect((await wake(world, "2026-07-04T12:00:00Z", source)).fired).toEqual([]);
    source.put(cron("daily", "0 5 * * *"));
    expect((await wake(world, "2026-07-04T13:00:00Z", source)).fired).toEqual([]);
  });
});

describe("a one-shot", () => {
  it("fires once, however often the host starts", async () => {
    const world = createWorld({ seed: 1, epoch: "2026-07-03T12:00:00Z" });
    const source = createMemorySource([once("call", "2026-07-03T13:00:00Z")]);
    const fired = [];
    for (const at of ["2026-07-03T12:00:00Z", "2026-07-03T13:00:00Z", "2026-07-03T13:01:00Z", "2026-07-20T13:00:00Z"]) {
      fired.push(...(await wake(world, at, source)).fired);
    }
    expect(fired).toEqual(["call@2026-07-03T13:00 one-shot"]);
  });

  it("that is overdue is caught up once within the look-back window, also when it was written late", async () => {
    const world = createWorld({ seed: 1, epoch: "2026-07-03T12:00:00Z" });
    const source = createMemorySource([]);
    await wake(world, "2026-07-03T12:00:00Z", source);
    source.put(once("call", "2026-07-02T13:00:00Z"));
    expect((await wake(world, "2026-07-03T12:05:00Z", source)).fired).toEqual(["call@2026-07-02T13:00 catch-up"]);
    expect((await wake(world, "2026-07-03T12:06:00Z", source)).fired).toEqual([]);
  });

  it("beyond the window is listed as expired, once, and not dropped in silence", async () => {
    const world = createWorld({ seed: 1, epoch: "2026-07-03T12:00:00Z" });
    const source = createMemorySource([once("call", "2026-07-03T13:00:00Z")]);
    await wake(world, "2026-07-03T12:00:00Z", source);
    const { report, fired } = await wake(world, "2026-07-10T13:00:00Z", source);
    expect(fired).toEqual([]);
    expect(report.expired).toEqual([{ taskId: "call", slotMs: Date.parse("2026-07-03T13:00:00Z"), reason: "beyond-look-back" }]);
    expect(world.log.filter(({ event }) => event === "scheduler.one-shot-expired")).toHaveLength(1);
    expect((await wake(world, "2026-07-10T14:00:00Z", source)).report.expired).toEqual([]);
  });

  it("that is late expires under a policy that catches nothing up", async () => {
    const world = createWorld({ seed: 1, epoch: "2026-07-03T12:00:00Z" });
    const source = createMemorySource([once("call", "2026-07-03T13:00:00Z")]);
    await wake(world, "2026-07-03T12:00:00Z", source, { policies: { catchUp: "none" } });
    const { report, fired } = await wake(world, "2026-07-03T14:00:00Z", source, { policies: { catchUp: "none" } });
    expect([fired, report.expired]).toEqual([[], [{ taskId: "call", slotMs: Date.parse("2026-07-03T13:00:00Z"), reason: "catch-up-none" }]]);
  });
});

describe("what cannot be scheduled", () => {
  it("is named and does not stop the others", async () => {
    const world = createWorld({ seed: 1, epoch: "2026-07-03T05:00:00Z" });
    const source: TaskSource = {
      ...createMemorySource([cron("good", "0 5 * * *")]),
      list: async () => [cron("bad", "61 * * * *"), cron("good", "0 5 * * *"), cron("never", "0 0 31 2 *"), cron("good", "0 6 * * *")],
    };
    const { report, fired } = await wake(world, "2026-07-03T05:00:00Z", source);
    expect(fired).toEqual(["good@2026-07-03T05:00 scheduled"]);
    expect(report.invalid.map(({ taskId, problem }) => [taskId, problem.code])).toEqual([
      ["bad", "CRON_UNREADABLE"],
      ["good", "DUPLICATE_TASK_ID"],
    ]);
  });
});
