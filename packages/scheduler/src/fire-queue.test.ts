import { createCancellation } from "@casebook/ports";
import type { Task } from "@casebook/registry/judge";
import { createWorld } from "@casebook/sim";
import { describe, expect, it } from "vitest";
import { type DispatchOrder, type FireRecord, type SchedulerOptions, type TaskSource, createMemorySource, createScheduler } from "./index.ts";

const noon = Date.parse("2026-07-03T12:00:00Z");
const once = (id: string): Task => ({ id, enabled: true, schedule: { kind: "once", atMs: noon }, lastRunAtMs: undefined });
const six = () => ["one", "two", "three", "four", "five", "six"].map(once);
const createNoon = () => createWorld({ seed: 1, epoch: noon });
const options = (source: TaskSource, dispatch: SchedulerOptions["dispatch"]): SchedulerOptions => ({
  source,
  zone: "UTC",
  statePath: "/state.json",
  dispatch,
});
const outcomes = (fires: readonly FireRecord[]) => fires.map(({ taskId, outcome, problem }) => [taskId, problem?.code ?? outcome]);

describe("six one-shots at one instant with a cap of three", () => {
  it("all run, in the order of the list, each once, three at a time", async () => {
    const world = createNoon();
    const orders: DispatchOrder[] = [];
    let running = 0;
    let most = 0;
    const fires = await world.run(async (ports) => {
      const scheduler = createScheduler(ports, {
        ...options(createMemorySource(six()), async (order) => {
          orders.push(order);
          most = Math.max(most, (running += 1));
          await ports.clock.sleep(600_000);
          running -= 1;
        }),
        maxConcurrent: 3,
      });
      await scheduler.pass();
      return scheduler.fires();
    });
    expect(orders.map(({ task }) => task.id)).toEqual(["one", "two", "three", "four", "five", "six"]);
    expect(most).toBe(3);
    expect(fires.map(({ firedAtMs, reason, stamped }) => [firedAtMs - noon, reason, stamped])).toEqual([
      ...Array<unknown>(3).fill([0, "one-shot", true]),
      ...Array<unknown>(3).fill([600_000, "one-shot", true]),
    ]);
    expect(orders.map(({ key }) => key)).toEqual(fires.map(({ key }) => key));
  });

  it("are not run again by the passes that go on meanwhile", async () => {
    const world = createNoon();
    const fires = await world.run(async (ports) => {
      const scheduler = createScheduler(ports, { ...options(createMemorySource(six()), () => ports.clock.sleep(600_000)), maxConcurrent: 1 });
      await scheduler.run(noon + 3_600_000);
      return scheduler.fires();
    });
    expect(fires.map(({ firedAtMs }) => firedAtMs - noon)).toEqual([0, 1, 2, 3, 4, 5].map((turn) => turn * 600_000));
  });

  it("run past one that hangs, which keeps its place and is visible as running", async () => {
    const world = createNoon();
    const { signal, cancel } = createCancellation();
    const seen = await world.run(async (ports) => {
      const scheduler = createScheduler(ports, {
        ...options(createMemorySource(six()), ({ task }) => (task.id === "two" ? new Promise(() => undefined) : ports.clock.sleep(60_000))),
        maxConcurrent: 2,
      });
      const ended = scheduler.run(noon + 600_000, signal);
      await ports.clock.sleep(700_000);
      cancel();
      return { ended: await ended, fires: scheduler.fires(), running: scheduler.running, waiting: scheduler.waiting };
    });
    expect(outcomes(seen.fires)).toEqual([
      ["one", "dispatched"],
      ["two", "running"],
      ["three", "dispatched"],
      ["four", "dispatched"],
      ["five", "dispatched"],
      ["six", "dispatched"],
    ]);
    expect([seen.ended, seen.running, seen.waiting]).toEqual(["cancelled", 1, 0]);
  });
});

