/** What the state costs: bytes for a history of slots, and writes for a crowd of them. */
import type { Task } from "@casebook/registry/judge";
import { type World, createWorld } from "@casebook/sim";
import { describe, expect, it } from "vitest";
import { type SchedulerOptions, createMemorySource, createScheduler } from "./index.ts";
import { type RememberedSlot, readState } from "./state.ts";

const noon = Date.parse("2026-07-03T12:00:00Z");
const MINUTE_MS = 60_000;
const minutely = (id: string): Task => ({ id, enabled: true, schedule: { kind: "cron", expression: "* * * * *", zone: undefined }, lastRunAtMs: undefined });
const once = (id: string): Task => ({ ...minutely(id), schedule: { kind: "once", atMs: noon } });

interface Written {
  readonly version: number;
  readonly slots: readonly RememberedSlot[];
  readonly spans: readonly { readonly fromMs: number; readonly toMs: number; readonly expression: string }[];
}
const written = (world: World): Written => JSON.parse(String(world.volume().readFileSync("/state.json"))) as Written;

/** A process that lives from what the clock shows until `untilMs`; answers the slots that it dispatched. */
async function live(world: World, tasks: readonly Task[], untilMs: number, options: Partial<SchedulerOptions> = {}): Promise<string[]> {
  return world.run(async (ports) => {
    const scheduler = createScheduler(ports, { source: createMemorySource(tasks), zone: "UTC", statePath: "/state.json", dispatch: async () => undefined, ...options });
    await scheduler.run(untilMs);
    return scheduler.fires().map(({ key }) => key);
  });
}

async function put(world: World, text: string): Promise<void> {
  await world.run(async ({ disk }) => {
    const file = await disk.open("/state.json", "w");
    await file.write(new TextEncoder().encode(text));
    await file.close();
  });
}

describe("the state of a task that is due every minute", () => {
  it("is one span however many slots it decided, and still knows each of them when the clock is set back", async () => {
    const world = createWorld({ seed: 1, epoch: noon });
    const fired = await live(world, [minutely("often")], noon + 120 * MINUTE_MS);
    expect(fired).toHaveLength(121);
    const { spans, slots } = written(world);
    expect(spans).toEqual([{ taskId: "often", expression: "* * * * *", zone: "UTC", fromMs: noon, toMs: noon + 119 * MINUTE_MS }]);
    // The newest becomes part of it with the next pass.
    expect(slots).toHaveLength(1);

    world.setClock(noon + 30 * MINUTE_MS);
    expect(await live(world, [minutely("often")], noon + 122 * MINUTE_MS)).toEqual(["often@2026-07-03T14:01:00.000Z", "often@2026-07-03T14:02:00.000Z"]);
    expect(written(world).spans).toHaveLength(1);
  });

  it("holds no slot that was not due: another schedule of the same task runs between two that ran", async () => {
    const world = createWorld({ seed: 1, epoch: noon });
    const hourly: Task = { ...minutely("task"), schedule: { kind: "cron", expression: "0 * * * *", zone: undefined } };
    await live(world, [hourly], noon + 180 * MINUTE_MS);
    const half: Task = { ...hourly, schedule: { kind: "cron", expression: "0,30 * * * *", zone: undefined } };
    world.setClock(noon + 10 * MINUTE_MS);
    // 13:00, 14:00 and 15:00 ran; half past did not.
    expect(await live(world, [half], noon + 150 * MINUTE_MS)).toEqual([
      "task@2026-07-03T12:30:00.000Z",
      "task@2026-07-03T13:30:00.000Z",
      "task@2026-07-03T14:30:00.000Z",
    ]);
    // A one-shot that was written late falls between decided slots too, and is not one of them.
    const late: Task = { ...hourly, schedule: { kind: "once", atMs: noon + 95 * MINUTE_MS } };
    expect(await live(world, [late], noon + 151 * MINUTE_MS)).toEqual(["task@2026-07-03T13:35:00.000Z"]);
    const ran: Task = { ...hourly, schedule: { kind: "once", atMs: noon + 60 * MINUTE_MS } };
    expect(await live(world, [ran], noon + 152 * MINUTE_MS)).toEqual([]);
  });

  it("forgets what lies behind the look-back window, and the oldest of what is too patchy for spans", async () => {
    const world = createWorld({ seed: 1, epoch: noon });
    // Every other minute is left out: no two slots are neighbours.
    const slots = Array.from({ length: 300 }, (_none, index): RememberedSlot => ({ taskId: "often", slotMs: noon - 2 * (index + 1) * MINUTE_MS, reason: "scheduled", stage: "decided" }));
    await put(world, JSON.stringify({ version: 1, lastPassMs: noon - MINUTE_MS, slots }));
    await live(world, [minutely("often")], noon);
    expect(written(world).spans).toHaveLength(200);
    expect(written(world).spans[0]).toMatchObject({ fromMs: noon - 400 * MINUTE_MS, toMs: noon - 400 * MINUTE_MS });
    world.setClock(noon + 8 * 86_400_000);
    await live(world, [minutely("often")], noon + 8 * 86_400_000);
    expect(written(world).spans).toEqual([]);
  });
});

describe("a state file of the first version", () => {
  it("is read, and what it remembers is not run again", async () => {
    const world = createWorld({ seed: 1, epoch: noon });
    const slot = { taskId: "one", slotMs: noon, reason: "one-shot", stage: "decided" };
    await put(world, JSON.stringify({ version: 1, lastPassMs: noon - 1, slots: [slot, { ...slot, taskId: "two", stage: "queued" }] }));
    expect(await live(world, ["one", "two", "three"].map(once), noon)).toEqual(["two", "three"].map((id) => `${id}@2026-07-03T12:00:00.000Z`));
    expect(written(world).version).toBe(2);
  });
});

describe("three hundred one-shots at one instant", () => {
  it("share their writes, each intent on disk before its dispatch", async () => {
    const world = createWorld({ seed: 1, epoch: noon });
    const tasks = Array.from({ length: 300 }, (_none, index) => once(`one-shot-${index}`));
    let writes = 0;
    let dispatched = 0;
    const unintended: string[] = [];
    await world.run(async (ports) => {
      const rename = (from: string, to: string) => {
        writes += 1;
        return ports.disk.rename(from, to);
      };
      const dispatch: SchedulerOptions["dispatch"] = async ({ key, task }) => {
        dispatched += 1;
        // Reading back costs a parse of the whole file; every tenth stands for all.
        if (dispatched % 10 !== 0) return;
        const answer = await readState(ports, "/state.json");
        if (answer.health !== "healthy" || answer.state.slots.get(key)?.stage !== "intended") unintended.push(task.id);
      };
      const source = createMemorySource(tasks);
      const scheduler = createScheduler({ ...ports, disk: { ...ports.disk, rename } }, { source, zone: "UTC", statePath: "/state.json", dispatch });
      await scheduler.pass();
    });
    expect([dispatched, unintended]).toEqual([300, []]);
    // The pass, and less than one write a slot: intents that come while a write goes on, and all outcomes, share the next one.
    expect(writes).toBeLessThan(300);
    expect(written(world).slots.every(({ stage }) => stage === "decided")).toBe(true);
  });
});
