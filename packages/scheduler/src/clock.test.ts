import type { Ports } from "@casebook/ports";
import type { Task } from "@casebook/registry/judge";
import { createWorld } from "@casebook/sim";
import { describe, expect, it } from "vitest";
import { type Scheduler, type SchedulerOptions, type TaskSource, RECHECK_MS, createMemorySource, createScheduler } from "./index.ts";

const HOUR_MS = 3_600_000;
const cron = (id: string, expression: string): Task => ({
  id,
  enabled: true,
  schedule: { kind: "cron", expression, zone: undefined },
  lastRunAtMs: undefined,
});
const once = (id: string, at: string): Task => ({ ...cron(id, ""), schedule: { kind: "once", atMs: Date.parse(at) } });

function start(ports: Ports, source: TaskSource, options: Partial<SchedulerOptions> = {}): Scheduler {
  return createScheduler(ports, { source, zone: "UTC", statePath: "/state.json", dispatch: async () => undefined, ...options });
}
const keys = (scheduler: Scheduler): string[] => scheduler.fires().map(({ key }) => key.replace(":00.000Z", ""));

describe("waiting", () => {
  it("fires each slot at its instant and counts nothing as late", async () => {
    const world = createWorld({ seed: 1, epoch: "2026-07-03T00:00:10Z" });
    const source = createMemorySource([cron("three-hourly", "30 */3 * * *"), once("call", "2026-07-03T02:00:00Z")]);
    const fires = await world.run(async (ports) => {
      const scheduler = start(ports, source, { recheckMs: HOUR_MS });
      await scheduler.run(Date.parse("2026-07-03T06:30:00Z"));
      return scheduler.fires();
    });
    expect(fires.map(({ key, reason, firedAtMs, slotMs }) => [key.slice(0, -8), reason, firedAtMs - slotMs])).toEqual([
      ["three-hourly@2026-07-03T00:30", "scheduled", 0],
      ["call@2026-07-03T02:00", "one-shot", 0],
      ["three-hourly@2026-07-03T03:30", "scheduled", 0],
      ["three-hourly@2026-07-03T06:30", "scheduled", 0],
    ]);
  });

  it("reaches a one-shot sixty days ahead in one wait, which is longer than a timer can be", async () => {
    const world = createWorld({ seed: 1, epoch: "2026-07-03T00:00:00Z" });
    const call = Date.parse("2026-07-03T00:00:00Z") + 60 * 24 * HOUR_MS;
    const source = createMemorySource([{ ...once("call", ""), schedule: { kind: "once", atMs: call } }]);
    const fires = await world.run(async (ports) => {
      const scheduler = start(ports, source, { recheckMs: 90 * 24 * HOUR_MS });
      await scheduler.run(call + 1);
      return scheduler.fires();
    });
    expect(fires.map(({ taskId, firedAtMs }) => [taskId, firedAtMs])).toEqual([["call", call]]);
    const waits = world.trace.events.filter(({ operation }) => operation === "clock.sleep").map(({ detail }) => Number(detail));
    expect(waits).toEqual([60 * 24 * HOUR_MS, 1]);
    expect(waits[0]).toBeGreaterThan(2 ** 31 - 1);
  });

  it("never waits longer than the recheck period, and so sees a task that was added meanwhile", async () => {
    const world = createWorld({ seed: 1, epoch: "2026-07-03T00:00:00Z" });
    const source = createMemorySource([]);
    const fired = await world.run(async (ports) => {
      const scheduler = start(ports, source);
      const running = scheduler.run(Date.parse("2026-07-03T00:10:00Z"));
      await ports.clock.sleep(90_000);
      source.put(once("late-comer", "2026-07-03T00:05:00Z"));
      await running;
      return scheduler.fires().map(({ firedAtMs }) => new Date(firedAtMs).toISOString());
    });
    expect(fired).toEqual(["2026-07-03T00:05:00.000Z"]);
  });

  it("does not spin on a task that is never due", async () => {
    const world = createWorld({ seed: 1, epoch: "2026-07-03T00:00:00Z" });
    await world.run((ports) => start(ports, createMemorySource([cron("never", "0 0 31 2 *")])).run(Date.parse("2026-07-03T01:00:00Z")));
    expect(world.trace.events.filter(({ operation }) => operation === "clock.sleep")).toHaveLength(60);
  });

  it("finds the next instant among 130,000 tasks", async () => {
    const world = createWorld({ seed: 1, epoch: "2026-07-03T00:00:00Z" });
    const later = { kind: "once", atMs: Date.parse("2026-07-04T00:00:00Z") } as const;
    const many = Array.from({ length: 130_000 }, (_none, index): Task => ({ ...cron(`task-${index}`, ""), schedule: later }));
    const fired = await world.run(async (ports) => {
      const scheduler = start(ports, createMemorySource([...many, once("call", "2026-07-03T00:00:20Z")]));
      await scheduler.run(Date.parse("2026-07-03T00:00:30Z"));
      return scheduler.fires().map(({ taskId, firedAtMs }) => [taskId, new Date(firedAtMs).toISOString()]);
    });
    expect(fired).toEqual([["call", "2026-07-03T00:00:20.000Z"]]);
  });

  it("ends at once when it is cancelled", async () => {
    const world = createWorld({ seed: 1, epoch: "2026-07-03T00:00:00Z" });
    const { createCancellation } = await import("@casebook/ports");
    const { signal, cancel } = createCancellation();
    const ended = await world.run(async (ports) => {
      const running = start(ports, createMemorySource([cron("daily", "0 5 * * *")])).run(Date.parse("2026-08-03T00:00:00Z"), signal);
      await ports.clock.sleep(90_000);
      cancel();
      return [await running, ports.clock.now()];
    });
    expect(ended).toEqual(["cancelled", Date.parse("2026-07-03T00:01:30Z")]);
  });
});

