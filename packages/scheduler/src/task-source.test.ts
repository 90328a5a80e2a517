/** A registry on disk as a source: what is set aside is neither a task nor gone. */
import type { Disk } from "@casebook/ports";
import type { RegistryLocation } from "@casebook/registry";
import { createWorld } from "@casebook/sim";
import { describe, expect, it } from "vitest";
import { MAX_LOOK_BACK_MS, createRegistrySource, createScheduler } from "./index.ts";

const noon = Date.parse("2026-07-03T12:00:00Z");
const location: RegistryLocation = { path: "/tasks.json", shape: { kind: "array", pointer: "/scheduledTasks" } };
const entry = (id: string, fireAt: unknown = noon) => ({ id, enabled: true, fireAt });

async function put(disk: Disk, entries: readonly unknown[]): Promise<void> {
  const file = await disk.open("/tasks.json", "w");
  await file.write(new TextEncoder().encode(JSON.stringify({ scheduledTasks: entries })));
  await file.close();
}

describe("a task that is set aside", () => {
  it("is read as set aside and not as gone", async () => {
    const world = createWorld({ seed: 1, epoch: noon });
    const answers = await world.run(async (ports) => {
      await put(ports.disk, [entry("one"), entry("two", "at noon")]);
      const source = createRegistrySource(ports, location, "quarantine-entry");
      const two = await source.read("two").catch((failure: unknown) => failure);
      return { one: (await source.read("one"))?.id, two, three: await source.read("three") };
    });
    expect(answers.one).toBe("one");
    expect(answers.three).toBeUndefined();
    expect(answers.two).toMatchObject({ code: "TASK_QUARANTINED" });
    expect((answers.two as Error).message).toMatch(
      /^TASK_QUARANTINED: "two" is in \/tasks\.json and set aside, so nobody can say when it is due\. FIRE_AT_INVALID: .* Correct the entry; its slot waits\.$/,
    );
  });

  it("may be the one whose id cannot be read, so nothing is called gone beside it", async () => {
    const world = createWorld({ seed: 1, epoch: noon });
    const failure = await world.run(async (ports) => {
      await put(ports.disk, [entry("one"), { enabled: true, fireAt: noon }]);
      return createRegistrySource(ports, location, "quarantine-entry").read("two").catch((thrown: unknown) => thrown);
    });
    expect((failure as Error).message).toMatch(
      /^TASK_QUARANTINED: "two" is not among the tasks of \/tasks\.json, and an entry without a readable id is set aside, which may be it\. ID_\w+: /,
    );
  });

  it("while its slot waits, keeps it waiting: it runs when the entry is repaired", async () => {
    const { world, fires } = await playQuarantined(noon + 600_000);
    expect(fires).toEqual([["one", "dispatched", 0], ["two", "dispatched", 600_000]]);
    expect(world.log.filter(({ event, facts }) => event === "scheduler.fire-deferred" && facts["code"] === "TASK_QUARANTINED")).not.toEqual([]);
  });

  it("for longer than anybody looks back, is given up with a record that says why", async () => {
    const { fires } = await playQuarantined(noon + MAX_LOOK_BACK_MS + 7_200_000);
    expect(fires).toEqual([["one", "dispatched", 0], ["two", "TASK_QUARANTINED", MAX_LOOK_BACK_MS]]);
  });
});

/** Two one-shots at noon behind a cap of one; the second is spoiled while the first runs, and repaired at `repairedAtMs`. */
async function playQuarantined(repairedAtMs: number) {
  const world = createWorld({ seed: 1, epoch: noon });
  const fires = await world.run(async (ports) => {
    await put(ports.disk, [entry("one"), entry("two")]);
    const scheduler = createScheduler(ports, {
      source: createRegistrySource(ports, location, "quarantine-entry"),
      zone: "UTC",
      statePath: "/state.json",
      dispatch: async ({ task }) => {
        if (task.id === "one") await put(ports.disk, [entry("one"), entry("two", "at noon")]);
      },
      maxConcurrent: 1,
      recheckMs: 3_600_000,
    });
    await scheduler.run(repairedAtMs);
    await put(ports.disk, [entry("one"), entry("two")]);
    await scheduler.pass();
    return scheduler.fires().map(({ taskId, outcome, problem, firedAtMs }) => [taskId, problem?.code ?? outcome, firedAtMs - noon]);
  });
  return { world, fires };
}