describe("a task that changes while its slot waits", () => {
  it("is read again at fire time, refused with a reason, and not lost from the records", async () => {
    const world = createNoon();
    const source = createMemorySource(six());
    const dispatched: string[] = [];
    const fires = await world.run(async (ports) => {
      const scheduler = createScheduler(ports, {
        ...options(source, async ({ task }) => {
          dispatched.push(task.id);
          await ports.clock.sleep(1_000);
        }),
        maxConcurrent: 1,
      });
      const pass = scheduler.pass();
      await ports.clock.sleep(500);
      source.put({ ...once("two"), enabled: false });
      source.remove("three");
      source.put({ ...once("four"), schedule: { kind: "once", atMs: noon + 86_400_000 } });
      await pass;
      // Enabled again: the slot was decided and does not come back.
      source.put(once("two"));
      await scheduler.pass();
      return scheduler.fires();
    });
    expect(dispatched).toEqual(["one", "five", "six"]);
    expect(outcomes(fires)).toEqual([
      ["one", "dispatched"],
      ["two", "TASK_DISABLED"],
      ["three", "TASK_REMOVED"],
      ["four", "TASK_RESCHEDULED"],
      ["five", "dispatched"],
      ["six", "dispatched"],
    ]);
    expect(fires[1]).toEqual({
      taskId: "two",
      slotMs: noon,
      key: "two@2026-07-03T12:00:00.000Z",
      firedAtMs: noon + 1_000,
      reason: "one-shot",
      outcome: "refused",
      problem: {
        code: "TASK_DISABLED",
        message: "TASK_DISABLED: two@2026-07-03T12:00:00.000Z was due, but its task is disabled by now; nothing was started.",
      },
      stamped: false,
    });
  });
});

describe("a dispatch that fails", () => {
  it("is recorded, not stamped, not retried, and does not stop the others", async () => {
    const world = createNoon();
    const source = createMemorySource([once("one"), once("two")]);
    let calls = 0;
    const fires = await world.run(async (ports) => {
      const scheduler = createScheduler(ports, {
        ...options(source, async ({ task }) => {
          calls += 1;
          if (task.id === "one") throw Object.assign(new Error("no free session"), { code: "GLOBAL_LIMIT" });
        }),
      });
      await scheduler.pass();
      await scheduler.run(noon + 600_000);
      return scheduler.fires();
    });
    expect(calls).toBe(2);
    expect(fires.map(({ taskId, outcome, problem, stamped }) => [taskId, outcome, problem, stamped])).toEqual([
      ["one", "rejected", { code: "GLOBAL_LIMIT", message: "no free session" }, false],
      ["two", "dispatched", undefined, true],
    ]);
    expect((await source.read("one"))?.lastRunAtMs).toBeUndefined();
    expect(world.log.filter(({ level }) => level === "error").map(({ event, facts }) => [event, facts["code"]])).toEqual([
      ["scheduler.fire-rejected", "GLOBAL_LIMIT"],
    ]);
  });

  it("may also throw at once", async () => {
    const world = createNoon();
    const fires = await world.run(async (ports) => {
      const throws = () => {
        throw new Error("broken adapter");
      };
      const scheduler = createScheduler(ports, options(createMemorySource([once("one")]), throws));
      await scheduler.pass();
      return scheduler.fires();
    });
    expect(outcomes(fires)).toEqual([["one", "DISPATCH_REJECTED"]]);
  });

  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  it.each([
    ["an object that nothing can print", Object.assign(Object.create(null), { code: "NO_PROTOTYPE" }), "NO_PROTOTYPE"],
    ["a proxy that answers no question", revoked.proxy, "DISPATCH_REJECTED"],
    ["a symbol", Symbol("odd"), "DISPATCH_REJECTED"],
    ["nothing", undefined, "DISPATCH_REJECTED"],
  ])("may reject with %s, and is recorded as rejected all the same", async (what, thrown, code) => {
    const world = createNoon();
    const fires = await world.run(async (ports) => {
      const dispatch: SchedulerOptions["dispatch"] = ({ task }) => (task.id === "one" ? Promise.reject(thrown) : Promise.resolve());
      const scheduler = createScheduler(ports, { ...options(createMemorySource([once("one"), once("two")]), dispatch), maxConcurrent: 1 });
      await scheduler.pass();
      return scheduler.fires();
    });
    expect(outcomes(fires)).toEqual([["one", code], ["two", "dispatched"]]);
    if (what.startsWith("an object")) expect(fires[0]?.problem?.message).toBe("what was thrown cannot be printed");
  });
});