describe("a clock that is set back", () => {
  it("over slots that ran fires none of them twice, and goes on after them", async () => {
    const world = createWorld({ seed: 1, epoch: "2026-07-03T00:30:00Z" });
    const source = createMemorySource([cron("hourly", "0 * * * *"), once("call", "2026-07-03T02:30:00Z")]);
    const fired = await world.run(async (ports) => {
      const scheduler = start(ports, source, { recheckMs: HOUR_MS });
      await scheduler.run(Date.parse("2026-07-03T03:30:00Z"));
      world.setClock(Date.parse("2026-07-03T00:30:00Z"));
      await scheduler.run(Date.parse("2026-07-03T04:30:00Z"));
      return keys(scheduler);
    });
    expect(fired).toEqual([1, 2].map((hour) => `hourly@2026-07-03T0${hour}:00`).concat("call@2026-07-03T02:30", "hourly@2026-07-03T03:00", "hourly@2026-07-03T04:00"));
  });

  it("before a restart fires nothing twice either, and says that it saw it", async () => {
    const world = createWorld({ seed: 1, epoch: "2026-07-03T00:30:00Z" });
    const source = createMemorySource([cron("hourly", "0 * * * *")]);
    await world.run((ports) => start(ports, source, { recheckMs: HOUR_MS }).run(Date.parse("2026-07-03T03:30:00Z")));
    world.setClock(Date.parse("2026-07-03T00:30:00Z"));
    const { report, fired } = await world.run(async (ports) => {
      const scheduler = start(ports, source, { recheckMs: HOUR_MS });
      const first = await scheduler.pass();
      await scheduler.run(Date.parse("2026-07-03T05:00:00Z"));
      return { report: first, fired: keys(scheduler) };
    });
    expect(report).toMatchObject({ outcome: "passed", clock: "set-back", fromMs: Date.parse("2026-07-03T00:30:00Z") });
    expect(fired).toEqual(["hourly@2026-07-03T04:00", "hourly@2026-07-03T05:00"]);
    expect(world.log.filter(({ event }) => event === "scheduler.clock-set-back")).toHaveLength(1);
  });

  it("from years ahead does not leave the fleet waiting for those years", async () => {
    const world = createWorld({ seed: 1, epoch: "2036-07-03T00:30:00Z" });
    const source = createMemorySource([cron("hourly", "0 * * * *")]);
    await world.run((ports) => start(ports, source, { recheckMs: HOUR_MS }).pass());
    world.setClock(Date.parse("2026-07-03T00:30:00Z"));
    const fired = await world.run(async (ports) => {
      const scheduler = start(ports, source, { recheckMs: HOUR_MS });
      await scheduler.run(Date.parse("2026-07-03T02:00:00Z"));
      return keys(scheduler);
    });
    expect(fired).toEqual(["hourly@2026-07-03T01:00", "hourly@2026-07-03T02:00"]);
  });
});

