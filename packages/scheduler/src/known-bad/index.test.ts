import type { Task } from "@casebook/registry/judge";
import { createWorld } from "@casebook/sim";
import { describe, expect, it } from "vitest";
import { type FireRecord, type MemoryTaskSource, type SchedulerPolicies, createMemorySource, createScheduler } from "../index.ts";
import { slotsBetween } from "../judge/index.ts";
import { KNOWN_BAD_SCHEDULERS, type SchedulerPromise } from "./index.ts";

type Fire = FireRecord & { readonly enabled: boolean };

const cron = (id: string, expression: string, enabled = true): Task => ({
  id,
  enabled,
  schedule: { kind: "cron", expression, zone: undefined },
  lastRunAtMs: undefined,
});
const once = (id: string, at: string): Task => ({ ...cron(id, ""), schedule: { kind: "once", atMs: Date.parse(at) } });

/**
 * Starts a host at each of these instants (July 2026, "day hh:mm") for one pass, and gathers what was dispatched.
 * `whileRunning` happens when the first dispatch of the last start is going on.
 */
async function starts(
  policies: Partial<SchedulerPolicies>,
  tasks: readonly Task[],
  instants: readonly string[],
  whileRunning: (source: MemoryTaskSource) => void = () => undefined,
): Promise<Fire[]> {
  const world = createWorld({ seed: 1, epoch: "2026-07-01T00:00:00Z" });
  const source = createMemorySource(tasks);
  const fires: Fire[] = [];
  for (const [index, instant] of instants.entries()) {
    world.setClock(Date.parse(`2026-07-${instant.replace(" ", "T")}:00Z`));
    await world.run(async (ports) => {
      const enabled = new Map<string, boolean>();
      const dispatch = async ({ task, key }: { task: Task; key: string }) => {
        enabled.set(key, (await source.read(task.id))?.enabled ?? false);
        await ports.clock.sleep(1_000);
        if (index === instants.length - 1) whileRunning(source);
      };
      const scheduler = createScheduler(ports, { source, zone: "UTC", statePath: "/state.json", dispatch, policies, maxConcurrent: 3 });
      await scheduler.pass();
      const dispatched = scheduler.fires().filter(({ outcome }) => outcome === "dispatched");
      fires.push(...dispatched.map((fire) => ({ ...fire, enabled: enabled.get(fire.key) ?? false })));
    });
  }
  return fires;
}

const four = ["one", "two", "three", "four"];

/** For each promise a scene that breaks it if anything does, and what broken looks like, judged from the dispatches alone. */
const IS_BROKEN: Record<SchedulerPromise, (policies: Partial<SchedulerPolicies>) => Promise<boolean>> = {
  async "no-ghost-fire"(policies) {
    const tasks = [cron("daily", "0 5 * * *"), once("call", "2026-07-03T06:00:00Z")];
    const keys = (await starts(policies, tasks, ["02 12:00", "03 05:00", "03 06:00", "03 20:00"])).map(({ key }) => key);
    return new Set(keys).size < keys.length;
  },
  async "no-disabled-fire"(policies) {
    const off = await starts(policies, [cron("off", "0 5 * * *", false)], ["02 12:00", "03 20:00"]);
    // The fourth waits for a place while it is disabled.
    const queued = await starts(policies, four.map((id) => cron(id, "0 5 * * *")), ["02 12:00", "03 20:00"], (source) => {
      source.put(cron("four", "0 5 * * *", false));
    });
    return [...off, ...queued].some(({ enabled }) => !enabled);
  },
  async "no-invisible-fire"(policies) {
    const fires = await starts(policies, [cron("daily", "0 5 * * *")], ["02 12:00", "03 20:00", "04 05:00"]);
    return fires.some(({ stamped }) => !stamped);
  },
  async "no-wrong-slot"(policies) {
    // 2026-07-02 is a Thursday, 2026-07-06 a Monday.
    const weekly = cron("weekly", "45 5 * * 1");
    const fires = await starts(policies, [weekly], ["02 12:00", "03 20:00", "06 20:00", "07 20:00"]);
    return fires.some(({ slotMs }) => {
      const answer = slotsBetween(weekly, slotMs - 1, slotMs, { zone: "UTC" });
      return answer.outcome === "problem" || answer.slots.length === 0;
    });
  },
  async "nothing-before-first-pass"(policies) {
    return (await starts(policies, [cron("daily", "0 5 * * *")], ["02 12:00"])).length > 0;
  },
  async "missed-slot-caught-up"(policies) {
    const fires = await starts(policies, [cron("daily", "0 5 * * *")], ["02 12:00", "03 20:00"]);
    return !fires.some(({ key }) => key === "daily@2026-07-03T05:00:00.000Z");
  },
  async "no-lost-slot"(policies) {
    const tasks = [...four, "five", "six"].map((id) => once(id, "2026-07-03T05:00:00Z"));
    const fires = await starts(policies, tasks, ["02 12:00", "03 05:00", "03 05:01"]);
    return tasks.some(({ id }) => !fires.some(({ taskId }) => taskId === id));
  },
  async "no-flood"(policies) {
    const fires = await starts(policies, [cron("daily", "0 5 * * *")], ["02 12:00", "06 20:00"]);
    return fires.filter(({ firedAtMs }) => firedAtMs >= Date.parse("2026-07-06T20:00:00Z")).length > 1;
  },
};

