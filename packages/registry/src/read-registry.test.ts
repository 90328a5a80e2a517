import { parityFacts, readRegistry, type LoaderPolicy, type RegistryLocation } from "@casebook/registry";
import { createWorld, type World } from "@casebook/sim";
import { describe, expect, it } from "vitest";

const DUE = Date.UTC(2026, 8, 2, 7);
const ids = ["task-01", "task-02", "task-03", "task-04", "task-05", "task-06"];
const entry = (id: string): object => ({ id, enabled: true, fireAt: DUE });
/** task-06 carries text where the loader wants milliseconds. */
const six = ids.map((id) => (id === "task-06" ? { id, enabled: true, fireAt: "2026-08-27T07:30:00+01:00" } : entry(id)));

describe("a registry with a file per task", () => {
  const location: RegistryLocation = { path: "/tasks", shape: { kind: "file-per-task" } };
  const files = Object.fromEntries(six.map((task, index) => [`/tasks/${ids[index]}.json`, JSON.stringify(task)]));

  it("loads none of six when the list is judged as a whole", async () => {
    const { reading, log } = await read(files, location, "reject-file");
    expect(reading).toMatchObject({ outcome: "rejected", population: { count: 6, countedBy: "files" }, loaded: [], dropped: 6 });
    expect(log).toEqual([
      "error registry.file-rejected REGISTRY_ENTRY_INVALID: 1 of 6 entries invalid, first FIRE_AT_INVALID: task-06.json /fireAt " +
        'of "task-06" is text "2026-08-27T07:30:00+01:00", wanted a whole number of milliseconds since 1970 ' +
        "(line 1, column 41). This loader checks the list as a whole, so one bad entry costs all of them. " +
        "Correct the entry, or load entry by entry.",
    ]);
  });

  it("loads five and names the sixth when entries are judged one by one", async () => {
    const { reading } = await read(files, location, "quarantine-entry");
    expect(reading.loaded.map((task) => task.id)).toEqual(ids.slice(0, 5));
    expect(reading.quarantined.map((bad) => bad.id)).toEqual(["task-06"]);
    expect(parityFacts(reading)).toEqual({ onDisk: 6, loaded: 5, quarantined: 1 });
  });
});

async function read(files: Record<string, string | Uint8Array>, location: RegistryLocation, policy: LoaderPolicy) {
  const world = createWorld({ seed: 1, epoch: "2026-09-02T08:00:00Z" });
  await put(world, files);
  const reading = await world.run((ports) => readRegistry(ports, location, policy));
  return { reading, world, log: world.log.map(({ level, event, facts }) => `${level} ${event} ${facts.say ?? JSON.stringify(facts)}`) };
}

async function put({ ports: { disk } }: World, files: Record<string, string | Uint8Array>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const directories = path.split("/").slice(1, -1);
    for (let depth = 1; depth <= directories.length; depth += 1) {
      await disk.mkdir(`/${directories.slice(0, depth).join("/")}`).catch(() => undefined);
    }
    const file = await disk.open(path, "w");
    await file.write(typeof content === "string" ? new TextEncoder().encode(content) : content);
    await file.close();
  }
}