describe("a clock that is set forward", () => {
  const tasks = [cron("hourly", "0 * * * *"), cron("daily", "0 5 * * *"), once("call", "2027-01-01T00:00:00Z"), once("soon", "2036-07-02T00:00:00Z")];

  it("by years brings one look-back window, one run per task, noticed within the recheck period", async () => {
    const world = createWorld({ seed: 1, epoch: "2026-07-03T00:30:00Z" });
    const fires = await world.run(async (ports) => {
      const scheduler = start(ports, createMemorySource(tasks));
      const running = scheduler.run(Date.parse("2036-07-03T00:40:00Z"));
      await ports.clock.sleep(90_000);
      world.setClock(Date.parse("2036-07-03T00:30:00Z"));
      await running;
      return scheduler.fires();
    });
    expect(fires.map(({ key }) => key.replace(":00.000Z", ""))).toEqual(["soon@2036-07-02T00:00", "daily@2036-07-02T05:00", "hourly@2036-07-03T00:00"]);
    for (const { firedAtMs } of fires) expect(firedAtMs).toBeLessThanOrEqual(Date.parse("2036-07-03T00:30:00Z") + RECHECK_MS);
    // The other one-shot is ten years late: listed.
    expect(world.log.filter(({ event }) => event === "scheduler.one-shot-expired").map(({ facts }) => facts["taskId"])).toEqual(["call"]);
  });

  it("and back again fires nothing twice, one-shots included", async () => {
    const world = createWorld({ seed: 1, epoch: "2026-07-03T00:30:00Z" });
    const source = createMemorySource([cron("daily", "0 5 * * *"), once("call", "2026-07-03T04:00:00Z")]);
    const fired: string[] = [];
    const pass = (at: string) =>
      world.run(async (ports) => {
        world.setClock(Date.parse(at));
        const scheduler = start(ports, source);
        await scheduler.pass();
        fired.push(...keys(scheduler));
      });
    for (const at of ["2026-07-03T00:30:00Z", "2026-07-03T06:00:00Z", "2036-07-03T06:00:00Z", "2026-07-03T06:05:00Z", "2026-07-04T05:00:00Z"]) await pass(at);
    expect(fired).toEqual(["call@2026-07-03T04:00", "daily@2026-07-03T05:00", "daily@2036-07-03T05:00", "daily@2026-07-04T05:00"]);
  });
});

describe("a host that slept", () => {
  it("runs the newest slot once when it wakes", async () => {
    const world = createWorld({ seed: 1, epoch: "2026-07-03T00:30:00Z" });
    const fired = await world.run(async (ports) => {
      const scheduler = start(ports, createMemorySource([cron("hourly", "0 * * * *")]), { recheckMs: 600_000 });
      const running = scheduler.run(Date.parse("2026-07-03T08:30:00Z"));
      await ports.clock.sleep(90_000);
      // A sleeping host's timers stand still while its clock goes on.
      world.setClock(Date.parse("2026-07-03T07:30:00Z"));
      await running;
      return scheduler.fires().map(({ key, reason }) => [key.replace(":00.000Z", ""), reason]);
    });
    expect(fired).toEqual([["hourly@2026-07-03T07:00", "catch-up"], ["hourly@2026-07-03T08:00", "scheduled"]]);
  });
});
