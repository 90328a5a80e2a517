import {
  createTask,
  readRegistry,
  updateTask,
  type RegistryLocation,
} from "@casebook/registry";
import { lookUp, lookupFacts, type LookupReader } from "@casebook/registry/judge";
import {
  knownBad,
  REFERENCE_POLICIES,
  REGISTRY_RULES,
  type RegistryPolicies,
  type RegistryRule,
} from "@casebook/registry/known-bad";
import { createWorld } from "@casebook/sim";
import { describe, expect, it } from "vitest";

const location: RegistryLocation = { path: "/tasks.json", shape: { kind: "array", pointer: "/scheduledTasks" } };
/** One good entry, one with text for a time. */
const mixed = '{"scheduledTasks":[{"id":"good","fireAt":1},{"id":"bad","fireAt":"soon"}],"recordedSkips":{"good":[]}}';

/** Plays every rule against one set of policies and answers those that broke. */
async function brokenRules(policies: RegistryPolicies): Promise<RegistryRule[]> {
  const reading = await onDisk(mixed, (ports) => readRegistry(ports, location, policies.loader));
  const afterUpdate = await onDisk(mixed, async (ports) => {
    await updateTask(ports, location, "good", { enabled: false }, policies.writer);
    return textOf(ports.disk);
  });
  const torn = mixed.slice(0, 60);
  const afterCreate = await onDisk(torn, async (ports) => {
    await createTask(ports, location, { id: "new", fireAt: 2 }, policies.writer);
    return textOf(ports.disk);
  });
  const checks: Record<RegistryRule, boolean> = {
    "registry/one-bad-entry-costs-one": reading.loaded.length === 1,
    "registry/zero-is-credible": zeroIsCredible(policies.lookup),
    "registry/write-keeps-the-rest":
      afterUpdate.includes('{"id":"bad","fireAt":"soon"}') && afterUpdate.includes('"recordedSkips":{"good":[]}'),
    "registry/no-write-without-read": afterCreate === torn,
  };
  return (Object.keys(REGISTRY_RULES) as RegistryRule[]).filter((rule) => !checks[rule]);
}

function zeroIsCredible(policy: LookupReader["policy"]): boolean {
  const watched = [{ id: 1 }, { id: 2 }];
  const document = policy === "absent-key-fallback" ? { watched } : { items: [{ id: 9 }], watched };
  const reader: LookupReader =
    policy === "strict-undeclared" ? { policy } : { policy, key: policy === "strict-declared" ? "watched" : "items" };
  const facts = lookupFacts(document, lookUp(document, 1, reader));
  return facts === undefined || facts.hits > 0 || (facts.searchedIsRecordCollection && facts.holds < facts.population);
}

describe("the registry's known-bad policies", () => {
  it("break nothing when they are the reference", async () => {
    expect(await brokenRules(REFERENCE_POLICIES)).toEqual([]);
  });

  it.each(knownBad)("$name: breaks what it says it breaks, and nothing else", async ({ policies, breaks }) => {
    expect(await brokenRules(policies)).toEqual(breaks);
  });

  it("break every rule at least once, so that no rule is there for show", () => {
    expect(new Set(knownBad.flatMap((bad) => bad.breaks))).toEqual(new Set(Object.keys(REGISTRY_RULES)));
  });
});

type WorldPorts = ReturnType<typeof createWorld>["ports"];

async function onDisk<T>(text: string, act: (ports: WorldPorts) => Promise<T>): Promise<T> {
  const world = createWorld({ seed: 1, epoch: 0 });
  const file = await world.ports.disk.open(location.path, "w");
  await file.write(new TextEncoder().encode(text));
  await file.close();
  return world.run(act);
}

async function textOf(disk: WorldPorts["disk"]): Promise<string> {
  const file = await disk.open(location.path, "r");
  const bytes = await file.read(10_000, 0);
  await file.close();
  return new TextDecoder().decode(bytes);
}