describe("a fault that makes a named moment fail", () => {
  it.each([
    ["scheduler.after-intent", ["two"]],
    ["scheduler.after-dispatch", ["one", "two"]],
  ])("%s leaves a rejected record with its code, and the others go on", async (point, started) => {
    const world = createNoon();
    const dispatched: string[] = [];
    const source = createMemorySource([once("one"), once("two")]);
    const fires = await world.run(async (ports) => {
      let isArmed = true;
      const reach = async (reached: string) => {
        if (!isArmed || reached !== point) return ports.faults.reach(reached);
        isArmed = false;
        throw Object.assign(new Error("the moment failed"), { code: "FAULT_ARMED" });
      };
      const scheduler = createScheduler({ ...ports, faults: { reach } }, {
        ...options(source, async ({ task }) => void dispatched.push(task.id)),
        maxConcurrent: 1,
      });
      await scheduler.pass();
      return scheduler.fires();
    });
    expect(dispatched).toEqual(started);
    expect(fires.map(({ taskId, outcome, problem, stamped }) => [taskId, outcome, problem, stamped])).toEqual([
      ["one", "rejected", { code: "FAULT_ARMED", message: "the moment failed" }, false],
      ["two", "dispatched", undefined, true],
    ]);
    expect((await source.read("one"))?.lastRunAtMs).toBeUndefined();
  });
});

describe("a source that fails", () => {
  it("when it lists, costs that pass and no slot", async () => {
    const world = createNoon();
    const source = createMemorySource([once("one")]);
    let failures = 2;
    const list = async () => {
      if ((failures -= 1) >= 0) throw Object.assign(new Error("locked"), { code: "EBUSY" });
      return source.list();
    };
    const seen = await world.run(async (ports) => {
      const scheduler = createScheduler(ports, options({ ...source, list }, async () => undefined));
      const first = await scheduler.pass();
      await scheduler.run(noon + 300_000);
      return { first, fires: scheduler.fires() };
    });
    expect(seen.first).toEqual({ outcome: "source-failed", atMs: noon, problem: { code: "EBUSY", message: "locked" } });
    expect(seen.fires.map(({ key, firedAtMs }) => [key, firedAtMs - noon])).toEqual([["one@2026-07-03T12:00:00.000Z", 60_000]]);
  });

  it("when it is read at fire time, costs a wait until the next pass and no slot", async () => {
    const world = createNoon();
    const source = createMemorySource([once("one"), once("two")]);
    let failures = 1;
    const read = async (id: string) => {
      if (id === "one" && (failures -= 1) >= 0) throw Object.assign(new Error("locked"), { code: "EBUSY" });
      return source.read(id);
    };
    const fires = await world.run(async (ports) => {
      const scheduler = createScheduler(ports, options({ ...source, read }, async () => undefined));
      await scheduler.run(noon + 300_000);
      return scheduler.fires();
    });
    expect(fires.map(({ taskId, firedAtMs }) => [taskId, firedAtMs - noon])).toEqual([["two", 0], ["one", 60_000]]);
  });

  it("when it is stamped, leaves a fire that says it is not stamped", async () => {
    const world = createNoon();
    const stamp = () => Promise.reject(Object.assign(new Error("read-only"), { code: "EROFS" }));
    const fires = await world.run(async (ports) => {
      const scheduler = createScheduler(ports, options({ ...createMemorySource([once("one")]), stamp }, async () => undefined));
      await scheduler.pass();
      return scheduler.fires();
    });
    expect(fires).toMatchObject([{ outcome: "dispatched", stamped: false }]);
    expect(world.log).toContainEqual(expect.objectContaining({ level: "error", event: "scheduler.stamp-failed" }));
  });
});