async function broken(policies: Partial<SchedulerPolicies>): Promise<string[]> {
  const names = Object.keys(IS_BROKEN) as SchedulerPromise[];
  const verdicts = await Promise.all(names.map((name) => IS_BROKEN[name](policies)));
  return names.filter((_name, index) => verdicts[index]);
}

describe("known-bad schedulers", () => {
  it("have a reference that breaks nothing", async () => {
    expect(await broken({})).toEqual([]);
  });

  it.each(KNOWN_BAD_SCHEDULERS)("$name breaks what it says, and nothing else here", async ({ policies, breaks }) => {
    expect(await broken(policies)).toEqual(breaks);
  });

  it("break each promise at least once, and have names of their own", () => {
    expect(new Set(KNOWN_BAD_SCHEDULERS.flatMap(({ breaks }) => breaks))).toEqual(new Set(Object.keys(IS_BROKEN)));
    expect(new Set(KNOWN_BAD_SCHEDULERS.map(({ name }) => name)).size).toBe(KNOWN_BAD_SCHEDULERS.length);
  });
});

describe("the restart storm", () => {
  it("fires five that ran and one that is disabled, stamps none, and does it again at the next restart", async () => {
    const storm = KNOWN_BAD_SCHEDULERS.find(({ name }) => name === "restart-storm");
    const hours = [0, 1, 2, 3, 4];
    const tasks = [...hours.map((hour) => cron(`daily-${hour}`, `0 ${hour + 4} * * *`)), cron("off", "0 9 * * *", false)];
    const morning = ["03 00:00", ...hours.map((hour) => `03 0${hour + 4}:00`)];
    // The morning is the reference's in both worlds: the storm is what a restart makes of it.
    const play = async (policies: Partial<SchedulerPolicies>, evenings: readonly string[]) => {
      const fires = await starts(policies, tasks, [...morning, ...evenings]);
      const late = fires.filter(({ firedAtMs }) => firedAtMs >= Date.parse("2026-07-03T19:00:00Z"));
      const ran = new Set(fires.filter((fire) => !late.includes(fire)).map(({ key }) => key));
      return {
        ghosts: late.filter(({ key }) => ran.has(key)).length,
        disabled: late.filter(({ enabled }) => !enabled).length,
        invisible: late.filter(({ stamped }) => !stamped).length,
      };
    };
    // A first start under the storm fires four of yesterday's in the morning; they are not part of the evening.
    expect(await play(storm!.policies, ["03 20:00"])).toEqual({ ghosts: 5, disabled: 1, invisible: 6 });
    expect(await play(storm!.policies, ["03 20:00", "03 20:05"])).toEqual({ ghosts: 10, disabled: 2, invisible: 12 });
    expect(await play({}, ["03 20:00", "03 20:05"])).toEqual({ ghosts: 0, disabled: 0, invisible: 0 });
  });
});
