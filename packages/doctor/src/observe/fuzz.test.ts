/** Whatever the bytes and whatever the tree refuses: an answer, and no task lost without a word. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Observation } from "../observation.ts";
import { claudeDesktopHealthy, FIXTURE_NOW_MS, FIXTURE_ZONE, healthyFixtures, registryText, withRegistry, type Fixture } from "../presets/fixtures/index.ts";
import { PRESETS } from "../presets/index.ts";
import { memoryTree, TreeError } from "../trees/index.ts";
import type { Tree } from "../tree.ts";
import { observe } from "./observe.ts";

/** The test command asks the same each time; the soak of `fuzz/` is what looks further. */
const SEED = 20_260_902;

const options = { presets: PRESETS, nowMs: FIXTURE_NOW_MS, machineZone: FIXTURE_ZONE };
const look = (fixture: Fixture, tree: Tree = memoryTree(fixture.files)): Promise<Observation> => observe(tree, { ...options, places: fixture.places });

function saysSomething({ notRead, candidates, layouts }: Observation): boolean {
  const said = layouts.some(
    (layout) => layout.notRead.length > 0 || layout.tasks.some(({ problems }) => problems.length > 0) || layout.registries.some(({ problem }) => problem !== undefined),
  );
  return notRead.length > 0 || candidates.length > 0 || said;
}

function tasksIn({ layouts }: Observation): number {
  return layouts.reduce((sum, { tasks }) => sum + tasks.length, 0);
}

it("says something at every length, in steps, to which a registry can be cut", async () => {
  for (const fixture of healthyFixtures()) {
    const text = registryText(fixture);
    // A cut within the white space at the end loses nothing.
    for (let length = 0; length < text.trimEnd().length; length += 41) {
      const observation = await look(withRegistry(fixture, text.slice(0, length), `cut at ${length}`));
      expect({ title: fixture.title, length, said: saysSomething(observation) }).toEqual({ title: fixture.title, length, said: true });
    }
  }
});

it("answers for any flipped bytes, and loses no task without a word", async () => {
  const fixtures = healthyFixtures();
  const flips = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...fixtures), flips, async (fixture, changes) => {
      const bytes = new TextEncoder().encode(registryText(fixture));
      for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
      const observation = await look(withRegistry(fixture, bytes, "flipped"));
      expect(tasksIn(observation) >= fixture.tasks.length || saysSomething(observation)).toBe(true);
    }),
    { numRuns: 100, seed: SEED },
  );
});

it("answers for any JSON where the registry should be", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...healthyFixtures()), fc.json({ maxDepth: 4 }), async (fixture, text) => {
      const { layouts, notRead, candidates } = await look(withRegistry(fixture, text, "any JSON"));
      expect(layouts.length + notRead.length + candidates.length).toBeGreaterThan(0);
    }),
    { numRuns: 60, seed: SEED },
  );
});

it("answers and says so whatever single call the tree refuses", async () => {
  const fixture = claudeDesktopHealthy();
  const counted = refusing(memoryTree(fixture.files), Number.POSITIVE_INFINITY);
  await look(fixture, counted.tree);
  expect(counted.calls()).toBeGreaterThan(20);
  for (let at = 1; at <= counted.calls(); at += 1) {
    const observation = await look(fixture, refusing(memoryTree(fixture.files), at).tree);
    expect({ at, said: saysSomething(observation) }).toEqual({ at, said: true });
  }
});

function refusing(inner: Tree, at: number): { tree: Tree; calls: () => number } {
  let calls = 0;
  function guard<Answer>(operation: string, path: string, answer: () => Promise<Answer>): Promise<Answer> {
    calls += 1;
    return calls === at ? Promise.reject(new TreeError("EACCES", operation, path)) : answer();
  }
  const tree: Tree = {
    list: (path) => guard("list", path, () => inner.list(path)),
    stat: (path) => guard("stat", path, () => inner.stat(path)),
    readRange: (path, offset, length) => guard("read", path, () => inner.readRange(path, offset, length)),
  };
  return { tree, calls: () => calls };
}
