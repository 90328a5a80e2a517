/** Writes of one process at the same time. Between processes the window stays, as `write-registry.ts` says. */
import { createNodePorts } from "@casebook/ports/node";
import { createTask, readRegistry, type RegistryLocation, stampRun, type WriteResult } from "@casebook/registry";
import { createWorld } from "@casebook/sim";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";

const oneFile: RegistryLocation = { path: "/tasks.json", shape: { kind: "array", pointer: "/scheduledTasks" } };
const perTask: RegistryLocation = { path: "/tasks", shape: { kind: "file-per-task" } };
const ids = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
const outcomes = (results: readonly WriteResult[]): string[] =>
  results.map((result) => (result.outcome === "refused" ? result.code : result.outcome));

it.each([oneFile, perTask])("ten tasks created at once are ten tasks: %j", async (location) => {
  const world = createWorld({ seed: 1, epoch: 0 });
  const results = await world.run((ports) =>
    Promise.all(ids.map((id) => createTask(ports, location, { id, fireAt: 1 }))),
  );
  expect(outcomes(results)).toEqual(ids.map(() => "written"));
  const reading = await readRegistry(world.ports, location, "reject-file");
  expect(reading.loaded.map((task) => task.id)).toEqual(ids);
});

it("ten tasks created at once on a real disk are ten tasks, also by another spelling of the path", async () => {
  const root = await mkdtemp(join(tmpdir(), "casebook-registry-"));
  try {
    const ports = createNodePorts({ root, log: () => undefined });
    const spellings = ["/tasks.json", "//tasks.json", "/./tasks.json"];
    const results = await Promise.all(
      ids.map((id, index) => createTask(ports, { ...oneFile, path: spellings[index % 3] ?? "" }, { id, fireAt: 1 })),
    );
    expect(outcomes(results)).toEqual(ids.map(() => "written"));
    expect((await readRegistry(ports, oneFile, "reject-file")).loaded.map((task) => task.id)).toEqual(ids);
  } finally {
    await rm(root, { recursive: true });
  }
});

it.each([oneFile, perTask])("one task created ten times at once is created once: %j", async (location) => {
  const world = createWorld({ seed: 1, epoch: 0 });
  const results = await world.run((ports) =>
    Promise.all(ids.map(() => createTask(ports, location, { id: "a", fireAt: 1 }))),
  );
  expect(outcomes(results)).toEqual(["written", ...ids.slice(1).map(() => "TASK_EXISTS")]);
});

it("runs recorded at once are all recorded", async () => {
  const world = createWorld({ seed: 1, epoch: 0 });
  for (const id of ids) await createTask(world.ports, oneFile, { id, fireAt: 1 });
  await world.run((ports) => Promise.all(ids.map((id, atMs) => stampRun(ports, oneFile, id, atMs))));
  const { loaded } = await readRegistry(world.ports, oneFile, "reject-file");
  expect(loaded.map((task) => task.lastRunAtMs)).toEqual(ids.map((_, index) => index));
});

it("a write that throws does not stand in the way of the next one", async () => {
  const { ports } = createWorld({ seed: 1, epoch: 0 });
  const faults = { reach: () => Promise.reject(new Error("stopped here")) };
  const first = createTask({ ...ports, faults }, oneFile, { id: "a", fireAt: 1 });
  const second = createTask(ports, oneFile, { id: "b", fireAt: 1 });
  await expect(first).rejects.toThrow("stopped here");
  expect(await second).toMatchObject({ outcome: "written" });
});
