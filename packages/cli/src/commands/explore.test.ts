/** What `casebook explore` says and how it ends, on a case whose searches end in every way that one can. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AnySystem } from "@casebook/explore";
import { afterAll, describe, expect, it } from "vitest";
import { CatalogError } from "../catalog/catalog-error.ts";
import { commandLine } from "../command-line.ts";
import { DOCUMENTS, exploreDocument, traceDocument } from "../documents.ts";
import { UsageError } from "../usage-error.ts";
import { explore, type ExploreMachine } from "./explore.ts";
import type { ExploreWords } from "./explore-options.ts";
import { checkedSystems } from "./searchable.ts";
import { FIXTURE_LIBRARY, FIXTURE_SOURCE, libraryOf, SYSTEMS } from "./searchable-case.fixture.ts";

const MACHINE: ExploreMachine = { library: FIXTURE_LIBRARY, width: 100, progress: undefined, onInterrupt: () => () => undefined };
const folder = mkdtempSync(join(tmpdir(), "casebook-explore-"));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (words: ExploreWords, machine: Partial<ExploreMachine> = {}) => explore("900", words, { ...MACHINE, ...machine });
const documentOf = async (words: ExploreWords, machine: Partial<ExploreMachine> = {}) => {
  const { text, exitCode } = await run({ ...words, json: true }, machine);
  return { exitCode, document: exploreDocument.parse(JSON.parse(text)) };
};

describe("casebook explore", () => {
  it("says within which bounds nothing was found, what was not run, and what never happened", async () => {
    expect(await run({ system: "claim" })).toEqual({
      exitCode: 0,
      text: `900/claim: One task is started at most once.
  exhausted within no fault or one, at most 2,000 executions an arm
  arms planned 3, exhausted 3, sampled 0, failed 0, not run 0
  played 10 executions, 32 steps; 0 more given up as equivalent to one played
  executions in which a fault fired, coverage 2 of 4 cells; NOT RUN: never fired, outside the planned count
                             kill     slow
  dispatcher.after-claim        2        2
  dispatcher.never        NOT RUN  NOT RUN
  sometimes, in 10 of 10 executions: a dispatcher lost the race
  gap, in 0 of 10 executions: the task was started three times

A step is one call at a port with everything up to the next one; inside one process every order of its calls is played, without reduction.
`,
    });
  });

  it("shows the shrunk failing execution as a diagram, and the line that replays it", async () => {
    const { text, exitCode } = await run({ system: "900/believed" });
    expect(exitCode).toBe(1);
    expect(text.split("\n").slice(0, 3)).toEqual([
      "900/believed: One task is started at most once.",
      "  FAIL: 1 finding in 2 of 3 arms",
      "  arms planned 3, exhausted 1, sampled 0, failed 2, not run 0",
    ]);
    expect(text.slice(text.indexOf("\n\n") + 2)).toMatch(
      new RegExp(`^  FAIL task/started-once: 2 starts of one task \\(in 2 arms\\)
  without a fault
  0 faults, 1 switch, \\d+ steps to 6; no execution with fewer switches fails \\(\\d+ executions tried\\)
  step  first   second
     1  │       ●       cell.read claim = free
     2  ●       │       cell.read claim = free
     3  ●       │       cell.write claim = first
     4  ●       │       faults.reach dispatcher.after-claim
                │       · first ends
     5          ●       cell.write claim = second
     6          ●       faults.reach dispatcher.after-claim
                        · second ends
  FAIL task/started-once: 2 starts of one task
  casebook replay casebook-1\\.900:believed\\.1\\.${FIXTURE_SOURCE}\\.\\.[\\w-]+\\.[0-9a-f]{16}\\.[0-9a-f]{8}\n`),
    );
  });

  it.each([
    ["claim", "exhausted", "as expected", 0],
    ["look-then-claim", "failed", "as expected", 0],
    ["believed", "failed", "not as expected", 1],
    ["blamed", "exhausted", "not as expected", 1],
    ["endless", "not-run", "no verdict", 3],
    ["remembers", "not-run", "no verdict", 3],
    // One arm fails and one has no verdict: the failure is said.
    ["fails-and-loops", "failed", "not as expected", 1],
  ])("judges %s (%s) by what is expected of it: %s, exit %i", async (system, verdict, outcome, code) => {
    const { exitCode, document } = await documentOf({ system });
    expect(document.systems.map((one) => [one.verdict, one.outcome])).toEqual([[verdict, outcome]]);
    expect(exitCode).toBe(code);
  });

  it("says that a system which is there to fail, and does not, is a failure of the search", async () => {
    expect((await run({ system: "blamed" })).text).toContain(
      "\n  FAIL: it is there to show a failure, and the search found none; exhausted within no fault or one, at most 2,000 executions an arm\n",
    );
    expect((await run({ system: "look-then-claim" })).text).toContain("\n  fails, as it is there to show: 1 finding in 2 of 3 arms\n");
  });

  it("names the cap that was reached, and what cannot be repeated", async () => {
    expect((await run({ system: "endless" })).text).toContain(
      '\n  NOT RUN (timed-out) more than 50 steps; the last was cell.read "cell" of asker. Bound the loop, or raise the cap of the system.\n',
    );
    expect((await run({ system: "remembers" })).text).toContain("\n  NOT RUN (unstable-input) SYSTEM_NOT_REPEATABLE: the same choices were played twice and did not come out the same: step 1 was ");
  });

  it("says of a sampled search its budget, strategy, seed and coverage", async () => {
    const { text, exitCode } = await run({ system: "claim", strategy: "random", budget: "7", seed: "3" });
    expect([exitCode, text.split("\n")[1]]).toEqual([0, "  sampled, no fault or one, at most 7 executions an arm, strategy random, seed 3; coverage 2 of 4 cells"]);
  });

  it("takes the first failure before the missing verdict, over all systems of a case", async () => {
    const { exitCode, document } = await documentOf({});
    expect(document.systems.map(({ system }) => system)).toEqual([...SYSTEMS.map(({ name }) => name), "900/remembers"]);
    expect(exitCode).toBe(1);
  });

  it("plays more with --plain, and comes to the same", async () => {
    const [reduced, plain] = [await documentOf({ system: "believed", faults: "none" }), await documentOf({ system: "believed", faults: "none", plain: true })];
    expect(reduced.document.systems[0]?.bounds.reduction).toBe("default");
    expect(plain.document.systems[0]?.bounds.reduction).toBe("plain");
    expect(plain.document.systems[0]?.findings.map(({ check }) => check)).toEqual(["task/started-once"]);
  });

  it("keeps the arms adding up with pairs of faults as well", async () => {
    const { document } = await documentOf({ system: "claim", faults: "pairs" });
    expect(document.systems[0]).toMatchObject({ verdict: "exhausted", pairsNotMet: 3, arms: { planned: 3, exhausted: 3, sampled: 0, failed: 0, notRun: 0 } });
  });

  it("prints what it found so far when it is interrupted, and exits 130", async () => {
    let interrupt = (): void => undefined;
    const machine: Partial<ExploreMachine> = {
      onInterrupt: (given) => {
        interrupt = given;
        return () => undefined;
      },
      // Somebody presses a key during the second arm of the second system.
      progress: (line) => {
        if (line.startsWith("900/look-then-claim: arm 2")) interrupt();
      },
    };
    const { document, exitCode } = await documentOf({}, machine);
    expect(exitCode).toBe(130);
    expect(document.systems.map(({ system, verdict, outcome, findings, arms }) => [system, verdict, outcome, findings.length, arms])).toEqual([
      ["900/claim", "exhausted", "as expected", 0, { planned: 3, exhausted: 3, sampled: 0, failed: 0, notRun: 0 }],
      ["900/look-then-claim", "interrupted", "no verdict", 1, { planned: 5, exhausted: 0, sampled: 0, failed: 1, notRun: 4 }],
    ]);
    expect(document.notSearched).toEqual(["900/believed", "900/blamed", "900/endless", "900/fails-and-loops", "900/remembers"]);
    const { text } = await run({}, machine);
    expect(text).toContain("\n  interrupted; so far 1 finding in 1 of 5 arms\n");
    expect(text).toContain("\nnot searched, because it was interrupted before: 900/endless\n");
  });

  it("clears the line of progress before it answers", async () => {
    const lines: string[] = [];
    await run({ system: "claim" }, { progress: (line) => void lines.push(line) });
    expect([lines[0], lines.at(-1)]).toEqual(["900/claim: arm 1 of 1, no fault, 0 executions", ""]);
    expect(lines[1]).toMatch(/^900\/claim: arm 2 of 5, kill at dispatcher\.after-claim, \d+ executions$/);
  });
});

describe("casebook explore --save", () => {
  it("writes trace and picture of each finding, and says where", async () => {
    const to = join(folder, "new");
    const { text } = await run({ system: "believed", save: to });
    const names = ["900-believed--task-started-once.svg", "900-believed--task-started-once.trace.json"];
    expect(readdirSync(to).toSorted()).toEqual(names);
    expect(text.split("\n").filter((line) => line.startsWith("saved"))).toEqual(names.map((name) => `saved ${join(to, name)}`));
    const trace = traceDocument.parse(JSON.parse(readFileSync(join(to, names[1] as string), "utf8")));
    expect([trace.system, trace.source, trace.judged.check, trace.steps.length]).toEqual(["900/believed", FIXTURE_SOURCE, "task/started-once", 6]);
    expect(readFileSync(join(to, names[0] as string), "utf8")).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" /);
  });

  it("writes over nothing, and says so before it searches", async () => {
    const to = join(folder, "taken");
    mkdirSync(to);
    writeFileSync(join(to, "900-believed--other.svg"), "mine");
    await expect(run({ system: "believed", save: to })).rejects.toThrow(
      `--save writes over nothing, and ${join(to, "900-believed--other.svg")} is there already. Name another folder, or move it away.`,
    );
    await expect(run({ save: join(to, "900-believed--other.svg") })).rejects.toThrow("--save needs a folder");
  });

  it("keeps the answer of a search that could not be saved, and says so", async () => {
    const to = join(folder, "later");
    // Somebody puts a file where the folder was to be, while the search runs.
    const said = await run({ system: "look-then-claim", save: to }, { progress: () => writeFileSync(to, "mine") });
    expect(said.exitCode).toBe(3);
    expect(said.aside).toMatch(/^casebook: not everything could be saved: EEXIST/);
    expect(said.text).toContain("casebook replay casebook-1.900:look-then-claim.");
    expect(readFileSync(to, "utf8")).toBe("mine");
  });

  it("gives two findings two names, whatever their checks are called", async () => {
    const two = { ...(SYSTEMS[2] as AnySystem), name: "900/two", checks: [] };
    // One start when nothing happens, and none when the claimer is killed.
    const checks = ["a/b", "a b"].map((id, at) => ({ id, when: "end" as const, alarm: (facts: unknown) => ((facts as { starts: number }).starts === 1 - at ? "so" : undefined) }));
    const to = join(folder, "two");
    const said = await explore("900", { save: to }, { ...MACHINE, library: libraryOf([{ ...two, checks }]) });
    expect(said.aside).toBeUndefined();
    expect(readdirSync(to).toSorted()).toEqual(["900-two--a-b-2.svg", "900-two--a-b-2.trace.json", "900-two--a-b.svg", "900-two--a-b.trace.json"]);
  });

  it("writes nothing when nothing is found, and nothing without the word", async () => {
    const to = join(folder, "unused");
    await run({ system: "claim", save: to });
    await run({ system: "believed" });
    expect(readdirSync(folder)).not.toContain("unused");
  });
});

describe("casebook explore, given wrong words", () => {
  it.each([
    [{ budget: "0" }, '--budget takes a whole number from 1 to 10000000, not "0".'],
    [{ budget: "1e3" }, '--budget takes a whole number from 1 to 10000000, not "1e3".'],
    [{ seed: "-1" }, '--seed takes a whole number from 0 to 2147483647, not "-1".'],
    [{ strategy: "randm" }, '--strategy knows mix, exhaustive, sampled, random, priorities, not "randm". Did you mean random?'],
    [{ faults: "triples" }, '--faults knows none, singles, pairs, not "triples".'],
    [{ system: "clam" }, 'no system "clam". Did you mean claim? Known: 900/claim, 900/look-then-claim, 900/believed, 900/blamed, 900/endless, 900/fails-and-loops, 900/remembers.'],
  ])("%j: says what is known", async (words, message) => {
    await expect(run(words)).rejects.toThrow(new UsageError(message));
  });

  it("says of a case without systems that there is nothing to search, exit 2", async () => {
    expect(await commandLine(["explore", "001"])).toEqual({
      exitCode: 2,
      stdout: "",
      stderr:
        "casebook: case 001 has nothing to search: its repro exports no `systems`, because its mechanism needs one order of steps only. " +
        "`casebook run 001` plays it. Nothing was run.\n",
    });
    const { stdout } = await commandLine(["explore", "001", "--json"]);
    expect(DOCUMENTS.error.parse(JSON.parse(stdout)).error.code).toBe("USAGE");
  });

  it.each([
    [{}, "`systems` is no list with something in it. Export a list, or no `systems`."],
    [[], "`systems` is no list with something in it. Export a list, or no `systems`."],
    [[{ name: "claim" }], 'the name of systems[0] does not begin with "900/", so no token could lead back to it.'],
    [[SYSTEMS[0], { name: "900/x" }], "systems[1] has no `build` or no `checks`."],
    [[SYSTEMS[0], SYSTEMS[0]], 'two systems are called "900/claim"; a token could mean either.'],
  ])("does not believe what a repro exports", (exported, why) => {
    expect(() => checkedSystems(exported, "900", "repro.ts")).toThrow(new CatalogError(`CASE_UNREADABLE: repro.ts of case 900: ${why}`));
  });
});