describe("jitter", () => {
  it("delays each fire by its own fixed time, never before its slot, and loses none", async () => {
    const play = async () => {
      const world = createNoon();
      return world.run(async (ports) => {
        const scheduler = createScheduler(ports, { ...options(createMemorySource(six()), async () => undefined), maxJitterMs: 900_000 });
        await scheduler.run(noon + 900_000);
        return scheduler.fires().map(({ taskId, firedAtMs }) => [taskId, firedAtMs - noon] as const);
      });
    };
    const fires = await play();
    expect(fires.map(([id]) => id).sort()).toEqual(["five", "four", "one", "six", "three", "two"]);
    expect(new Set(fires.map(([, delay]) => delay)).size).toBe(6);
    for (const [, delay] of fires) expect(delay >= 0 && delay <= 900_000).toBe(true);
    expect(await play()).toEqual(fires);
  });
});

describe("an option with which nothing would be dispatched", () => {
  it.each([
    [{ maxConcurrent: 0 }, "maxConcurrent is 0; with that nothing would be dispatched. Give a whole number from 1."],
    [{ maxConcurrent: Number.NaN }, "maxConcurrent is NaN; with that nothing would be dispatched. Give a whole number from 1."],
    [{ recheckMs: 0.5 }, "recheckMs is 0.5; with that nothing would be dispatched. Give a whole number from 1."],
    [{ maxJitterMs: -1 }, "maxJitterMs is -1; with that nothing would be dispatched. Give a whole number from 0."],
    [
      { policies: { catchUp: "nonsense" } } as unknown as Partial<SchedulerOptions>,
      'the policy catchUp is "nonsense", which is none of its words. It knows "none", "latest-once", "each-missed".',
    ],
    [
      { policies: { overflow: undefined } } as unknown as Partial<SchedulerOptions>,
      'the policy overflow is undefined, which is none of its words. It knows "queue", "drop".',
    ],
    [
      { policies: { stamp: "toString" } } as unknown as Partial<SchedulerOptions>,
      'the policy stamp is "toString", which is none of its words. It knows "every-fire", "scheduled-only".',
    ],
    [
      { policies: { catchup: "none" } } as unknown as Partial<SchedulerOptions>,
      'there is no policy "catchup". The policies are "catchUp", "lookBack", "slotKey", "enabledRead", "stamp", "catchUpWeekday", "overflow", "gap", "overlap".',
    ],
    [
      { zone: "" },
      'ZONE_UNKNOWN: "" is not a time zone that this runtime knows, so the expression names no instants. Use an IANA name such as "America/New_York" or "UTC".',
    ],
  ])("%j is refused at once", (wrong, message) => {
    const { ports } = createNoon();
    const create = () => createScheduler(ports, { ...options(createMemorySource([]), async () => undefined), ...wrong });
    expect(create).toThrow(expect.objectContaining({ code: "SCHEDULER_OPTION_INVALID", message: `SCHEDULER_OPTION_INVALID: ${message}` }));
  });
});

describe("reading", () => {
  it("the next run changes nothing: not the disk, not what fires", async () => {
    const play = async (reads: number) => {
      const world = createNoon();
      const source = createMemorySource([once("call"), { ...once("daily"), schedule: { kind: "cron", expression: "0 5 * * *", zone: undefined } }]);
      const seen = await world.run(async (ports) => {
        const scheduler = createScheduler(ports, { ...options(source, async () => undefined), recheckMs: 21_600_000 });
        const answers = [];
        for (let turn = 0; turn < reads; turn += 1) answers.push(await scheduler.nextRun("daily"), await scheduler.nextRun("call"));
        const before = world.volume().toJSON();
        await scheduler.run(noon + 86_400_000);
        return { answers, before, fires: scheduler.fires() };
      });
      return { ...seen, after: world.volume().toJSON() };
    };
    const [silent, asked] = [await play(0), await play(5)];
    expect(asked.answers.slice(-2)).toEqual([{ outcome: "slot", slotMs: Date.parse("2026-07-04T05:00:00Z") }, expect.objectContaining({ outcome: "never" })]);
    expect(asked.before).toEqual(silent.before);
    expect(asked.fires).toEqual(silent.fires);
    expect(asked.after).toEqual(silent.after);
  });

  it("answers undefined for a task that is not there", async () => {
    const world = createNoon();
    const answer = await world.run((ports) => createScheduler(ports, options(createMemorySource([]), async () => undefined)).nextRun("nobody"));
    expect(answer).toBeUndefined();
  });
});
