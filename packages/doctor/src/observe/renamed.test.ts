/**
 * Every fixture with one key renamed, one value of another type, or its list moved: the observation says so. Made from the
 * fixtures, so that a new layout is held to the same.
 */
import { describe, expect, it } from "vitest";
import type { Observation, PromptState } from "../observation.ts";
import { FIXTURE_NOW_MS, FIXTURE_ZONE, healthyFixtures, json, registryText, withRegistry, type Fixture } from "../presets/fixtures/index.ts";
import { PRESETS } from "../presets/index.ts";
import { memoryTree } from "../trees/index.ts";
import { observe } from "./observe.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

interface Mutation {
  readonly name: string;
  readonly fixture: Fixture;
}

const look = (fixture: Fixture): Promise<Observation> =>
  observe(memoryTree(fixture.files), { places: fixture.places, presets: PRESETS, nowMs: FIXTURE_NOW_MS, machineZone: FIXTURE_ZONE });

/** Everything that the observation says is not as it should be. */
function complaints(observation: Observation): string[] {
  return [
    ...observation.notRead.map(({ message }) => message),
    ...observation.candidates.map(({ tryThis }) => tryThis),
    ...observation.layouts.flatMap((layout) => [
      ...layout.notRead.map(({ message }) => message),
      ...layout.tasks.flatMap(({ problems }) => problems.map(({ code, place }) => `${code} ${place.pointer}`)),
      ...layout.tasks.filter(({ prompt }) => !(["present", "inline"] as PromptState[]).includes(prompt)).map(({ id, prompt }) => `${id} ${prompt}`),
      ...layout.registries.flatMap((one) => [
        ...(one.fieldProblems ?? []).map(({ code }) => code),
        ...one.otherLists.map(({ pointer }) => `another list at ${pointer}`),
        ...(one.version === undefined ? [] : [`version ${one.version.seen}`]),
        ...(one.problem === undefined ? [] : [one.problem.code]),
      ]),
      ...(layout.artefacts?.damaged ?? []).map(({ code }) => code),
    ]),
  ];
}

/** What must never get lost: who is there, when due, claimed, running, on or off, and which runs were seen. */
function facts(observation: Observation): string {
  return JSON.stringify(
    observation.layouts.map((layout) => ({
      tasks: layout.tasks.map(({ id, enabled, schedule, lastRun, running, createdAtMs, repeat, prompt }) => {
        return { id, enabled, schedule, lastRun: lastRun?.atMs, running: running?.atMs, createdAtMs, repeat, prompt };
      }),
      runs: layout.artefacts?.runs.map(({ taskId, startedAtMs, trigger }) => ({ taskId, startedAtMs, trigger })),
      skips: layout.registries.map(({ skips }) => skips),
    })),
  );
}

function mutate(value: Json, path: readonly string[], change: (container: { [key: string]: Json }, key: string) => void): Json {
  const copy = structuredClone(value);
  let at: Json = copy;
  for (const key of path.slice(0, -1)) at = (at as { [key: string]: Json })[key] as Json;
  change(at as { [key: string]: Json }, path.at(-1) as string);
  return copy;
}

function pathsOf(value: Json, path: readonly string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [[...path, key], ...pathsOf(member, [...path, key])]);
}

function renamings(fixture: Fixture): Mutation[] {
  const document = JSON.parse(registryText(fixture)) as Json;
  return pathsOf(document)
    // Keys that are ids are data: another one is another task's.
    .filter((path) => !/^\d+$/.test(path.at(-1) as string) && !(path.length === 2 && path[0] === "recordedSkips"))
    .map((path) => {
      const renamed = mutate(document, path, (container, key) => {
        const entries = Object.entries(container).map(([name, value]) => [name === key ? `${key}_v2` : name, value] as const);
        for (const name of Object.keys(container)) delete container[name];
        Object.assign(container, Object.fromEntries(entries));
      });
      return { name: `/${path.join("/")} renamed`, fixture: withRegistry(fixture, json(renamed), fixture.title) };
    });
}

/** Two are enough: what is neither text nor a list is another type than one of them. */
const OTHER_TYPES: readonly Json[] = ["not what it was", ["x"]];

function retypings(fixture: Fixture): Mutation[] {
  const document = JSON.parse(registryText(fixture)) as Json;
  return pathsOf(document).flatMap((path) => {
    const was = path.reduce<Json>((at, key) => (at as { [key: string]: Json })[key] as Json, document);
    // Null says nothing about the type that it stands for.
    if (was === null) return [];
    return OTHER_TYPES.filter((other) => kindOf(other) !== kindOf(was)).map((other) => {
      const retyped = mutate(document, path, (container, key) => void (container[key] = other));
      return { name: `/${path.join("/")} as ${kindOf(other)}`, fixture: withRegistry(fixture, json(retyped), fixture.title) };
    });
  });
}

function kindOf(value: Json): string {
  return value === null ? "null" : Array.isArray(value) ? "list" : typeof value;
}

function movings(fixture: Fixture): Mutation[] {
  const document = JSON.parse(registryText(fixture)) as Json;
  const moved = (name: string, value: Json): Mutation => ({ name, fixture: withRegistry(fixture, json(value), fixture.title) });
  if (Array.isArray(document)) return [moved("list into an object", { tasks: document }), moved("list one deeper", [document])];
  const [key, list] = Object.entries(document as { [key: string]: Json }).find(([, value]) => Array.isArray(value)) as [string, Json];
  const { [key]: _list, ...rest } = document as { [key: string]: Json };
  return [
    moved("list alone", list),
    moved("list one deeper", { ...rest, data: { [key]: list } }),
    moved("list beside an empty one", { ...rest, [key]: [], archive: list }),
    moved("document in a document", { data: document }),
  ];
}

/** Nothing was lost, or something says what. */
async function silentLosses(mutations: readonly Mutation[], healthy: string): Promise<string[]> {
  const silent: string[] = [];
  for (const { name, fixture } of mutations) {
    const observation = await look(fixture);
    if (facts(observation) !== healthy && complaints(observation).length === 0) silent.push(name);
  }
  return silent;
}

/** Values that are free: another one is another task and no damage, and no layout says more about them. */
const FREE = /\/(name|description|cwd|permissionMode|sessionId|display|nextRunAtMs)\b/;

for (const fixture of healthyFixtures()) {
  describe(fixture.title, () => {
    it("reports each renamed field as what it is", async () => {
      const healthy = facts(await look(fixture));
      const renamed = renamings(fixture);
      expect(renamed.length).toBeGreaterThan(10);
      expect(await silentLosses(renamed, healthy)).toEqual([]);
    });

    it("reports each value of another type as what it is, also if nothing is lost by it", async () => {
      const healthy = facts(await look(fixture));
      const quiet: string[] = [];
      for (const { name, fixture: changed } of retypings(fixture)) {
        const observation = await look(changed);
        const isLost = facts(observation) !== healthy;
        if ((isLost || !FREE.test(name)) && complaints(observation).length === 0) quiet.push(name);
      }
      expect(quiet).toEqual([]);
    });

    it("reports a list that moved, with the command that would read it or as another list", async () => {
      expect(movings(fixture).length).toBeGreaterThan(1);
      const healthy = facts(await look(fixture));
      for (const { name, fixture: moved } of movings(fixture)) {
        const observation = await look(moved);
        // A layout that is also known as a bare list has lost nothing by it.
        if (facts(observation) === healthy) continue;
        const said = complaints(observation).some((one) => /another list|--records/.test(one));
        expect({ name, said }).toEqual({ name, said: true });
      }
    });
  });
}
