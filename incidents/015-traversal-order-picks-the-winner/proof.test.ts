/** What case 015 rests on: other files and orders, the operator's cell, the mutants, and how it could be fooled. */
import { encodeText, findObject, readingText, readLifecycle, type TreeFile } from "@casebook/dispatcher/judge";
import { dispatchSplitState, dispatchTwoJobs, type TaskPlaces, type TwoJobsFacts } from "@casebook/guards";
import { objectText } from "@casebook/dispatch-suite";
import { play } from "@casebook/repro";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { carelessButClean, conflict, conflictOfFolders, lastFolder, lastListed, oneOfEach, orders, repro, watchedFolders, watchedSources } from "./repro.ts";

const file = (path: string, id: string, body: string): TreeFile => ({ path: `_lifecycle/${path}.md`, bytes: encodeText(objectText({ id }, body)) });

describe("the mechanism of case 015", () => {
  it("has both winners among the orders, and one of them in each: nothing but the order differs", () => {
    const two = [file("inbox/a", "TASK-1", "a"), file("inbox/b", "TASK-1", "b")];
    const winners = orders(two).map((order) => findObject(readLifecycle(order, "last-listed"), "TASK-1")).map((found) => (found.found === "one" ? found.source.path : found.found));
    expect(winners).toEqual(["_lifecycle/inbox/b.md", "_lifecycle/inbox/a.md"]);
  });

  it("is no matter of six orders: five files in 120 orders, one reading", () => {
    const five = [file("inbox/a", "TASK-1", "a"), file("active/a", "TASK-1", "a"), file("inbox/b", "TASK-2", "b"), file("inbox/c", "TASK-2", "c"), file("done/d", "TASK-3", "d")];
    const texts = new Set(orders(five).map((order) => readingText(readLifecycle(order))));
    expect([orders(five).length, texts.size]).toEqual([120, 1]);
    expect(new Set(orders(five).map((order) => readingText(readLifecycle(order, "last-listed")))).size).toBeGreaterThan(1);
  });

  it("holds for any files in any order", () => {
    const anyFile = fc.record({ folder: fc.constantFrom("inbox", "active", "review"), name: fc.constantFrom("a", "b", "c"), id: fc.constantFrom("TASK-1", "task-1", "TASK-2"), body: fc.constantFrom("x", "y") });
    const anyTree = fc.uniqueArray(anyFile, { maxLength: 6, selector: ({ folder, name }) => `${folder}/${name}` });
    fc.assert(
      fc.property(anyTree.chain((tree) => fc.tuple(fc.constant(tree), fc.shuffledSubarray(tree, { minLength: tree.length }))), ([tree, other]) => {
        const read = (some: typeof tree) => readingText(readLifecycle(some.map(({ folder, name, id, body }) => file(`${folder}/${name}`, id, body))));
        return read(tree) === read(other);
      }),
      { seed: 15, numRuns: 200 },
    );
  });

  it("needs the second file: the careless reader is right where there is nothing to pick from", async () => {
    expect((await play(repro, carelessButClean)).facts).toMatchObject({ started: ["Publish the notes."], alarms: [] });
  });

  it("is in the listing of the disk and not in the dispatcher: the same listings, the same winners; more of them, no other", async () => {
    const six = (await play(repro, lastListed)).facts;
    expect((await play(repro, lastListed)).facts).toEqual(six);
    expect((await play(repro, lastListed, { listings: 12 })).facts).toMatchObject({ started: six.started, neighbours: 12, reported: 0 });
  });

  it("starts neither text where two looks list in two orders: the other one reads as an edit of the first, which is a reason, and the wrong one", async () => {
    expect((await play(repro, lastListed, { listings: 1 })).facts).toMatchObject({ started: [], reported: 0, neighbours: 1 });
  });

  it("gives another trace when its input is another", async () => {
    expect((await play(repro, conflict)).traceHash).not.toBe((await play(repro, conflictOfFolders)).traceHash);
  });
});

describe("the guards of case 015", () => {
  const jobs: TwoJobsFacts = {
    declared: [{ task: "a", revision: "1" }, { task: "a", revision: "2" }],
    kept: [{ task: "a", revision: "1" }, { task: "a", revision: "2" }],
    started: [{ task: "a", revision: "1", session: "s" }],
    reported: ["a"],
  };
  const places: TaskPlaces = { task: "a", published: ["inbox"], now: ["inbox", "review"], sessions: 0, isReported: false };

  it("alarm in the operator's cell: the reader stays as it is, and somebody holds the folders against the runtime", async () => {
    expect((await play(repro, watchedSources)).facts.alarms).toContain("dispatch/two-jobs");
    expect((await play(repro, watchedFolders)).facts.alarms).toEqual(["dispatch/split-state"]);
    expect((await play(repro, lastListed)).facts.alarms).toEqual([]);
  });

  it("are silent on a conflict that is kept, on record, and not started: there is nothing more to say to the dispatcher", async () => {
    for (const scene of [conflict, conflictOfFolders, oneOfEach]) expect([scene.name, (await play(repro, scene)).facts.alarms]).toEqual([scene.name, []]);
  });

  it("would be noticed if they never alarmed, and if they always did", () => {
    const tells = <F>(guard: (facts: F) => unknown, bad: F, good: F) => guard(bad) !== undefined && guard(good) === undefined;
    const goodJobs = { ...jobs, started: [] };
    const goodPlaces = [{ ...places, published: ["inbox", "review"], isReported: true }];
    expect([tells(dispatchTwoJobs, jobs, goodJobs), tells(dispatchSplitState, [places], goodPlaces)]).toEqual([true, true]);
    expect([tells<TwoJobsFacts>(() => undefined, jobs, goodJobs), tells<readonly TaskPlaces[]>(() => undefined, [places], goodPlaces)]).toEqual([false, false]);
    expect([tells<TwoJobsFacts>(() => ({}), jobs, goodJobs), tells<readonly TaskPlaces[]>(() => ({}), [places], goodPlaces)]).toEqual([false, false]);
  });

  it("are fooled by two ids for one job, and by a second file that is gone before anybody looks", () => {
    expect(dispatchTwoJobs({ declared: [{ task: "a", revision: "1" }, { task: "b", revision: "1" }], kept: [{ task: "a", revision: "1" }, { task: "b", revision: "1" }], started: [], reported: [] })).toBeUndefined();
    expect(dispatchSplitState([{ ...places, now: ["inbox"] }])).toBeUndefined();
  });

  it("see nothing wrong in a folder that wins as long as nobody looks at the record: no text was started", async () => {
    expect((await play(repro, lastFolder)).facts).toMatchObject({ started: [], kept: 6 });
  });
});
