/** What case 017 rests on: other numbers, the operator's cell, the mutants, and how it could be fooled. */
import { REPORTERS } from "@casebook/dispatch-suite";
import { reportHiddenNotRun, type ReportedSuite } from "@casebook/guards";
import { play } from "@casebook/repro";
import { EXIT, tallyLine } from "@casebook/verdict";
import { describe, expect, it } from "vitest";
import { allGreen, bare, complete, green, leftOut, notGreen, notRun, repro, shownAsPass, watchedBare, watchedFail, watchedGreen, watchedOut, watchedPass } from "./repro.ts";

describe("the mechanism of case 017", () => {
  it("needs the missing dependency: where all is there, every reporter says the same", async () => {
    for (const { name } of REPORTERS) expect([name, (await play(repro, complete, { reporter: name })).facts]).toEqual([name, complete.expect]);
  });

  it("is a matter of each dependency: one of two there, one suite less", async () => {
    expect((await play(repro, notRun, { installed: ["yaml"] })).facts).toMatchObject({ entered: 4, planned: 19, passed: 17, failed: 1, notRun: 1 });
    expect((await play(repro, shownAsPass, { installed: ["an-sdk"] })).facts).toMatchObject({ entered: 4, planned: 19, passed: 18, notRun: 0 });
  });

  it("prints the article's own rerun: 14 passed, 1 failed, 2 not run", async () => {
    const { facts } = await play(repro, notRun);
    expect(tallyLine(facts)).toBe("planned 17, passed 14, failed 1, not run 2");
    expect(facts.rows).toEqual([
      "atomic write: PASS 9",
      "addresses of the local network: PASS 5",
      "long-horizon planning: NOT RUN missing-dependency",
      "two-phase dispatch: NOT RUN missing-dependency",
      "publication boundary: FAIL 1",
    ]);
  });

  it("shows in the exit code only where nothing fails: there three reports of the same run end in three ways", async () => {
    const exitOf = async (scene: typeof green) => (await play(repro, scene)).facts.exitCode;
    expect([await exitOf(allGreen), await exitOf(notGreen), await exitOf(green)]).toEqual([EXIT.clean, EXIT.noVerdict, EXIT.clean]);
    expect((await play(repro, notGreen, { planned: ["two-phase dispatch"] })).facts).toMatchObject({ planned: 1, notRun: 1, exitCode: EXIT.noVerdict });
    expect((await play(repro, leftOut, { planned: ["two-phase dispatch"] })).facts).toMatchObject({ planned: 0, exitCode: EXIT.usage });
  });

  it("gives another trace when its input is another", async () => {
    expect((await play(repro, notRun, { installed: ["yaml"] })).traceHash).not.toBe((await play(repro, notRun)).traceHash);
  });
});

describe("the hidden-not-run guard", () => {
  const ran: ReportedSuite = { suite: "a", bodiesRun: 9, passed: 9, failed: 0, notRun: 0, hasEvidence: false };
  const hidden: ReportedSuite = { suite: "b", bodiesRun: 0, passed: 1, failed: 0, notRun: 0, hasEvidence: false };

  it("alarms in the operator's cell: the report stays as it is, and somebody holds it against what the runner entered", async () => {
    for (const scene of [watchedPass, watchedGreen, watchedOut, watchedFail, watchedBare]) expect([scene.name, (await play(repro, scene)).facts.alarms]).toEqual([scene.name, ["report/hidden-not-run"]]);
    for (const scene of [shownAsPass, allGreen, leftOut, bare]) expect((await play(repro, scene)).facts.alarms).toEqual([]);
  });

  it("is silent where the report says so, also when something failed, and where all was entered", async () => {
    for (const scene of [notRun, notGreen, complete, green]) expect([scene.name, (await play(repro, scene)).facts.alarms]).toEqual([scene.name, []]);
  });

  it("would be noticed if it never alarmed, and if it always did", () => {
    const tells = (guard: (suites: readonly ReportedSuite[]) => unknown) => guard([ran, hidden]) !== undefined && guard([ran]) === undefined;
    expect(tells(reportHiddenNotRun)).toBe(true);
    expect(tells(() => undefined)).toBe(false);
    expect(tells(() => ({ guard: "report/hidden-not-run" }))).toBe(false);
  });

  it("is fooled by a suite that enters its tests and asserts nothing, and by one that nobody planned", () => {
    expect(reportHiddenNotRun([{ ...ran, passed: 9 }])).toBeUndefined();
    expect(reportHiddenNotRun([])).toBeUndefined();
  });
});
