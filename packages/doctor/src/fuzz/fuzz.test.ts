/**
 * Whatever was done to the files: an answer that adds up, says nothing private and is never a wrong zero. Bounded, with seeds that
 * stay; the soak goes on where this ends. A run that fails prints the one line that plays it again.
 */
import { describe, expect, it } from "vitest";
import { BYTE_CHANGES } from "./byte-changes.fixture.ts";
import { CANARY, corpus } from "./corpus.fixture.ts";
import { cutEverywhere } from "./cuts.fixture.ts";
import { fuzz } from "./fuzz.fixture.ts";
import { JSON_CHANGES } from "./json-changes.fixture.ts";
import kept from "./kept-seeds.json" with { type: "json" };
import { problemsOf } from "./oracle.fixture.ts";
import { CHANGES, drawRun, look, playRun, replayLine, type Run } from "./run.fixture.ts";
import { TREE_CHANGES } from "./tree-changes.fixture.ts";

const subjects = await corpus();
const again = process.env["CASEBOOK_FUZZ"];

// For the line that a failing run prints; a suite without it has one test fewer, not one that is skipped.
if (again !== undefined) {
  it("plays one run again", async () => {
    const { played, failures } = await fuzz(subjects, [JSON.parse(again) as Run]);
    expect(failures, played?.human).toEqual([]);
  });
}

describe("the doctor, with files that are damaged", () => {
  it("answers well for each seed that once found something", async () => {
    expect((await fuzz(subjects, kept)).failures).toEqual([]);
  });

  it("answers well for one seed of every change, and for some more", async () => {
    const each = CHANGES.map((change, index) => ({ tree: (subjects[index % subjects.length] as (typeof subjects)[number]).title, changes: [change], seed: index }));
    const more = Array.from({ length: 120 }, (_, seed) => drawRun(subjects, seed));
    expect((await fuzz(subjects, [...each, ...more])).failures).toEqual([]);
  });

  it("answers well for a file cut off at some places, and is never clean for a registry that is", async () => {
    // A prime, so that the places are no column of an indented file.
    for (const subject of subjects.slice(0, 6)) expect((await cutEverywhere(subject, 211, 7)).failures).toEqual([]);
  });
});

describe("a run", () => {
  it("is played again by its line: the same damage, the same answer", async () => {
    const run = drawRun(subjects, 4);
    const [, line = ""] = /^CASEBOOK_FUZZ='(.*)' npx vitest run packages\/doctor\/src\/fuzz\/fuzz\.test\.ts$/.exec(replayLine(run)) ?? [];
    const subject = subjects.find(({ title }) => title === run.tree) as (typeof subjects)[number];
    const [one, other] = [await playRun(subject, run), await playRun(subject, JSON.parse(line) as Run)];
    expect([other.human, other.files]).toEqual([one.human, one.files]);
  });

  it("is drawn from every change and every tree", () => {
    const drawn = Array.from({ length: 4_000 }, (_, seed) => drawRun(subjects, seed));
    expect(new Set(drawn.flatMap(({ changes }) => changes)).size).toBe(CHANGES.length);
    expect(new Set(drawn.map(({ tree }) => tree)).size).toBe(subjects.length);
    expect(CHANGES.length).toBe(Object.keys(BYTE_CHANGES).length + JSON_CHANGES.length + Object.keys(TREE_CHANGES).length);
  });

  it("is kept with a tree and changes that there are", () => {
    const titles = subjects.map(({ title }) => title);
    expect(kept.filter(({ tree, changes }) => !titles.includes(tree) || changes.some((change) => !CHANGES.includes(change)))).toEqual([]);
  });
});

describe("the judge of the runs", () => {
  const [desktop] = subjects;
  const healthy = async () => {
    if (desktop === undefined) throw new Error("there is no tree");
    return { desktop, well: await look(desktop, desktop.files) };
  };

  it("has nothing against trees that are untouched, and the healthy ones are clean with the word planted in them", async () => {
    const exits: number[] = [];
    for (const subject of subjects.slice(0, 6)) {
      const well = await look(subject, subject.files);
      expect(problemsOf(well, well, subject)).toEqual([]);
      expect(JSON.stringify(Object.values(subject.files))).toContain(CANARY);
      exits.push(well.exit);
    }
    expect(exits).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it("sees a prompt in any output, a control character, a home, a path outside and a wrong zero", async () => {
    const { desktop, well } = await healthy();
    const empty = { ...well, report: { ...well.report, rows: [], tally: { ...well.report.tally, planned: 0, passed: 0 }, totals: { ...well.report.totals, due: 0, claimed: 0, seen: 0, withoutTrace: 0, discarded: 0, unjudged: 0 } } };
    const seen = (played: Partial<typeof well>) => problemsOf({ ...well, ...played }, well, desktop).map((problem) => problem.split(":")[0]);
    expect(seen({ human: `${well.human}${CANARY}` })).toEqual(["human holds a private text"]);
    expect(seen({ metrics: well.metrics.replace("# EOF", `x ${CANARY}\n# EOF`) })).toEqual(["metrics holds a private text"]);
    expect(seen({ human: `${well.human}\x1b[2J` })).toEqual(["human holds a character that nobody sees"]);
    expect(seen({ human: `${well.human}\u202e` })).toEqual(["human holds a character that nobody sees"]);
    expect(seen({ human: `${well.human}/home/ada/x` })).toEqual(["human names the home"]);
    expect(seen({ calls: ["read /etc/passwd"] })).toEqual(["/etc/passwd was asked for, which is below no place"]);
    expect(seen({ calls: Array.from({ length: 5_000 }, () => `list ${desktop.places[0]}`) })).toHaveLength(1);
    expect(seen({ json: "{}" })).toHaveLength(1);
    expect(seen({ metrics: `a 1\na 2\n# EOF\n` })).toEqual(["a series is there twice"]);
    expect(problemsOf(empty, well, desktop)).toEqual(["clean, with 0 tasks where there were 3"]);
  });
});
